// SPDX-License-Identifier: MIT
/*
 * Parts of a huge page are counted correctly after they are locked, dropped, moved and shared by
 * fork.
 */
#include <rssck/case.h>

CASE(fuzz_huge_parts) {
	.claim = "The numbers are right after parts of a huge page are locked, dropped, moved and "
		 "shared by fork",
	.because =
		"Locking, dropping or moving a part of a huge page splits its mapping: one PMD entry becomes an entry for each page. fork(2) then shares the parts.",
	.said_by = SAID_BY("proc_pid_status(5)", "proc_pid_smaps(5)"),
	.processes = 1,
	.steps = STEPS(ACT(0, "mmap r0 0..1023 huge private rw"), ACT(0, "write r0 0..1023 by 16"),
		       ACT(0, "mlock r0 100..199"), ACT(0, "madvise r0 512..599 DONTNEED"),
		       ACT(0, "mremap r0 300..399 to r1"), ACT(0, "fork p1"),
		       ACT(1, "write r0 0..99"), ACT(0, "munlock r0 100..199"),
		       ACT(0, "madvise r0 0..1023 FREE"), ACT(0, "madvise r0 0..1023 COLLAPSE")),
};
