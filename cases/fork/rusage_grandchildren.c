// SPDX-License-Identifier: MIT
/* What a grandchild did is its grandparent's once both have been waited for. */
#include <rssck/case.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Much more than the workload itself has. */
enum { PAGES = 4096 };

/* Forks down to the last generation, which writes; each waits for the one it has begotten. */
static void beget(struct workload *w, void *region, int generations)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		if (generations > 1)
			beget(w, region, generations - 1);
		else
			touch_write(w, region, PAGES);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
		workload_die(w, "a child ended with status %#x: %m", status);
}

static void grandchild_writes(struct workload *w)
{
	struct rusage usage;

	beget(w, workload_anonymous(w, PAGES), 2);
	getrusage(RUSAGE_CHILDREN, &usage);
	workload_tell(w, "maxrss", usage.ru_maxrss * 1024 / (int64_t)w->page_size);
	workload_tell(w, "minflt", usage.ru_minflt);
	workload_tell(w, "majflt", usage.ru_majflt);
	workload_tell(w, "cminflt", workload_stat(w, "self", 11));
	workload_tell(w, "cmajflt", workload_stat(w, "self", 13));
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const char step[] = "a grandchild writes";
	int64_t maxrss = trial_told(t, step, "maxrss", -1),
		minflt = trial_told(t, step, "minflt", -1);
	int64_t lag = model_bound(t->models, METRIC_STAT_RSS, 1);
	/* What it has besides: no more than the whole workload. */
	int64_t more = snapshot_pages(trial_snapshot(t, step, 0), METRIC_SMAPS_RSS,
				      t->host->page_size);

	judge_true(j, step, maxrss >= PAGES - lag && maxrss <= PAGES + more + lag,
		   "ru_maxrss of RUSAGE_CHILDREN is that of the largest descendant");
	/* Two forks cost faults, too: fewer than the workload has pages, each. */
	judge_true(j, step, minflt >= PAGES && minflt <= PAGES + 4 * more,
		   "ru_minflt of RUSAGE_CHILDREN has the grandchild's faults, once");
	judge_equal(j, step, "stat.cminflt", trial_told(t, step, "cminflt", -1), minflt,
		    "stat and getrusage(2) show one count");
	judge_equal(j, step, "stat.cmajflt", trial_told(t, step, "cmajflt", -1),
		    trial_told(t, step, "majflt", -1), "stat and getrusage(2) show one count");
}

CASE(fork_rusage_grandchildren) {
	.claim = "A grandchild's peak and faults are in its grandparent's RUSAGE_CHILDREN and "
		 "cminflt, once both generations have been waited for",
	.because = "wait_task_zombie() adds the child's own faults and those that it has gathered "
		   "(cmin_flt) to the parent's, and keeps the largest of the three maxrss.",
	.said_by = SAID_BY("getrusage(2), RUSAGE_CHILDREN", "proc_pid_stat(5), cminflt"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP("a grandchild writes", grandchild_writes, VIRT_DATA(PAGES))),
	.judge = judge,
};
