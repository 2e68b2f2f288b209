// SPDX-License-Identifier: MIT
/*
 * mincore(2) reports which pages are in memory. Since 5.2 it reports all pages as in memory to a
 * process that neither owns the file nor may write it.
 */
#include "stranger.h"

enum { PAGES = 64, REGION = 0, FD = 0 };
STEP_SYMBOLS(ASK_AS_A_STRANGER);

static void must_be(struct workload *w, int64_t expected, const char *what)
{
	int64_t seen = workload_pages_in_core(w, w->slot[REGION], PAGES);

	if (seen != expected)
		workload_fail(w, "mincore reports %lld of %d pages as resident in %s",
			      (long long)seen, PAGES, what);
	workload_checked(w);
}

static void map_anonymous(struct workload *w)
{
	w->slot[REGION] = workload_anonymous(w, PAGES);
	must_be(w, 0, "untouched memory");
	touch_read(w, w->slot[REGION], PAGES / 2);
	must_be(w, PAGES / 2, "memory of which half was read as zero pages");
}

static void map_file(struct workload *w)
{
	w->fd[FD] = workload_file(w, PAGES);
	w->slot[REGION] = workload_map_pages(w, PAGES, PROT_READ, MAP_SHARED, w->fd[FD]);
	must_be(w, 0, "a file that was never read");
}

/* User nobody neither owns the file nor may write it. */
static void ask_as_stranger(struct workload *w)
{
	bool writable;
	int64_t seen;

	if (geteuid() != 0)
		workload_skip_step(w, "root, to call mincore(2) as another user");
	stranger_begin(w);
	writable = stranger_may_write(w->fd[FD]);
	seen = workload_pages_in_core(w, w->slot[REGION], PAGES);
	stranger_end();
	if (writable)
		workload_skip_step(w,
				   "a file that user %d may not write: this file system lets "
				   "everyone write",
				   NOBODY);
	workload_report(w, "to a stranger", seen);
}

static void read_through_descriptor(struct workload *w)
{
	char byte;

	for (size_t i = 0; i < PAGES; i++)
		if (pread(w->fd[FD], &byte, 1, (off_t)(i * w->page_size)) != 1)
			workload_die(w, "pread: %m");
	must_be(w, PAGES, "a file that was read by read(2) only");
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t seen = trial_reported(t, ASK_AS_A_STRANGER, "to a stranger");

	if (seen >= 0)
		judge_fact_of(j, "mincore.tells_strangers", seen, PAGES, "what is in core",
			      "that all is in core", "something");
}

CASE(file_mincore) {
	.claim =
		"mincore(2) reports the mapped zero page as resident, and cached pages even if no process maps them. For a file that the process neither owns nor may write, mincore(2) reports every page as resident",
	.because = "mincore(2) looks at the page table, and at the page cache for each page "
		   "without an entry. Since 5.2 can_do_mincore() allows this only for a process "
		   "that owns the file or may write it, so that no other user can see which "
		   "pages are read.",
	.said_by = SAID_BY("mincore(2)"),
	.steps = STEPS(STEP("map and read half", map_anonymous, .checks = 2,
			    MOVES(VIRT_DATA(PAGES), ZERO_READ(PAGES / 2))),
		       STEP("map a file", map_file, .checks = 1, MOVES(VIRT_OTHER(PAGES))),
		       STEP_AS(ASK_AS_A_STRANGER, "call mincore as another user", ask_as_stranger),
		       STEP("read(2) the file", read_through_descriptor, .checks = 1)),
	.facts = FACTS(FACT("mincore.tells_strangers",
			    "A user who may not write a file learns from mincore(2)",
			    "that all is in core")),
	.judge = judge,
};
