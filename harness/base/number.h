// SPDX-License-Identifier: MIT
/* Numbers in text, and the smaller of two. */
#ifndef RSSCK_NUMBER_H
#define RSSCK_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

static inline int64_t lesser(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

enum number { NUMBER_OK, NUMBER_NONE, NUMBER_TOO_LARGE };

/* A decimal number with an optional sign at *p; *p moves behind it. */
enum number number_signed(const char **p, const char *end, int64_t *value);

/*
 * The same for a count that the kernel keeps in an unsigned long: a negative value -n is printed as
 * 2^64 - n (n at most 2^52), and is read as -n.
 */
enum number number_count(const char **p, const char *end, int64_t *value);

/* A number of lower-case hex digits; *p moves behind it. */
enum number number_hex(const char **p, const char *end, uint64_t *value);

/* A decimal number without sign; *p moves behind it. */
enum number number_unsigned(const char **p, const char *end, uint64_t *value);

/* "is not a number", "is too large": the end of a sentence that begins with a field's name. */
const char *number_complaint(enum number n);

/* True if a word is a decimal number without sign, and nothing else, of at most `most`. */
bool number_whole(const char *word, uint64_t most, uint64_t *value);

#endif
