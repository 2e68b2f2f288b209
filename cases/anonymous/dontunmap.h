// SPDX-License-Identifier: MIT
/* Measures VmLck after MREMAP_DONTUNMAP of locked memory, for each way to move it. */
#ifndef CASES_ANONYMOUS_DONTUNMAP_H
#define CASES_ANONYMOUS_DONTUNMAP_H

#include <rssck/case.h>

/* Below the smallest RLIMIT_MEMLOCK in use, 64 KiB. */
enum { PAGES = 4, LEFT = 16, NOT_HERE = 255 };

/* VmLck after the move, plus LEFT times what remains of it when both mappings are unmapped. */
static inline int dontunmap_locked(const struct workload *w, void *from, void *to)
{
	size_t bytes = PAGES * w->page_size;
	int64_t locked;

	if (to == MAP_FAILED)
		return NOT_HERE;
	locked = workload_status_pages(w, "VmLck");
	munmap(from, bytes);
	munmap(to, bytes);
	return (int)(locked + LEFT * workload_status_pages(w, "VmLck"));
}

/* In a process of its own: a wrong count stays wrong as long as the process lives. */
static inline void dontunmap_measure(struct workload *w, int (*move)(const struct workload *w))
{
	int locked = workload_in_child(w, move);

	if (locked == NOT_HERE)
		workload_skip(w, "MREMAP_DONTUNMAP of locked memory (Linux 5.7, RLIMIT_MEMLOCK)");
	workload_report(w, "locked", locked % LEFT);
	workload_report(w, "left", locked / LEFT);
}

#endif
