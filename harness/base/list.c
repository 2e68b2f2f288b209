// SPDX-License-Identifier: MIT
/* Reads lists of words. */
#include "list.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool has(const char *list, const char *between, const char *word,
		int (*compare)(const char *a, const char *b, size_t len))
{
	size_t len = strlen(word);

	while (list && *list) {
		size_t n = strcspn(list, between);

		if (n && n == len && !compare(list, word, n))
			return true;
		list += n;
		list += strspn(list, between);
	}
	return false;
}

bool list_has(const char *list, const char *between, const char *word)
{
	return has(list, between, word, strncmp);
}

bool list_has_in_any_case(const char *list, const char *between, const char *word)
{
	return has(list, between, word, strncasecmp);
}

bool list_next(const char **list, const char *between, char *word, size_t size)
{
	size_t len;

	if (!*list)
		return false;
	*list += strspn(*list, between);
	len = strcspn(*list, between);
	snprintf(word, size, "%.*s", (int)len, *list);
	*list += len;
	return len > 0;
}
