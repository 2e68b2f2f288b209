// SPDX-License-Identifier: MIT
/*
 * Memory that is passed to MADV_FREE, then shared by fork and paged out, is counted correctly in
 * both processes.
 */
#include <rssck/case.h>

CASE(fuzz_free_fork_page_out) {
	.claim =
		"The numbers of parent and child are right for memory that is passed to MADV_FREE, then shared by fork and paged out",
	.because = "MADV_FREE marks pages of the parent, fork(2) maps them in the child, too, and "
		   "reclaim may drop or keep each page.",
	.said_by = SAID_BY("proc_pid_status(5)", "proc_pid_smaps(5)"),
	.processes = 1,
	.steps = STEPS(ACT(0, "mmap r0 0..63 anon private rw"), ACT(0, "write r0 0..63"),
		       ACT(0, "madvise r0 0..31 FREE"), ACT(0, "fork p1"),
		       ACT(0, "madvise r0 0..63 PAGEOUT"), ACT(1, "write r0 16..47"),
		       ACT(1, "madvise r0 0..63 PAGEOUT"), ACT(0, "read r0 0..63"),
		       ACT(0, "exit p1")),
};
