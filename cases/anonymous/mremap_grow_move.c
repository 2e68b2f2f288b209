// SPDX-License-Identifier: MIT
/* mremap moves page table entries: pages stay resident when a mapping grows or moves. */
#include <rssck/case.h>

enum { PAGES = 128, REGION = 0, TARGET = 1 };

static void move(struct workload *w)
{
	const volatile char *p = w->slot[TARGET];

	workload_forget(w, w->slot[TARGET]);
	w->slot[REGION] = workload_remap(w, w->slot[REGION], 2 * PAGES, 2 * PAGES,
					 MREMAP_MAYMOVE | MREMAP_FIXED, w->slot[TARGET]);
	if (p[2 * w->page_size] != 3)
		workload_fail(w, "the moved mapping has the wrong content");
}

CASE(anonymous_mremap_grow_move) {
	.claim = "Pages that mremap moves stay resident. RES falls only by pages that mremap "
		 "unmaps, and VIRT changes by the address space that it adds or unmaps",
	.because = "move_page_tables() moves the entries to the new place. It copies no page and "
		   "changes no counter. mremap unmaps what it cuts off, and what was mapped at "
		   "the new place.",
	.said_by = SAID_BY("mremap(2)"),
	.steps = STEPS(STEP("write", step_map, .slot = REGION, ALL_WRITTEN(PAGES)),
		       STEP("grow", step_remap, .slot = REGION, .pages = PAGES,
			    .becomes = 2 * PAGES, MOVES(VIRT_DATA(PAGES))),
		       STEP("write the new half", step_write, .slot = REGION, .first = PAGES,
			    .pages = PAGES, MOVES(ANON_WRITE(PAGES))),
		       STEP("a second mapping, half written", step_map, .slot = TARGET,
			    .pages = 2 * PAGES, .written = PAGES,
			    MOVES(VIRT_DATA(2 * PAGES), ANON_WRITE(PAGES))),
		       STEP("move over the second", move,
			    MOVES(VIRT_DATA(-2 * PAGES), ANON_WRITE(-PAGES))),
		       STEP("shrink", step_remap, .slot = REGION, .pages = 2 * PAGES,
			    .becomes = PAGES / 2,
			    MOVES(VIRT_DATA(-(2 * PAGES - PAGES / 2)),
				  ANON_WRITE(-(2 * PAGES - PAGES / 2))))),
};
