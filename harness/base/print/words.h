// SPDX-License-Identifier: MIT
/* Makes strings with arbitrary bytes (a mapping's name has them) fit for a report. */
#ifndef RSSCK_WORDS_H
#define RSSCK_WORDS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { UTF8_INVALID = 0xfffd }; /* U+FFFD, the replacement character */

/*
 * Returns the code point at *s, and moves *s past it. A byte that is not UTF-8 (overlong,
 * surrogate, cut off) gives UTF8_INVALID. 0 at the end.
 */
uint32_t utf8_next(const char **s);

/* Write a code point. */
void utf8_put(uint32_t code, FILE *out);

/* A copy of s that is valid UTF-8, or NULL if there is no memory. The caller frees it. */
char *utf8_clean(const char *s);

/* Writes s on one line: control and bidirectional characters and line breaks become spaces. */
void line_put(const char *s, FILE *out);

/*
 * Writes s as XML or HTML text, or as a quoted attribute: markup is escaped, and
 * characters that XML cannot contain are replaced.
 */
void xml_put(const char *s, FILE *out);

/* "-5,912": n with thousands separators, into buf. Returns buf. */
const char *number_words(int64_t n, char *buf, size_t size);

/* The same with a '+' before a positive number. */
const char *difference_words(int64_t n, char *buf, size_t size);

/* Flushes a stream: 0, or -1 with errno if any write to it has failed. */
int stream_end(FILE *out);

#endif
