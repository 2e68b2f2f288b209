// SPDX-License-Identifier: MIT
/*
 * Processes many items on all CPUs that this process may use, in at most 16 threads. scan needs
 * this because the kernel's page table walks take most of its time.
 */
#ifndef RSSCK_PARALLEL_H
#define RSSCK_PARALLEL_H

#include <stddef.h>

struct parallel {
	size_t nr;         /* number of items */
	size_t per_thread; /* at most nr / per_thread threads take part, at least the calling one */
	size_t own;        /* bytes of private state for each thread, initially zero */
	int (*item)(size_t i, void *own,
		    void *arg); /* returns 0 or a negative errno; an error stops all threads */
	void (*end)(void *own,
		    void *arg); /* called once for each thread, one at a time; may be NULL */
	void *arg;
};

/*
 * Calls item() for each number below `nr`, from several threads if possible. The calling thread is
 * one of them. Returns 0, or the first error.
 */
int parallel_run(const struct parallel *p);

#endif
