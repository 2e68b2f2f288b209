// SPDX-License-Identifier: MIT
/*
 * Shared memory is counted correctly in two processes that protect, page out, collapse and unmap
 * it.
 */
#include <rssck/case.h>

CASE(fuzz_shared_grow) {
	.claim = "The numbers of two processes stay right while they protect, page out, collapse "
		 "and unmap shared memory",
	.because =
		"Page cache belongs to its file. Each process counts the pages that its own page "
		"tables map.",
	.said_by = SAID_BY("proc_pid_status(5)", "proc_pid_smaps(5)"),
	.processes = 1,
	.steps = STEPS(ACT(0, "mmap r0 0..511 huge shared rw"), ACT(0, "write r0 0..255"),
		       ACT(0, "fork p1"), ACT(1, "write r0 128..511"),
		       ACT(1, "mprotect r0 0..63 r"), ACT(0, "madvise r0 0..511 PAGEOUT"),
		       ACT(0, "read r0 0..63"), ACT(0, "madvise r0 0..511 COLLAPSE"),
		       ACT(1, "madvise r0 32..95 DONTNEED"), ACT(0, "munmap r0 256..511")),
};
