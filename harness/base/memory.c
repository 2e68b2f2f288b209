// SPDX-License-Identifier: MIT
/* Reserves rssck's own heap, and grows arrays. */
#include "memory.h"
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A whole check uses about 3 MiB of the reserve. Untouched pages use no memory. */
enum { HEAP_BYTES = 32 << 20, HEAP_LEAST = 1 << 20 };

/* An array begins with room for this many elements. */
enum { LEAST = 4 };

void (*memory_gone_hook)(const char *sentence);

/* musl's malloc has no such options, so its heap may grow and shrink. */
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
	/* `volatile` keeps clang from removing a malloc() whose result is only freed. */
	void *volatile p = NULL;

	heap_set(M_MMAP_MAX, 0);
	heap_set(M_TRIM_THRESHOLD, INT_MAX);
	/* RLIMIT_AS may be too low for 32 MiB. */
	for (int bytes = HEAP_BYTES; !p && bytes >= HEAP_LEAST; bytes /= 2) {
		heap_set(M_TOP_PAD, bytes);
		p = malloc((size_t)bytes);
	}
	heap_set(M_TOP_PAD, HEAP_LEAST);
	free(p);
}

void *memory_one_more(void *of, size_t nr, size_t size, const char *what)
{
	/*
	 * The room is a power of two. If the number of elements is not, there is room for one more.
	 */
	if (nr & (nr - 1) || (nr && nr < LEAST))
		return of;
	of = reallocarray(of, nr ? 2 * nr : LEAST, size);
	if (!of)
		memory_gone(what);
	return of;
}

void memory_gone(const char *what)
{
	char sentence[200];
	int n = snprintf(sentence, sizeof(sentence), "rssck has no memory left for %s", what);

	if (memory_gone_hook)
		memory_gone_hook(sentence);
	/* write(2) is used because stdio may allocate memory. */
	if (write(STDERR_FILENO, sentence, (size_t)n) == n)
		n = (int)write(STDERR_FILENO, "; free some memory\n", 19);
	_exit(2);
}
