// SPDX-License-Identifier: MIT
/* Strings that may hold anything (a mapping's name does), made fit for a report. */
#ifndef RSSCK_WORDS_H
#define RSSCK_WORDS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { UTF8_INVALID = 0xfffd }; /* U+FFFD, the replacement character */

/*
 * The code point at *s, and *s moved past it. What is not UTF-8 (overlong,
 * surrogate, cut off) is one byte and UTF8_INVALID. 0 at the end.
 */
uint32_t utf8_next(const char **s);

/* Write a code point. */
void utf8_put(uint32_t code, FILE *out);

/* A copy of s that is valid UTF-8, or NULL where there is no memory. To be freed. */
char *utf8_clean(const char *s);

/* s on one line: control and bidirectional characters and line breaks become spaces. */
void line_put(const char *s, FILE *out);

/*
 * s as text or as a quoted attribute of XML and of HTML: no markup in it, and
 * no character that XML cannot hold.
 */
void xml_put(const char *s, FILE *out);

/* "-5,912": grouped by thousands, into buf. */
const char *number_words(int64_t n, char *buf, size_t size);

/* The same with a '+' for what is above zero. */
const char *difference_words(int64_t n, char *buf, size_t size);

/* Flush a stream: 0, or -1 with errno where any write to it has failed. */
int stream_end(FILE *out);

#endif
