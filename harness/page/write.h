// SPDX-License-Identifier: MIT
/* Text into HTML, for all pages. */
#ifndef RSSCK_HTML_WRITE_H
#define RSSCK_HTML_WRITE_H

#include <stdio.h>

/*
 * Writes markup unchanged, with text in place of each %s, whatever characters it
 * contains. %u, %d, %zu and %lld are numbers; there are no other conversions.
 */
void html_put(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes prose of our own, in which the hashes of commits become links. */
void html_prose(const char *text, FILE *out);

/* Writes a style sheet or a script without the indentation of its lines. */
void html_asset(const char *text, FILE *out);

/* Writes everything before the page's first element. `css`: the style sheets, ended by NULL. */
void html_head(const char *title, const char *const *css, FILE *out);

/* The style that all pages share. */
extern const char html_css[];

#endif
