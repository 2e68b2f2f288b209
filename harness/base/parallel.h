// SPDX-License-Identifier: MIT
/* Processes many items on all CPUs: the kernel's page table walks take most of scan's time. */
#ifndef RSSCK_PARALLEL_H
#define RSSCK_PARALLEL_H

#include <stddef.h>

struct parallel {
	size_t nr;         /* items */
	size_t per_thread; /* no thread is started for fewer items */
	size_t own;        /* bytes of private state for each thread, initially zero */
	int (*item)(size_t i, void *own, void *arg); /* 0, or a negative errno, which stops all
						      * threads */
	void (*end)(void *own, void *arg); /* called for each thread, never concurrently; or NULL */
	void *arg;
};

/*
 * Calls item() for each number below `nr`. The calling thread takes part, alone if no other can be
 * started. Returns 0, or the first error.
 */
int parallel_run(const struct parallel *p);

#endif
