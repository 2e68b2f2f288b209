// SPDX-License-Identifier: MIT
/* Functions that grow the main thread's stack. */
#ifndef CASES_ANONYMOUS_STACK_H
#define CASES_ANONYMOUS_STACK_H

#include <rssck/case.h>

/* 512 KiB is deeper than any stack that a step or the engine uses. */
enum { DEEP = 512 << 10, EDGE = 0 };

static inline void reach_down(struct workload *w)
{
	w->slot[EDGE] = workload_stack_down(w, DEEP);
}

static inline void grow_down(struct workload *w)
{
	volatile char *edge = w->slot[EDGE];

	for (size_t i = 1; i <= w->step->pages; i++)
		edge[-(ptrdiff_t)(i * w->page_size)] = 1;
}

#endif
