// SPDX-License-Identifier: MIT
/* Makes strings with arbitrary bytes, such as a mapping's name, fit for a report. */
#ifndef RSSCK_WORDS_H
#define RSSCK_WORDS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { UTF8_INVALID = 0xfffd }; /* U+FFFD, the replacement character */

/*
 * Returns the code point at *s and moves *s past it; 0 at the end of the string. A byte that is not
 * valid UTF-8 (overlong, surrogate, cut off) gives UTF8_INVALID.
 */
uint32_t utf8_next(const char **s);

/* Writes a code point as UTF-8. */
void utf8_put(uint32_t code, FILE *out);

/* Returns a copy of s that is valid UTF-8, or NULL if there is no memory. The caller frees it. */
char *utf8_clean(const char *s);

/*
 * Writes s on one line: line breaks, control characters and bidirectional characters become spaces.
 */
void line_put(const char *s, FILE *out);

/*
 * Writes s as XML or HTML text, or as a quoted attribute. Markup is escaped, and characters that
 * XML does not allow are replaced.
 */
void xml_put(const char *s, FILE *out);

/* Writes n with thousands separators, such as "-5,912", into buf. Returns buf. */
const char *number_words(int64_t n, char *buf, size_t size);

/* Like number_words(), with a '+' before a positive number. */
const char *difference_words(int64_t n, char *buf, size_t size);

/* Flushes a stream. Returns 0, or -1 with errno if any write to the stream has failed. */
int stream_end(FILE *out);

#endif
