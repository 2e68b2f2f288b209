// SPDX-License-Identifier: MIT
/* mprotect moves address space between DATA and the rest, never a resident page. */
#include <rssck/case.h>

enum { PAGES = 240, PART = PAGES / 3, REGION = 0 };

static void map_and_write(struct workload *w)
{
	w->slot[REGION] = workload_written(w, PAGES);
}

static void protect(struct workload *w, size_t first, size_t pages, int prot)
{
	if (mprotect((char *)w->slot[REGION] + first * w->page_size, pages * w->page_size, prot) <
	    0)
		workload_die(w, "mprotect: %m");
}

static void middle_none(struct workload *w)
{
	protect(w, PART, PART, PROT_NONE);
}

static void last_readable(struct workload *w)
{
	protect(w, 2 * PART, PART, PROT_READ);
}

static void all_readable(struct workload *w)
{
	protect(w, 0, PAGES, PROT_READ);
	touch_read(w, w->slot[REGION], PAGES);
}

static void all_writable(struct workload *w)
{
	protect(w, 0, PAGES, PROT_READ | PROT_WRITE);
	touch_write(w, w->slot[REGION], PAGES);
}

CASE(anonymous_protect) {
	.claim = "Resident pages stay in RES under any protection, even PROT_NONE; only DATA "
		 "follows mprotect",
	.because = "change_protection() rewrites the entries of present pages, and a PROT_NONE "
		   "entry still counts as present; mprotect_fixup() moves the mapping's pages into "
		   "or out of data_vm.",
	.said_by = SAID_BY("mprotect(2)", "proc_pid_statm(5), data"),
	.steps = STEPS(STEP("write", map_and_write, MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		       STEP("middle PROT_NONE", middle_none, MOVES(DATA_TO_OTHER(PART))),
		       STEP("last PROT_READ", last_readable, MOVES(DATA_TO_OTHER(PART))),
		       STEP("all PROT_READ, read", all_readable, MOVES(DATA_TO_OTHER(PART))),
		       STEP("all writable, written", all_writable, MOVES(DATA_TO_OTHER(-PAGES)))),
};
