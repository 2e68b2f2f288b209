// SPDX-License-Identifier: MIT
/* The program's own memory. */
#include "memory.h"
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A whole check uses 3 MiB; the rest is address space only. */
enum { HEAP_BYTES = 32 << 20, HEAP_LEAST = 1 << 20 };

void (*memory_gone_hook)(const char *sentence);

/* glibc's heap can be set to grow in large steps and never to shrink; musl's cannot. */
#ifdef __GLIBC__
static void heap_set(int what, int value)
{
	mallopt(what, value);
}
#else
enum { M_MMAP_MAX, M_TRIM_THRESHOLD, M_TOP_PAD };

static void heap_set(int what, int value)
{
	(void)what;
	(void)value;
}
#endif

void memory_prepare(void)
{
	/* clang removes a malloc() whose result is only freed. */
	void *volatile p = NULL;

	heap_set(M_MMAP_MAX, 0);
	heap_set(M_TRIM_THRESHOLD, INT_MAX);
	/* RLIMIT_AS may be too small for that. */
	for (int bytes = HEAP_BYTES; !p && bytes >= HEAP_LEAST; bytes /= 2) {
		heap_set(M_TOP_PAD, bytes);
		p = malloc((size_t)bytes);
	}
	heap_set(M_TOP_PAD, HEAP_LEAST);
	free(p);
}

void memory_gone(const char *what)
{
	char sentence[200];
	int n = snprintf(sentence, sizeof(sentence), "rssck has no memory left for %s", what);

	if (memory_gone_hook)
		memory_gone_hook(sentence);
	/* Not with stdio, because streams allocate. */
	if (write(STDERR_FILENO, sentence, (size_t)n) == n)
		n = (int)write(STDERR_FILENO, "; free some memory\n", 19);
	_exit(2);
}
