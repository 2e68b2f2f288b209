// SPDX-License-Identifier: MIT
/* When mremap() grows a mapping in place, VIRT and DATA rise by the growth. */
#include <rssck/case.h>

enum { PAGES = 256, KEPT = 64, GROWN = 96, REGION = 0 };

static void map_and_make_room(struct workload *w)
{
	char *p = workload_anonymous(w, PAGES);

	touch_write(w, p, KEPT);
	munmap(p + KEPT * w->page_size, (PAGES - KEPT) * w->page_size);
	w->slot[REGION] = p;
}

CASE(virtual_grow_in_place) {
	.claim =
		"A mapping that grows in place adds the growth to VIRT and DATA; writing the new pages adds them to RES",
	.because = "mremap() without MREMAP_MAYMOVE extends the VMA, and calls vm_stat_account() "
		   "for the new part only.",
	.said_by = SAID_BY("mremap(2)"),
	.steps = STEPS(STEP("map, keep a quarter", map_and_make_room,
			    MOVES(VIRT_DATA(KEPT), ANON_WRITE(KEPT))),
		       STEP("grow in place", step_grow_in_place, .pages = KEPT, .becomes = GROWN,
			    MOVES(VIRT_DATA(GROWN - KEPT))),
		       STEP("touch the new part", step_write, .first = KEPT, .pages = GROWN - KEPT,
			    MOVES(ANON_WRITE(GROWN - KEPT)))),
};
