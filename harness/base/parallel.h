// SPDX-License-Identifier: MIT
/* The same work on many items, on all CPUs: most of scan's time is the kernel's, walking page
 * tables. */
#ifndef RSSCK_PARALLEL_H
#define RSSCK_PARALLEL_H

#include <stddef.h>

struct parallel {
	size_t nr;         /* items */
	size_t per_thread; /* for fewer items no thread is started */
	size_t own;        /* bytes that each thread has to itself, zero at first */
	int (*item)(size_t i, void *own, void *arg); /* 0, or a negative errno, which ends all */
	void (*end)(void *own, void *arg); /* of a thread, never two at the same time; or NULL */
	void *arg;
};

/*
 * Call item() for each number below `nr`. The calling thread takes part; where no other can be
 * started it is alone. Returns 0, or the first error.
 */
int parallel_run(const struct parallel *p);

#endif
