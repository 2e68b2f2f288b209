// SPDX-License-Identifier: MIT
/*
 * After a fork, locked memory that mremap(2) has moved, and the empty mapping left behind, are
 * counted right.
 */
#include <rssck/case.h>

CASE(fuzz_dontunmap_fork) {
	.claim = "After a fork, locked memory that mremap(2) moved with MREMAP_DONTUNMAP, and the "
		 "empty mapping left behind, are counted right",
	.because = "The mapping left behind has no pages; the child inherits neither the lock nor "
		   "pages that the parent does not map.",
	.said_by = SAID_BY("proc_pid_status(5)", "proc_pid_smaps(5)"),
	.processes = 1,
	.steps = STEPS(ACT(0, "mmap r0 0..15 anon private rw"), ACT(0, "write r0 0..15"),
		       ACT(0, "mlock r0 0..15"), ACT(0, "mremap r0 0..15 to r1"), ACT(0, "fork p1"),
		       ACT(1, "write r1 0..7"), ACT(1, "munmap r1 4..7"),
		       ACT(0, "munlock r1 0..15"), ACT(0, "exit p1")),
};
