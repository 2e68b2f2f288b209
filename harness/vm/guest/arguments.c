// SPDX-License-Identifier: MIT
/* Reads the guest's arguments from a file that the host has put into the initramfs. */
#include "guest.h"
#include <rssck/source.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 4096 };

char **arguments_read(const char *path, char *first)
{
	char **words = calloc(WORDS_MAX + 2, sizeof(*words));
	struct text t = { .data = NULL };
	int nr = 0;

	if (!words || text_read(&t, 0, path))
		return NULL;
	if (first)
		words[nr++] = first;
	for (char *at = t.data; at < t.data + t.len && nr <= WORDS_MAX; at += strlen(at) + 1)
		words[nr++] = at;
	return words;
}
