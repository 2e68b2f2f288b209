// SPDX-License-Identifier: MIT
/*
 * Compares anon in memory.stat, which cAdvisor calls container_memory_rss, with the RSS of one of
 * the cgroup's two processes.
 */
#include <rssck/case.h>

enum { MEMORY = 1024, MAPPED = 512 };
STEP_SYMBOLS(IN_A_CGROUP);

/* Leaves the cgroup in the same step, so that no cgroup remains if the case ends between steps. */
static void fork_in_a_cgroup(struct workload *w)
{
	int fd = workload_file(w, MAPPED);
	int64_t before;
	pid_t child;

	workload_cgroup_enter(w);
	before = workload_cgroup_stat(w, "anon");
	workload_written(w, MEMORY);
	touch_read(w, workload_map_pages(w, MAPPED, PROT_READ, MAP_SHARED, fd), MAPPED);
	child = workload_companion(w, NULL, NULL);
	workload_report(w, "anon", workload_cgroup_stat(w, "anon") - before);
	workload_report(w, "RSS of one", workload_status_pages(w, "VmRSS"));
	workload_companion_ends(child);
	workload_cgroup_leave(w);
	workload_checked(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t anon = trial_reported(t, IN_A_CGROUP, "anon");
	int64_t rss = trial_reported(t, IN_A_CGROUP, "RSS of one");

	/*
	 * The child has a few pages of its own: its stack, and pages that it writes when it starts.
	 */
	judge_within(j, IN_A_CGROUP, 0, "memory.stat anon", anon, MEMORY, 2 * CGROUP_BATCH,
		     "pages that fork shares are charged once");
	judge_true(j, IN_A_CGROUP, rss >= anon + MAPPED - 2 * CGROUP_BATCH,
		   "the RSS of one process also includes the mapped file");
}

CASE(cgroup_container_rss) {
	.claim =
		"anon in memory.stat, which cAdvisor calls container_memory_rss, is not the sum of the processes' RSS: it counts a page shared by fork only once, and no mapped files",
	.because =
		"anon counts each mapped anonymous page once, in the cgroup that is charged for it (NR_ANON_MAPPED). RSS counts every page that a process maps, in each process.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat"),
	.needs = NEEDS("root"),
	.steps = STEPS(STEP_AS(IN_A_CGROUP, "in a cgroup", fork_in_a_cgroup, .checks = 1,
			       MOVES(VIRT_DATA(MEMORY), ANON_WRITE(MEMORY), VIRT_OTHER(MAPPED),
				     FILE_READ(MAPPED)))),
	.judge = judge,
};
