// SPDX-License-Identifier: MIT
/*
 * Each line of meminfo, vmstat and zoneinfo is right after processes have used memory in many ways.
 */
#include "churn.h"

STEP_SYMBOLS(TAKE);

static int64_t locked_now(const struct workload *w)
{
	return workload_meminfo_pages(w, "Mlocked");
}

/* Lines that only the test's process moves. */
static const struct {
	const char *name, *unit;
} back[] = {
	{ "HugePages_Total", "huge pages" }, { "HugePages_Free", "huge pages" },
	{ "HugePages_Rsvd", "huge pages" },  { "HugePages_Surp", "huge pages" },
	{ "ShmemHugePages", "kB" },          { "Mlocked", "kB" },
};

enum { BACK = sizeof(back) / sizeof(*back) };

static void read_lines(int64_t *of)
{
	workload_try_to_set("/proc/sys/vm/stat_refresh", "1");
	for (size_t i = 0; i < BACK; i++)
		of[i] = workload_number("/proc/meminfo", back[i].name, 0);
}

/* Waits until the lines are at their old values, because the kernel frees some pages later. */
static void wait_for_lines(const int64_t *before, int64_t *after)
{
	struct patience p = { .seconds = 10 };

	do
		read_lines(after);
	while (memcmp(before, after, BACK * sizeof(*after)) && workload_pause(&p));
}

static void take_and_give_back(struct workload *w)
{
	int64_t before = locked_now(w), then[BACK], after[BACK];
	int status[2];
	pid_t pid;

	w->fd[CHURN_FILE] = workload_try_file_uncached(w, CHURN_PAGES);
	read_lines(then);
	pid = workload_companion(w, churn, NULL);
	status[0] = churn_audit(w, "machine", NULL);
	workload_report(w, "locked", locked_now(w) - before);
	workload_companion_ends(pid);
	wait_for_lines(then, after);
	for (size_t i = 0; i < BACK; i++)
		workload_report(w, back[i].name, after[i] - then[i]);
	status[1] = churn_audit(w, "machine", NULL);
	if (status[0] || status[1])
		workload_skip(
			w,
			"page frames that rssck machine can read (its two runs exited with status %d and %d)",
			status[0], status[1]);
	workload_checked(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_true(j, TAKE, trial_reported(t, TAKE, "locked") >= CHURN_LOCKED,
		   "Mlocked rises at least by the memory that the process locked");
	for (size_t i = 0; i < BACK; i++)
		judge_reported_in(
			t, j, back[i].unit, TAKE, back[i].name, back[i].name, 0,
			"the change of the line from before the process starts to after it ends");
}

CASE(machine_lines) {
	.claim =
		"Lines of meminfo, vmstat and zoneinfo match the page frames in kpageflags after a process has touched, moved, split, locked and paged out memory, and after the process has ended",
	.because = "A page that changes its kind is subtracted from one counter and added to "
		   "another, for its zone and its node. If one update is missing, the sum is wrong "
		   "until the next boot.",
	.said_by = SAID_BY("proc_meminfo(5)", "Documentation/filesystems/proc.rst, meminfo"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_THP,
	.limit_s = 240,
	.steps = STEPS(STEP_AS(TAKE, "allocate memory of all kinds and free it", take_and_give_back,
			       .checks = 1)),
	.judge = judge,
};
