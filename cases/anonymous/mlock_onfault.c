// SPDX-License-Identifier: MIT
/*
 * MLOCK_ONFAULT locks the whole range, but makes no page resident: Locked grows as pages are
 * touched.
 */
#include <rssck/case.h>

/* PAGES pages of 4 KiB fit into the kernel's default RLIMIT_MEMLOCK (64 KiB up to 5.15). */
enum { PAGES = 12, HALF = PAGES / 2, REGION = 0 };

static void lock(struct workload *w)
{
	if (syscall(SYS_mlock2, w->slot[REGION], PAGES * w->page_size, MLOCK_ONFAULT) < 0)
		workload_skip(w, "mlock2: %m");
}

CASE(anonymous_mlock_onfault) {
	.claim =
		"MLOCK_ONFAULT raises VmLck by the whole range and makes no page resident; Locked rises as pages are written. A second mlock adds nothing to VmLck; munlock and munmap subtract the range",
	.because =
		"With VM_LOCKONFAULT mlock2(2) does not populate the range. locked_vm counts its "
		"address space; Locked in smaps is the Pss of its pages. mlock_fixup() adds "
		"nothing for a mapping that already has VM_LOCKED.",
	.said_by = SAID_BY("mlock2(2), MLOCK_ONFAULT"),
	.steps = STEPS(STEP("map and write one", step_map, .pages = PAGES, .written = 1,
			    MOVES(VIRT_DATA(PAGES), ANON_WRITE(1))),
		       STEP("mlock2", lock,
			    MOVES(VIRT_LOCKED(PAGES), ANON_WRITE(-1), ANON_LOCKED(1))),
		       STEP("write all", step_write, .pages = PAGES, MOVES(ANON_LOCKED(PAGES - 1))),
		       STEP("mlock without ONFAULT", step_lock, .pages = PAGES),
		       STEP("munlock", step_unlock, .pages = PAGES,
			    MOVES(VIRT_LOCKED(-PAGES), ANON_LOCKED(-PAGES), ANON_WRITE(PAGES))),
		       STEP("mlock2 again", lock, MOVES(ANON_TO_LOCKED(PAGES))),
		       STEP("unmap the second half", step_unmap, .first = HALF, .pages = HALF,
			    MOVES(VIRT_DATA(-HALF), VIRT_LOCKED(-HALF), ANON_LOCKED(-HALF))),
		       STEP("unmap the first half", step_unmap, .pages = HALF,
			    MOVES(VIRT_DATA(-HALF), VIRT_LOCKED(-HALF), ANON_LOCKED(-HALF)))),
};
