// SPDX-License-Identifier: MIT
/* mremap moves page tables: growing, moving and shrinking keep resident pages. */
#include <rssck/case.h>

enum { PAGES = 128, REGION = 0, TARGET = 1 };

/* Onto the target: the mapping there is unmapped. */
static void move(struct workload *w)
{
	const volatile char *p = w->slot[TARGET];

	workload_forget(w, w->slot[TARGET]);
	w->slot[REGION] = workload_remap(w, w->slot[REGION], 2 * PAGES, 2 * PAGES,
					 MREMAP_MAYMOVE | MREMAP_FIXED, w->slot[TARGET]);
	if (p[2 * w->page_size] != 3)
		workload_fail(w, "the content did not move with the pages");
}

CASE(anonymous_mremap_grow_move) {
	.claim = "mremap keeps the pages that it moves resident: only the address space that it "
		 "adds or removes counts",
	.because = "move_page_tables() carries the entries to their new place; no page is copied "
		   "and no counter changes. Shrinking, and moving over another mapping, unmap.",
	.said_by = SAID_BY("mremap(2)"),
	.steps = STEPS(STEP("write", step_map, .slot = REGION, .pages = PAGES, .written = PAGES,
			    MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		       STEP("grow", step_remap, .slot = REGION, .pages = PAGES,
			    .becomes = 2 * PAGES, MOVES(VIRT_DATA(PAGES))),
		       STEP("write the new half", step_write, .slot = REGION, .first = PAGES,
			    .pages = PAGES, MOVES(ANON_WRITE(PAGES))),
		       STEP("another mapping, half written", step_map, .slot = TARGET,
			    .pages = 2 * PAGES, .written = PAGES,
			    MOVES(VIRT_DATA(2 * PAGES), ANON_WRITE(PAGES))),
		       STEP("move over it", move, MOVES(VIRT_DATA(-2 * PAGES), ANON_WRITE(-PAGES))),
		       STEP("shrink", step_remap, .slot = REGION, .pages = 2 * PAGES,
			    .becomes = PAGES / 2,
			    MOVES(VIRT_DATA(-(2 * PAGES - PAGES / 2)),
				  ANON_WRITE(-(2 * PAGES - PAGES / 2))))),
};
