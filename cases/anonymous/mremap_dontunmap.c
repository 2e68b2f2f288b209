// SPDX-License-Identifier: MIT
/* MREMAP_DONTUNMAP takes the pages along and leaves an empty mapping behind. */
#include <rssck/case.h>

/* <sys/mman.h> of 5.7 */
enum { DONTUNMAP = 4 };

enum { PAGES = 256, OLD = 0, NEW = 1 };

static void map_and_write(struct workload *w)
{
	w->slot[OLD] = workload_written(w, PAGES);
}

static void move(struct workload *w)
{
	size_t bytes = PAGES * w->page_size;
	void *p = mremap(w->slot[OLD], bytes, bytes, MREMAP_MAYMOVE | DONTUNMAP, NULL);

	if (p == MAP_FAILED)
		workload_skip(w, "MREMAP_DONTUNMAP: %m");
	workload_remember(w, p, bytes);
	w->slot[NEW] = p;
}

static void write_new(struct workload *w)
{
	touch_write(w, w->slot[NEW], PAGES);
}

static void write_old(struct workload *w)
{
	touch_write(w, w->slot[OLD], PAGES);
}

CASE(anonymous_mremap_dontunmap) {
	.claim = "MREMAP_DONTUNMAP doubles VIRT and DATA but moves no RES: the old mapping stays, "
		 "empty",
	.because = "The page table entries move to the new mapping; the old one keeps its address "
		   "space, and faults in new pages when it is touched.",
	.said_by = SAID_BY("mremap(2), MREMAP_DONTUNMAP"),
	.steps = STEPS(STEP("write", map_and_write, MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		       STEP("move, keep the mapping", move, MOVES(VIRT_DATA(PAGES))),
		       STEP("write where the pages are", write_new),
		       STEP("write where they were", write_old, MOVES(ANON_WRITE(PAGES)))),
};
