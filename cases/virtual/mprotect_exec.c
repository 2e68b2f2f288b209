// SPDX-License-Identifier: MIT
/*
 * Memory that becomes executable and read-only moves from DATA to VmLib, and its pages stay
 * anonymous.
 */
#include <rssck/case.h>

enum { PAGES = 128 };
STEP_SYMBOLS(WRITE, WRITABLE_AND_EXECUTABLE);

static void judge(const struct trial *t, struct judgement *j)
{
	const struct mapping *m = trial_mapping(t, WRITABLE_AND_EXECUTABLE, 0, WRITE, "address");

	if (trial_snapshot(t, WRITABLE_AND_EXECUTABLE, 0))
		judge_true(j, WRITABLE_AND_EXECUTABLE, m && m->writable && m->executable,
			   "maps shows the protection");
}

CASE(virtual_mprotect_exec) {
	.claim = "Written memory that becomes executable and read-only, as in JIT compilers, moves "
		 "from DATA to VmLib and stays RssAnon; memory that is writable and executable is "
		 "DATA",
	.because = "exec_vm counts mappings that are executable and not writable, whatever they "
		   "map. mprotect_fixup() moves the mapping's pages from one total to the other.",
	.said_by = SAID_BY("proc_pid_status(5), VmLib"),
	.steps = STEPS(STEP_AS(WRITE, "write", step_map, ALL_WRITTEN(PAGES), .report = "address"),
		       STEP("half executable", step_protect, .pages = PAGES / 2,
			    .prot = PROT_READ | PROT_EXEC, MOVES(DATA_TO_EXEC(PAGES / 2))),
		       STEP("all executable", step_protect, .pages = PAGES,
			    .prot = PROT_READ | PROT_EXEC, MOVES(DATA_TO_EXEC(PAGES / 2))),
		       STEP("readable", step_protect, .pages = PAGES, .prot = PROT_READ,
			    MOVES(VIRT_EXEC(-PAGES), VIRT_OTHER(PAGES))),
		       STEP("writable", step_protect, .pages = PAGES,
			    .prot = PROT_READ | PROT_WRITE, MOVES(DATA_TO_OTHER(-PAGES))),
		       STEP_AS(WRITABLE_AND_EXECUTABLE, "writable and executable",
			       step_make_writable_text, .pages = PAGES),
		       STEP("unmap the region", step_unmap, .pages = PAGES,
			    MOVES(VIRT_DATA(-PAGES), ANON_WRITE(-PAGES)))),
	.judge = judge,
};
