// SPDX-License-Identifier: MIT
/* A uprobe in a program's text replaces the probed page by an anonymous copy. */
#include "uprobe.h"

enum { PAGES = 32, PROBED = 7, REGION = 0, FD = 0, PROBE = 1 };
STEP_SYMBOLS(PUT_A_PROBE_IN);

static void map_and_read(struct workload *w)
{
	w->fd[FD] = workload_file(w, PAGES);
	w->slot[REGION] = workload_map_text(w, w->fd[FD], PAGES);
	touch_read(w, w->slot[REGION], PAGES);
}

/* Expects the copied page to be clean or dirty, which depends on the kernel. */
static void report_copy(struct workload *w, int64_t clean)
{
	workload_report(w, "clean", clean);
	workload_expect(w, ANON_CLEAN(clean), ANON_WRITE(1 - clean));
}

static void put_in(struct workload *w)
{
	w->fd[PROBE] = uprobe_put_in(w, w->fd[FD], PROBED * w->page_size);
	report_copy(w, workload_pages_clean(w, w->slot[REGION]) - (PAGES - 1));
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_fact(j, "uprobe.the_copy_is", "%s",
		   trial_reported(t, PUT_A_PROBE_IN, "clean") ? "clean" : "dirty");
}

CASE(file_uprobe) {
	.claim =
		"A uprobe moves the probed page from RssFile to RssAnon; the copy is clean or dirty, depending on the kernel",
	.because = "The kernel writes the breakpoint into a copy of the page, so the file does not "
		   "change (kernel/events/uprobes.c). When the uprobe is removed and the copy "
		   "equals the file's cached page again, the kernel drops the copy.",
	.said_by = SAID_BY("Documentation/trace/uprobetracer.rst"),
	.needs = NEEDS("root"),
	.steps = STEPS(STEP("map and read", map_and_read,
			    MOVES(VIRT_EXEC(PAGES), FILE_READ(PAGES))),
		       STEP_AS(PUT_A_PROBE_IN, "put a probe in", put_in, MOVES(FILE_READ(-1)))),
	.facts = FACTS(FACT("uprobe.the_copy_is", "The page that a breakpoint (uprobe) copies is",
			    "clean|dirty")),
	.judge = judge,
};
