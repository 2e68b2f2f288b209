// SPDX-License-Identifier: MIT
/* Functions that write text as HTML, for all pages. */
#ifndef RSSCK_HTML_WRITE_H
#define RSSCK_HTML_WRITE_H

#include <stdio.h>

/*
 * Writes markup unchanged. Each %s is replaced by a text, whose special characters are escaped. %u,
 * %d, %zu, %lld and %% work as in printf(3). No other conversions are supported.
 */
void html_put(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes our own prose, in which the hashes of commits become links. */
void html_prose(const char *text, FILE *out);

/* Writes a style sheet or a script without the indentation of its lines. */
void html_asset(const char *text, FILE *out);

/*
 * Writes the page's head, its style sheets, and the link that skips to the content. `css` is a list
 * of style sheets, ended by NULL.
 */
void html_head(const char *title, const char *const *css, FILE *out);

/* The style sheet that all pages share. */
extern const char html_css[];

#endif
