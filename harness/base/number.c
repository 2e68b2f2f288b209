// SPDX-License-Identifier: MIT
/*
 * Parses numbers. For the simple formats of /proc this is several times faster than scanf(), and it
 * reports why a number is invalid.
 */
#include "number.h"
#include <stdlib.h>
#include <string.h>

/*
 * The kernel may print a count below 0 as a huge unsigned number. A count at most this far below 0
 * is read as negative; the limit suits bytes, kB and pages.
 */
static const uint64_t NUMBER_FALLEN_MOST = UINT64_C(1) << 52;

enum number number_unsigned(const char **p, const char *end, uint64_t *value)
{
	const char *start = *p;
	uint64_t n = 0;
	bool fits = true;

	for (; *p < end && **p >= '0' && **p <= '9'; ++*p)
		if (__builtin_mul_overflow(n, 10u, &n) ||
		    __builtin_add_overflow(n, (unsigned)(**p - '0'), &n))
			fits = false;
	*value = n;
	if (*p == start)
		return NUMBER_NONE;
	return fits ? NUMBER_OK : NUMBER_TOO_LARGE;
}

enum number number_signed(const char **p, const char *end, int64_t *value)
{
	bool negative = *p < end && **p == '-';
	uint64_t n;
	enum number got;

	*p += negative;
	*value = 0;
	got = number_unsigned(p, end, &n);
	if (got != NUMBER_OK)
		return got;
	if (n > (uint64_t)INT64_MAX)
		return NUMBER_TOO_LARGE;
	*value = negative ? -(int64_t)n : (int64_t)n;
	return NUMBER_OK;
}

enum number number_count(const char **p, const char *end, int64_t *value)
{
	const char *start = *p;
	enum number got = number_signed(p, end, value);
	uint64_t n;

	if (got != NUMBER_TOO_LARGE || *start == '-')
		return got;
	*p = start;
	got = number_unsigned(p, end, &n);
	if (got != NUMBER_OK || -n > NUMBER_FALLEN_MOST)
		return NUMBER_TOO_LARGE;
	*value = (int64_t)n;
	return NUMBER_OK;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

enum number number_hex(const char **p, const char *end, uint64_t *value)
{
	const char *start = *p;
	uint64_t n = 0;
	bool fits = true;

	for (; *p < end && hex_digit(**p) >= 0; ++*p) {
		fits &= n >> 60 == 0;
		n = n << 4 | (uint64_t)hex_digit(**p);
	}
	*value = n;
	if (*p == start)
		return NUMBER_NONE;
	return fits ? NUMBER_OK : NUMBER_TOO_LARGE;
}

const char *number_complaint(enum number n)
{
	return n == NUMBER_TOO_LARGE ? "is too large" : "is not a number";
}

bool number_whole(const char *word, uint64_t most, uint64_t *value)
{
	const char *p = word, *end = word + strlen(word);

	return number_unsigned(&p, end, value) == NUMBER_OK && p == end && *value <= most;
}

int number_order(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

size_t number_unique(uint64_t *of, size_t nr)
{
	size_t n = 0;

	if (nr)
		qsort(of, nr, sizeof(*of), number_order);
	for (size_t i = 0; i < nr; i++)
		if (!n || of[n - 1] != of[i])
			of[n++] = of[i];
	return n;
}

size_t number_place(const void *of, size_t nr, size_t size, uint64_t number)
{
	size_t low = 0, high = nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (*(const uint64_t *)((const char *)of + mid * size) < number)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}
