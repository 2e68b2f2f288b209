// SPDX-License-Identifier: MIT
/* MREMAP_DONTUNMAP moves the pages and leaves an empty mapping behind. */
#include <rssck/case.h>

enum { PAGES = 256, OLD = 0, NEW = 1 };

static void move(struct workload *w)
{
	size_t bytes = PAGES * w->page_size;
	void *p = mremap(w->slot[OLD], bytes, bytes, MREMAP_MAYMOVE | MREMAP_DONTUNMAP, NULL);

	if (p == MAP_FAILED)
		workload_skip(w, "MREMAP_DONTUNMAP: %m");
	workload_remember(w, p, bytes);
	w->slot[NEW] = p;
}

CASE(anonymous_mremap_dontunmap) {
	.claim =
		"MREMAP_DONTUNMAP adds the mapping's size to VIRT and DATA and does not change RES: the old mapping stays and is empty",
	.because = "The page table entries move to the new mapping. The old mapping keeps its "
		   "address space, and the next write to a page there faults in a new page.",
	.said_by = SAID_BY("mremap(2), MREMAP_DONTUNMAP"),
	.steps = STEPS(STEP("write", step_map, .slot = OLD, ALL_WRITTEN(PAGES)),
		       STEP("move, keep the mapping", move, MOVES(VIRT_DATA(PAGES))),
		       STEP("write the moved pages", step_rewrite, .slot = NEW, .pages = PAGES,
			    .checks = 1),
		       STEP("write the old mapping", step_write, .slot = OLD, .pages = PAGES,
			    MOVES(ANON_WRITE(PAGES)))),
};
