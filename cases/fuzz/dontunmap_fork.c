// SPDX-License-Identifier: MIT
/*
 * After a fork, both are counted correctly: locked memory that MREMAP_DONTUNMAP moved, and the
 * empty mapping that it left behind.
 */
#include <rssck/case.h>

CASE(fuzz_dontunmap_fork) {
	.claim = "After a fork, the numbers are right for locked memory that MREMAP_DONTUNMAP "
		 "moved, and for the empty mapping that it left behind",
	.because = "The mapping left behind has no pages. The child inherits neither the lock "
		   "nor pages that its parent does not map.",
	.said_by = SAID_BY("proc_pid_status(5)", "proc_pid_smaps(5)"),
	.processes = 1,
	.steps = STEPS(ACT(0, "mmap r0 0..15 anon private rw"), ACT(0, "write r0 0..15"),
		       ACT(0, "mlock r0 0..15"), ACT(0, "mremap r0 0..15 to r1"), ACT(0, "fork p1"),
		       ACT(1, "write r1 0..7"), ACT(1, "munmap r1 4..7"),
		       ACT(0, "munlock r1 0..15"), ACT(0, "exit p1")),
};
