// SPDX-License-Identifier: MIT
/* Memory that is made executable moves from DATA to VmLib, and its pages stay anonymous. */
#include <rssck/case.h>

enum { PAGES = 128, REGION = 0 };

static void map_and_write(struct workload *w)
{
	w->slot[REGION] = workload_written(w, PAGES);
}

static void protect(struct workload *w, size_t pages, int prot)
{
	/* A security module may refuse executable memory. */
	if (mprotect(w->slot[REGION], pages * w->page_size, prot) < 0)
		workload_skip(w, "mprotect to %#x: %m", prot);
}

static void half_executable(struct workload *w)
{
	protect(w, PAGES / 2, PROT_READ | PROT_EXEC);
}

static void all_executable(struct workload *w)
{
	protect(w, PAGES, PROT_READ | PROT_EXEC);
}

static void readable(struct workload *w)
{
	protect(w, PAGES, PROT_READ);
}

static void writable(struct workload *w)
{
	protect(w, PAGES, PROT_READ | PROT_WRITE);
}

static void writable_too(struct workload *w)
{
	if (mprotect(w->slot[REGION], PAGES * w->page_size, PROT_READ | PROT_WRITE | PROT_EXEC) < 0)
		workload_skip_step(w, "mprotect to writable and executable: %m");
}

static void unmap(struct workload *w)
{
	munmap(w->slot[REGION], PAGES * w->page_size);
	workload_forget(w, w->slot[REGION]);
}

CASE(virtual_mprotect_exec) {
	.claim = "Written memory made executable, as JIT compilers do, moves from DATA to VmLib "
		 "and stays RssAnon; writable and executable, it is DATA",
	.because = "exec_vm counts what is executable and not writable, whatever is behind it; "
		   "mprotect_fixup() moves the pages of the mapping from one total to the other.",
	.said_by = SAID_BY("proc_pid_status(5), VmLib"),
	.steps = STEPS(STEP("write", map_and_write, MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		       STEP("half executable", half_executable, MOVES(DATA_TO_EXEC(PAGES / 2))),
		       STEP("all executable", all_executable, MOVES(DATA_TO_EXEC(PAGES / 2))),
		       STEP("readable", readable, MOVES(VIRT_EXEC(-PAGES), VIRT_OTHER(PAGES))),
		       STEP("writable", writable, MOVES(DATA_TO_OTHER(-PAGES))),
		       STEP("writable and executable", writable_too),
		       STEP("unmap it", unmap, MOVES(VIRT_DATA(-PAGES), ANON_WRITE(-PAGES)))),
};
