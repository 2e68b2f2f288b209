// SPDX-License-Identifier: MIT
/* Parts of a huge page that are locked, dropped, moved and shared by a fork are counted right.
 */
#include <rssck/case.h>

CASE(fuzz_huge_parts) {
	.claim =
		"Parts of a huge page that are locked, dropped, moved and shared by a fork are counted right",
	.because = "Each of these splits the mapping of the huge page: one entry becomes 512, each "
		   "independent of the others.",
	.said_by = SAID_BY("proc_pid_status(5)", "proc_pid_smaps(5)"),
	.processes = 1,
	.steps = STEPS(ACT(0, "mmap r0 0..1023 huge private rw"), ACT(0, "write r0 0..1023 by 16"),
		       ACT(0, "mlock r0 100..199"), ACT(0, "madvise r0 512..599 DONTNEED"),
		       ACT(0, "mremap r0 300..399 to r1"), ACT(0, "fork p1"),
		       ACT(1, "write r0 0..99"), ACT(0, "munlock r0 100..199"),
		       ACT(0, "madvise r0 0..1023 FREE"), ACT(0, "madvise r0 0..1023 COLLAPSE")),
};
