// SPDX-License-Identifier: MIT
/* Lowers each limit of a cgroup below what its process uses, while the process is idle. */
#include <rssck/case.h>

/* A CPU charges a batch ahead, and may do so again before memory.current is read. */
enum { PAGES = 4096, FD = 0, LAG = 2 * CGROUP_BATCH };
STEP_SYMBOLS(MEMORY_HIGH, MEMORY_MAX);

static const char *const files[] = { "memory.high", "memory.max" };

/* The page cache of a file is charged to the cgroup, and all of it can be reclaimed. */
static void lower(struct workload *w)
{
	const char *file = files[w->argument];
	int64_t before, after;

	workload_cgroup_enter(w);
	w->fd[FD] = workload_file_uncached(w, PAGES);
	while (read(w->fd[FD], workload_buffer, WORKLOAD_BUFFER) > 0)
		;
	before = workload_cgroup_pages(w, "memory.current", NULL);
	workload_cgroup_set(w, file, before / 2);
	after = workload_cgroup_pages(w, "memory.current", NULL);
	workload_cgroup_set(w, file, -1);
	workload_cgroup_leave(w);
	workload_report(w, "before", before);
	workload_report(w, "after", after);
}

static void judge(const struct trial *t, struct judgement *j)
{
	for (unsigned step = MEMORY_HIGH; step <= MEMORY_MAX; step++) {
		int64_t before = trial_reported(t, step, "before");

		if (before < PAGES)
			return judge_skip(j, "page cache that is charged to the cgroup");
		judge_within(j, step, 0, "memory.current", trial_reported(t, step, "after"), 0,
			     before / 2 + LAG, "the cgroup is reclaimed down to the new limit");
	}
}

CASE(cgroup_lowered) {
	.claim =
		"If memory.high or memory.max is set below memory.current, the write itself reclaims page cache until memory.current is not above the limit",
	.because = "memory_high_write() and memory_max_write() call try_to_free_mem_cgroup_pages() "
		   "as long as usage is above the new limit.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.high"),
	.needs = NEEDS("root"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(MEMORY_HIGH, "lower memory.high", lower, .argument = 0),
		       STEP_AS(MEMORY_MAX, "lower memory.max", lower, .argument = 1)),
	.judge = judge,
};
