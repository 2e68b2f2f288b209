// SPDX-License-Identifier: MIT
/* Shared memory that is protected, paged out, collapsed and unmapped in two processes is
 * counted right. */
#include <rssck/case.h>

CASE(fuzz_shared_grow) {
	.claim =
		"Shared memory that is protected, paged out, collapsed and unmapped in two processes is counted right",
	.because =
		"Page cache belongs to its file: each process counts what its own page tables map of it.",
	.said_by = SAID_BY("proc_pid_status(5)", "proc_pid_smaps(5)"),
	.processes = 1,
	.steps = STEPS(ACT(0, "mmap r0 0..511 huge shared rw"), ACT(0, "write r0 0..255"),
		       ACT(0, "fork p1"), ACT(1, "write r0 128..511"),
		       ACT(1, "mprotect r0 0..63 r"), ACT(0, "madvise r0 0..511 PAGEOUT"),
		       ACT(0, "read r0 0..63"), ACT(0, "madvise r0 0..511 COLLAPSE"),
		       ACT(1, "madvise r0 32..95 DONTNEED"), ACT(0, "munmap r0 256..511")),
};
