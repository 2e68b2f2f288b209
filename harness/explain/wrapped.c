// SPDX-License-Identifier: MIT
/*
 * Recognizes negative values that were printed as unsigned: 17592186043423 in "Swap: 17592186043423
 * 0 17592186043423" is 2^64 bytes in MiB, less 993.
 */
#include "wrapped.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The binary logarithms of 2^64 bytes in bytes, in kB, in pages of 4 kB and in MiB. */
static const int powers[] = { 64, 54, 52, 44 };

/* A negative value is taken to be at most 2^-22 of the range (4 TiB) below 0. */
enum { BITS_OF_DIFFERENCE = 22 };

/*
 * free -g prints a value just below 0 as 2^34 - 1 GiB. Only values above 2^34 - 4 are taken for it,
 * because numbers of bytes or kB are multiples of 4.
 */
static const long double most_gib = 1LL << 34;

static bool is_just_below(long double value, int power, int bits)
{
	long double most = ldexpl(1, power);

	return value < most && value >= most - ldexpl(1, power - bits);
}

static bool is_wrapped(long double value)
{
	for (size_t i = 0; i < sizeof(powers) / sizeof(*powers); i++)
		if (is_just_below(value, powers[i], BITS_OF_DIFFERENCE))
			return true;
	return value < most_gib && value > most_gib - 4;
}

/* True for a value in units of 1000, rounded: "18.4EB". */
static bool is_wrapped_decimal(long double value, int thousands)
{
	for (; thousands; thousands--)
		value *= 1000;
	return value >= 18.4e18L && value < 18.46e18L;
}

/*
 * True for a value with a unit, perhaps rounded: "16E", "17592186043423Mi". "16.0Z" is 2^64 KiB: a
 * tool took bytes for KiB.
 */
static bool is_wrapped_in(long double value, const char *unit)
{
	static const char letters[] = "KMGTPEZ";
	const char *letter;
	long double bytes;

	unit += *unit == ' ' && unit[1] && unit[2] && strchr("iB", unit[2]);
	letter = *unit ? strchr(letters, *unit == 'k' ? 'K' : *unit) : NULL;
	if (!letter || (unit[1] && isalnum((unsigned char)unit[1]) && !strchr("iB", unit[1])))
		return false;
	bytes = ldexpl(value, 10 * (int)(letter - letters + 1));
	if (unit[1] == 'B' && is_wrapped_decimal(value, (int)(letter - letters + 1)))
		return true;
	return bytes == ldexpl(1, 64) || bytes == ldexpl(1, 74) || is_just_below(bytes, 64, 12);
}

/* Reads a number with or without commas; returns its end. */
static const char *read_number(const char *text, long double *value)
{
	char digits[48];
	size_t n = 0;

	for (; isdigit((unsigned char)*text) || *text == '.' || *text == ','; text++)
		if (*text != ',' && n + 1 < sizeof(digits))
			digits[n++] = *text;
	digits[n] = '\0';
	*value = strtold(digits, NULL);
	return text;
}

/* Words beside which such a number means that there is no limit: RLIMIT_RSS, shmmax, max. */
static bool is_of_limit(const char *text)
{
	static const char *const words[] = { "lim",  "LIM", "Limit=", "max", "MAX",
					     "Max=", "shm", "SHM",    "seg" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strstr(text, words[i]))
			return true;
	return false;
}

/* True for a line of /proc/PID/stat: "5555 (java) S 1 ...". */
static bool is_stat(const char *text)
{
	const char *comm = text + strspn(text, "0123456789");

	return comm > text && !strncmp(comm, " (", 2) && strchr(comm, ')');
}

/* True for a number without other text: 2^64 - 1 alone is a limit. */
static bool is_bare(const char *text)
{
	return strspn(text, "0123456789") == strlen(text);
}

bool text_has_wrapped(const char *text)
{
	if (is_of_limit(text) || is_stat(text) || is_bare(text))
		return false;
	for (const char *at = text; *at;) {
		bool begins = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
		long double value;

		if (!isdigit((unsigned char)*at)) {
			at++;
			continue;
		}
		at = read_number(at, &value);
		if (begins && (is_wrapped(value) || is_wrapped_in(value, at)))
			return true;
	}
	return false;
}
