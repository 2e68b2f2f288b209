// SPDX-License-Identifier: MIT
/* Text into HTML, for all pages. */
#ifndef RSSCK_HTML_WRITE_H
#define RSSCK_HTML_WRITE_H

#include <stdio.h>

/*
 * Markup as it stands, and in place of each %s a string that is text, whatever
 * it holds. %u, %d, %zu and %lld are numbers; there is nothing else.
 */
void html_put(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prose of our own, in which the hashes of commits become links. */
void html_prose(const char *text, FILE *out);

/* A style sheet or a script, copied without the indentation of its lines. */
void html_asset(const char *text, FILE *out);

/* Everything before the page's first element. `css`: the style sheets, ended by NULL. */
void html_head(const char *title, const char *const *css, FILE *out);

/* The style that all pages have. */
extern const char html_css[];

#endif
