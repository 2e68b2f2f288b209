// SPDX-License-Identifier: MIT
/* memory.pressure shows whether a full cgroup has too little memory; memory.current does not. */
#include <inttypes.h>
#include <rssck/case.h>

enum { LIMIT = 4096, FD = 0 };
STEP_SYMBOLS(BELOW_A_LIMIT_AND_BEYOND);

/*
 * Returns for how many microseconds at least one task of the cgroup has waited for memory ("some",
 * total), up to now: psi_show() adds up the CPUs at each reading. -1 if memory.pressure cannot be
 * read.
 */
static int64_t waited(struct workload *w)
{
	char path[WORKLOAD_CGROUP_PATH], text[256];
	int64_t total = -1;

	workload_read_text(workload_cgroup_path(w, "memory.pressure", path), text, sizeof(text));
	sscanf(text, "some avg10=%*f avg60=%*f avg300=%*f total=%" SCNd64, &total);
	return total;
}

/*
 * Returns how often any task had to reclaim because the machine was short of memory: the sum of
 * allocstall over the zones DMA32, Normal and Movable.
 */
static int64_t stalls_of_machine(void)
{
	static const char *const zones[] = { "allocstall_dma32", "allocstall_normal",
					     "allocstall_movable" };
	int64_t sum = 0;

	for (size_t i = 0; i < sizeof(zones) / sizeof(*zones); i++)
		sum += workload_number("/proc/vmstat", zones[i], 0);
	return sum;
}

static void read_pages(struct workload *w, int64_t pages)
{
	lseek(w->fd[FD], 0, SEEK_SET);
	for (int64_t left = pages * (int64_t)w->page_size; left > 0; left -= WORKLOAD_BUFFER)
		if (read(w->fd[FD], workload_buffer, WORKLOAD_BUFFER) <= 0)
			workload_die(w, "reading the file: %m");
}

static void fill_and_overfill(struct workload *w)
{
	struct patience p = { .seconds = 5, .pause_us = 100 * 1000 };
	int64_t stalls = stalls_of_machine(), beyond = -1;

	w->fd[FD] = workload_file_uncached(w, 4 * LIMIT);
	workload_cgroup_enter(w);
	workload_cgroup_set(w, "memory.max", LIMIT);
	if (waited(w) >= 0) {
		read_pages(w, LIMIT / 2);
		workload_report(w, "below", waited(w));
		workload_report(w, "the machine's", stalls_of_machine() - stalls);
		read_pages(w, 4 * LIMIT);
		workload_report(w, "current", workload_cgroup_pages(w, "memory.current", NULL));
		while ((beyond = waited(w)) == 0 && workload_pause(&p))
			;
		workload_report(w, "beyond", beyond);
	}
	workload_cgroup_leave(w);
	if (beyond < 0)
		workload_skip(w, "memory.pressure (CONFIG_PSI, psi=1)");
	workload_checked(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	/*
	 * If the machine was short of memory, tasks of the cgroup may have waited for that reason.
	 */
	if (!trial_reported(t, BELOW_A_LIMIT_AND_BEYOND, "the machine's"))
		judge_reported_in(t, j, "microseconds", BELOW_A_LIMIT_AND_BEYOND, "below",
				  "memory.pressure total", 0,
				  "no task waits while the cgroup is below memory.max");
	judge_true(j, BELOW_A_LIMIT_AND_BEYOND,
		   trial_reported(t, BELOW_A_LIMIT_AND_BEYOND, "beyond") > 0,
		   "memory.pressure rises while tasks reclaim memory at memory.max");
	judge_true(j, BELOW_A_LIMIT_AND_BEYOND,
		   trial_reported(t, BELOW_A_LIMIT_AND_BEYOND, "current") > LIMIT / 2,
		   "memory.current is more than half of memory.max after the file was read");
}

CASE(cgroup_pressure) {
	.claim =
		"While a cgroup is below its memory.high and memory.max and the machine has free memory, the cgroup's memory.pressure does not rise; at memory.max, reclaiming page cache raises it",
	.because = "try_charge_memcg() reclaims between psi_memstall_enter() and "
		   "psi_memstall_leave(). A charge below the limit does not reclaim, so the charge "
		   "adds no waiting time.",
	.said_by = SAID_BY("Documentation/accounting/psi.rst",
			   "Documentation/admin-guide/cgroup-v2.rst, memory.pressure"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(BELOW_A_LIMIT_AND_BEYOND, "below and beyond a limit",
			       fill_and_overfill, .checks = 1)),
	.judge = judge,
};
