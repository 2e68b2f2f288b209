// SPDX-License-Identifier: MIT
/* mremap of locked memory keeps it in VmLck; the part that it adds is locked and resident. */
#include <rssck/case.h>

/* Below the smallest RLIMIT_MEMLOCK in use, 64 KiB. */
enum { PAGES = 4, REGION = 0 };

/* The address space that was cut off by shrinking is free again. */
static void grow_in_place(struct workload *w)
{
	workload_remap(w, w->slot[REGION], PAGES, 2 * PAGES, 0, NULL);
}

CASE(anonymous_mremap_locked) {
	.claim = "When mremap grows locked memory, the new part is locked and resident, too; "
		 "shrinking gives both back",
	.because = "The grown mapping keeps VM_LOCKED: locked_vm rises by what is added, and "
		   "mm_populate() faults it in.",
	.said_by = SAID_BY("mremap(2)", "mlock(2)"),
	.steps = STEPS(STEP("map and lock", step_map_locked, .pages = PAGES,
			    MOVES(VIRT_DATA(PAGES), VIRT_LOCKED(PAGES), ANON_LOCKED(PAGES))),
		       STEP("grow", step_remap, .pages = PAGES, .becomes = 3 * PAGES,
			    MOVES(VIRT_DATA(2 * PAGES), VIRT_LOCKED(2 * PAGES),
				  ANON_LOCKED(2 * PAGES))),
		       STEP("shrink", step_remap, .pages = 3 * PAGES, .becomes = PAGES,
			    MOVES(VIRT_DATA(-2 * PAGES), VIRT_LOCKED(-2 * PAGES),
				  ANON_LOCKED(-2 * PAGES))),
		       STEP("grow in place", grow_in_place,
			    MOVES(VIRT_DATA(PAGES), VIRT_LOCKED(PAGES), ANON_LOCKED(PAGES)))),
};
