// SPDX-License-Identifier: MIT
/* Parses and compares numbers. */
#ifndef RSSCK_NUMBER_H
#define RSSCK_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline int64_t lesser(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

enum number { NUMBER_OK, NUMBER_NONE, NUMBER_TOO_LARGE };

/* Parses a decimal number with an optional minus sign, and moves *p past it. */
enum number number_signed(const char **p, const char *end, int64_t *value);

/*
 * Parses a count that the kernel keeps in an unsigned long. The kernel prints a negative count -n
 * as 2^64 - n; number_count() reads that as -n if n is at most 2^52.
 */
enum number number_count(const char **p, const char *end, int64_t *value);

/* Parses a number in lower-case hex, and moves *p past it. */
enum number number_hex(const char **p, const char *end, uint64_t *value);

/* Parses a decimal number without a sign, and moves *p past it. */
enum number number_unsigned(const char **p, const char *end, uint64_t *value);

/* Returns "is not a number" or "is too large", to follow a field's name in a message. */
const char *number_complaint(enum number n);

/* For qsort(3) and bsearch(3) with elements of type uint64_t. */
int number_order(const void *a, const void *b);

/* Sorts numbers and removes repeated ones. Returns how many are left. */
size_t number_unique(uint64_t *of, size_t nr);

/*
 * Returns the index of the first element that is not less than `number`; `nr` if there is none. The
 * elements have `size` bytes, begin with a uint64_t, and are sorted by it.
 */
size_t number_place(const void *of, size_t nr, size_t size, uint64_t number);

/* True if all of `word` is a decimal number without a sign, of at most `most`. */
bool number_whole(const char *word, uint64_t most, uint64_t *value);

#endif
