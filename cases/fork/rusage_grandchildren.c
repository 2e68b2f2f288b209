// SPDX-License-Identifier: MIT
/*
 * RUSAGE_CHILDREN includes a grandchild when both the grandchild and its parent have been waited
 * for.
 */
#include <rssck/case.h>

/* PAGES is much more than all other memory of the workload. */
enum { PAGES = 4096, FILE_PAGES = 16, REGION = 0, FILE_REGION = 1 };
STEP_SYMBOLS(A_GRANDCHILD_WRITES);

static void touch_both(struct workload *w)
{
	touch_write(w, w->slot[REGION], PAGES);
	touch_read(w, w->slot[FILE_REGION], FILE_PAGES);
}

static void fork_down(struct workload *w, int generations)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		if (generations > 1)
			fork_down(w, generations - 1);
		else
			touch_both(w);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		workload_die(w, "fork or waitpid: %m");
	if (status)
		workload_die(w, "a child ended with status %#x", status);
}

static void grandchild_writes(struct workload *w)
{
	w->slot[REGION] = workload_anonymous(w, PAGES);
	w->slot[FILE_REGION] = workload_map_pages(w, FILE_PAGES, PROT_READ, MAP_PRIVATE,
						  workload_file(w, FILE_PAGES));
	/*
	 * Without read-ahead each page takes a fault, unless the file system reads larger blocks.
	 */
	madvise(w->slot[FILE_REGION], FILE_PAGES * w->page_size, MADV_RANDOM);
	workload_report(w, "at once", (int64_t)workload_cached_at_once(w));
	fork_down(w, 2);
	workload_report_rusage(w, RUSAGE_CHILDREN);
	workload_report(w, "cminflt", workload_stat(w, "self", 11));
	workload_report(w, "cmajflt", workload_stat(w, "self", 13));
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t maxrss = trial_reported(t, A_GRANDCHILD_WRITES, "maxrss");
	int64_t minflt = trial_reported(t, A_GRANDCHILD_WRITES, "minflt");
	int64_t majflt = trial_reported(t, A_GRANDCHILD_WRITES, "majflt");
	int64_t lag = judge_bound(t, j, METRIC_RUSAGE_MAXRSS, 1);
	/* The file system reads at_once pages at a time, so one fault may read several pages. */
	int64_t at_once = trial_reported(t, A_GRANDCHILD_WRITES, "at once");
	int64_t read = (FILE_PAGES + at_once - 1) / at_once;
	/* Apart from the region, the grandchild has at most as many pages as the workload. */
	int64_t more = trial_pages(t, A_GRANDCHILD_WRITES, 0, METRIC_SMAPS_RSS);

	judge_true(j, A_GRANDCHILD_WRITES, maxrss >= PAGES - lag && maxrss <= PAGES + more + lag,
		   "ru_maxrss of RUSAGE_CHILDREN is the largest descendant's");
	/* Each of the two forks takes fewer faults than the workload has pages. */
	judge_true(j, A_GRANDCHILD_WRITES, minflt >= PAGES && minflt <= PAGES + 4 * more,
		   "ru_minflt of RUSAGE_CHILDREN counts the grandchild's faults once");
	judge_equal_in(j, "faults", A_GRANDCHILD_WRITES, "stat.cminflt",
		       trial_reported(t, A_GRANDCHILD_WRITES, "cminflt"), minflt,
		       "stat and getrusage(2) show the same count");
	judge_true(j, A_GRANDCHILD_WRITES, majflt >= read && majflt < 2 * read,
		   "ru_majflt of RUSAGE_CHILDREN counts the grandchild's faults once");
	judge_equal_in(j, "faults", A_GRANDCHILD_WRITES, "stat.cmajflt",
		       trial_reported(t, A_GRANDCHILD_WRITES, "cmajflt"), majflt,
		       "stat and getrusage(2) show the same count");
}

CASE(fork_rusage_grandchildren) {
	.claim = "RUSAGE_CHILDREN and cminflt include a grandchild's peak and faults when both "
		 "the grandchild and its parent have been waited for",
	.because = "wait_task_zombie() adds two numbers to the parent's cmin_flt: the child's "
		   "own faults and the child's cmin_flt. The parent's cmaxrss becomes the "
		   "largest of its old value, the child's peak and the child's cmaxrss.",
	.said_by = SAID_BY("getrusage(2), RUSAGE_CHILDREN", "proc_pid_stat(5), cminflt, cmajflt"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(A_GRANDCHILD_WRITES, "a grandchild writes", grandchild_writes,
			       MOVES(VIRT_DATA(PAGES), VIRT_OTHER(FILE_PAGES)))),
	.judge = judge,
};
