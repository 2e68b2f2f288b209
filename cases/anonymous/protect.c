// SPDX-License-Identifier: MIT
/* mprotect moves address space into and out of DATA and changes no resident page. */
#include <rssck/case.h>

enum { PAGES = 240, PART = PAGES / 3 };

static void protect_and_read(struct workload *w)
{
	step_protect(w);
	step_read_back(w);
}

static void protect_and_write(struct workload *w)
{
	step_protect(w);
	step_rewrite(w);
}

CASE(anonymous_protect) {
	.claim =
		"Resident pages of private memory stay in RES when mprotect makes them inaccessible (PROT_NONE), read-only or writable; the only size that mprotect then changes is DATA",
	.because = "change_protection() rewrites the entries of present pages, and a PROT_NONE "
		   "entry still counts as present. mprotect_fixup() adds the mapping's pages to "
		   "data_vm or subtracts them.",
	.said_by = SAID_BY("mprotect(2)", "proc_pid_statm(5), data"),
	.steps = STEPS(STEP("write", step_map, ALL_WRITTEN(PAGES)),
		       STEP("middle PROT_NONE", step_protect, .first = PART, .pages = PART,
			    .prot = PROT_NONE, MOVES(DATA_TO_OTHER(PART))),
		       STEP("last PROT_READ", step_protect, .first = 2 * PART, .pages = PART,
			    .prot = PROT_READ, MOVES(DATA_TO_OTHER(PART))),
		       STEP("all PROT_READ, read", protect_and_read, .pages = PAGES,
			    .prot = PROT_READ, .checks = 1, MOVES(DATA_TO_OTHER(PART))),
		       STEP("all writable, written", protect_and_write, .pages = PAGES,
			    .prot = PROT_READ | PROT_WRITE, .checks = 1,
			    MOVES(DATA_TO_OTHER(-PAGES)))),
};
