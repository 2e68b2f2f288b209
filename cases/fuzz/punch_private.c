// SPDX-License-Identifier: MIT
/*
 * All numbers stay right when a file with private copies is punched and truncated while a child
 * maps it.
 */
#include <rssck/case.h>

CASE(fuzz_punch_private) {
	.claim =
		"All numbers stay right when a file is punched and truncated while a parent and its child map it, with private copies",
	.because = "Punching a hole removes the file's pages from every page table and leaves "
		   "private copies. Truncating the file also removes the private copies beyond its "
		   "new end.",
	.said_by = SAID_BY("proc_pid_status(5)", "proc_pid_smaps(5)"),
	.processes = 1,
	.steps = STEPS(ACT(0, "mmap r0 0..31 file private rw"), ACT(0, "read r0 0..31"),
		       ACT(0, "write r0 8..15"), ACT(0, "fork p1"), ACT(0, "punch r0 4..11"),
		       ACT(1, "write r0 12..19"), ACT(0, "truncate r0 14..31"),
		       ACT(0, "read r0 0..13"), ACT(1, "munmap r0 0..15")),
};
