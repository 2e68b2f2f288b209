// SPDX-License-Identifier: MIT
/*
 * Reads the words that the host gave the guest on its way.
 */
#include "arguments.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WORDS_MAX = 4096 };

char **words_read(const char *path, char *first)
{
	char **words = calloc(WORDS_MAX + 2, sizeof(*words)), *text;
	int nr = 0, fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	ssize_t length;

	if (fd < 0 || fstat(fd, &st) || !words || !(text = calloc(1, st.st_size + 1)))
		return NULL;
	length = read(fd, text, st.st_size);
	close(fd);
	if (first)
		words[nr++] = first;
	for (char *at = text; at < text + length && nr <= WORDS_MAX; at += strlen(at) + 1)
		words[nr++] = at;
	return words;
}
