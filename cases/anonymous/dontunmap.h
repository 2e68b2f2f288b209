// SPDX-License-Identifier: MIT
/*
 * Measures VmLck after MREMAP_DONTUNMAP of locked memory; each case moves the memory in a different
 * way.
 */
#ifndef CASES_ANONYMOUS_DONTUNMAP_H
#define CASES_ANONYMOUS_DONTUNMAP_H

#include <rssck/case.h>

/* PAGES pages of up to 16 KiB fit into the kernel's default RLIMIT_MEMLOCK (64 KiB up to 5.15). */
enum { PAGES = 4, LEFT = 16, NOT_HERE = 255 };
STEP_SYMBOLS(MOVE);

/*
 * Returns VmLck in pages after the move, plus LEFT times VmLck in pages after both mappings are
 * unmapped; NOT_HERE if `to` is MAP_FAILED.
 */
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

/* Each case defines this function, which moves locked memory and returns dontunmap_locked(). */
static int move_locked(const struct workload *w);

/*
 * Calls move_locked() in a child process, because a wrong VmLck stays wrong until the process ends.
 */
static inline void measure(struct workload *w)
{
	int locked = workload_in_child(w, move_locked);

	if (locked == NOT_HERE)
		workload_skip(w, "MREMAP_DONTUNMAP of locked memory (Linux 5.7, RLIMIT_MEMLOCK)");
	workload_report(w, "locked", locked % LEFT);
	workload_report(w, "left", locked / LEFT);
}

#endif
