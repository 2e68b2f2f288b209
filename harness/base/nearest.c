// SPDX-License-Identifier: MIT
/* Finds names similar to a mistyped one. */
#include "nearest.h"
#include <stddef.h>
#include <string.h>

enum { LENGTH_MOST = 64 };

static unsigned min(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

unsigned edit_distance(const char *a, const char *b)
{
	unsigned row[3][LENGTH_MOST + 1]; /* for the last three prefixes of a */
	size_t la = strlen(a), lb = strnlen(b, LENGTH_MOST);

	for (unsigned j = 0; j <= lb; j++)
		row[0][j] = j;
	for (size_t i = 1; i <= la; i++) {
		unsigned *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];

		now[0] = (unsigned)i;
		for (size_t j = 1; j <= lb; j++) {
			now[j] = min(min(last[j], now[j - 1]) + 1,
				     last[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				now[j] = min(now[j], before[j - 2] + 1);
		}
	}
	return row[la % 3][lb];
}

const char *nearest_word(const char *word, const char *const *list)
{
	unsigned best = (unsigned)strlen(word) / 3 + 2;
	const char *nearest = NULL;

	for (size_t i = 0; list[i]; i++) {
		unsigned d = edit_distance(word, list[i]);

		if (d >= best)
			continue;
		best = d;
		nearest = list[i];
	}
	return nearest;
}
