// SPDX-License-Identifier: MIT
/* When mremap grows locked memory, the new part is locked and resident, too. */
#include <rssck/case.h>

/* 3 * PAGES pages of 4 KiB fit into the kernel's default RLIMIT_MEMLOCK (64 KiB up to 5.15). */
enum { PAGES = 4 };

CASE(anonymous_mremap_locked) {
	.claim = "When mremap grows locked memory, the new part is locked and resident, too; "
		 "shrinking subtracts it from VmLck and RES",
	.because = "The grown mapping keeps VM_LOCKED. mremap(2) adds the new pages to "
		   "locked_vm, and mm_populate() faults them in.",
	.said_by = SAID_BY("mremap(2)", "mlock(2)"),
	.steps = STEPS(
		STEP("map and lock", step_map_locked, .pages = PAGES,
		     MOVES(VIRT_DATA(PAGES), VIRT_LOCKED(PAGES), ANON_LOCKED(PAGES))),
		STEP("grow", step_remap, .pages = PAGES, .becomes = 3 * PAGES,
		     MOVES(VIRT_DATA(2 * PAGES), VIRT_LOCKED(2 * PAGES), ANON_LOCKED(2 * PAGES))),
		STEP("shrink", step_remap, .pages = 3 * PAGES, .becomes = PAGES,
		     MOVES(VIRT_DATA(-2 * PAGES), VIRT_LOCKED(-2 * PAGES),
			   ANON_LOCKED(-2 * PAGES))),
		STEP("grow in place", step_grow_in_place, .pages = PAGES, .becomes = 2 * PAGES,
		     MOVES(VIRT_DATA(PAGES), VIRT_LOCKED(PAGES), ANON_LOCKED(PAGES)))),
};
