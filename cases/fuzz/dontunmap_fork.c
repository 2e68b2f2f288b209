// SPDX-License-Identifier: MIT
/*
 * Forks after mremap has moved locked memory. An earlier version of this case used
 * MREMAP_DONTUNMAP, hence its name.
 */
#include <rssck/case.h>

CASE(fuzz_dontunmap_fork) {
	.claim =
		"After a fork, the numbers are right for locked memory that mremap has moved: the child inherits the pages, and not the lock",
	.because =
		"mremap(2) moves the pages and the lock, and leaves no mapping behind. dup_mmap() clears the lock of the child's mapping.",
	.said_by = SAID_BY("proc_pid_status(5)", "proc_pid_smaps(5)"),
	.processes = 1,
	.steps = STEPS(ACT(0, "mmap r0 0..15 anon private rw"), ACT(0, "write r0 0..15"),
		       ACT(0, "mlock r0 0..15"), ACT(0, "mremap r0 0..15 to r1"), ACT(0, "fork p1"),
		       ACT(1, "write r1 0..7"), ACT(1, "munmap r1 4..7"),
		       ACT(0, "munlock r1 0..15"), ACT(0, "exit p1")),
};
