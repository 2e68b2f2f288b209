// SPDX-License-Identifier: MIT
/* Compares and shortens kernel releases. */
#include "release.h"
#include "base/number.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* "6.12-rc3" comes before "6.12": "-rc", or a '~', marks a version before the release. */
static int end_rank(const char *s)
{
	if (!strncmp(s, "-rc", 3) || *s == '~')
		return 0;
	return *s ? 2 : 1;
}

int release_compare(const char *a, const char *b)
{
	while (*a && *b) {
		if (is_digit(*a) && is_digit(*b)) {
			uint64_t x, y;

			number_unsigned(&a, a + strlen(a), &x);
			number_unsigned(&b, b + strlen(b), &y);
			if (x != y)
				return x < y ? -1 : 1;
			continue;
		}
		if (*a != *b && end_rank(a) != end_rank(b))
			return end_rank(a) - end_rank(b);
		/* 6.12.43 is later than 6.12-something and 6.12+something. */
		if (*a != *b && (*a == '.' || *b == '.'))
			return *a == '.' ? 1 : -1;
		if (*a != *b)
			return *a < *b ? -1 : 1;
		a++;
		b++;
	}
	return end_rank(a) - end_rank(b);
}

const char *release_short(const char *release, char *buf, size_t size)
{
	size_t len = strspn(release, "0123456789.");

	while (len && release[len - 1] == '.')
		len--;
	if (!strncmp(release + len, "-rc", 3))
		len += 3 + strspn(release + len + 3, "0123456789");
	snprintf(buf, size, "%.*s", len ? (int)len : (int)strlen(release), release);
	return buf;
}
