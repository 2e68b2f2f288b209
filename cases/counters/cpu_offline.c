// SPDX-License-Identifier: MIT
/* When a CPU goes offline, the kernel adds its part of each counter to the sum. */
#include <rssck/case.h>

/* PAGES is less than any batch. The step writes PAGES pages of each of three classes. */
enum { PAGES = 12 };
STEP_SYMBOLS(A_CPU_GOES);

/*
 * Returns 0, or -1 if the kernel refuses or sysfs does not show the new state. The state is checked
 * here, because with per-thread batches no memory number depends on it.
 */
static int switch_cpu(int cpu, bool on)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	if (!workload_try_to_set(path, on ? "1" : "0"))
		return -1;
	return workload_number(path, NULL, -1) == on ? 0 : -1;
}

static void write_shared(struct workload *w, int fd)
{
	touch_write(w, workload_shared(w, PAGES, fd), PAGES);
}

/* Brings the CPU online again in the same step, because other programs need it. */
static void last_cpu_goes(struct workload *w)
{
	int last = w->cpus[w->nr_cpus - 1];

	workload_pin(w, last);
	workload_written(w, PAGES);
	write_shared(w, workload_shmem(w, PAGES));
	write_shared(w, workload_file(w, PAGES));
	workload_pin(w, w->cpus[0]);
	if (switch_cpu(last, false) < 0)
		workload_skip(w, "a CPU that can go offline (CPU %d: %m)", last);
	workload_must(w, switch_cpu(last, true), "switching the CPU on again");
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const enum metric_id ids[] = { METRIC_STAT_RSS, METRIC_STATM_RESIDENT,
					      METRIC_STATUS_VMRSS };

	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++) {
		char name[64];

		if (t->models->of[ids[i]].kind != MODEL_PER_CPU)
			continue;
		snprintf(name, sizeof(name), "%s, held back", metric(ids[i])->name);
		judge_equal(j, A_CPU_GOES, name, trial_lag(t, A_CPU_GOES, 0, ids[i]), 0,
			    "the batch of a CPU that goes offline is added to the counter");
	}
}

CASE(counters_cpu_offline) {
	.claim = "Pages that were counted on a CPU stay counted when this CPU goes offline",
	.because = "percpu_counter_cpu_dead() adds the CPU's part of each counter to the "
		   "counter's sum. On kernels with per-thread batches a CPU has no part.",
	.said_by = SAID_BY("lib/percpu_counter.c"),
	.needs = NEEDS("guest", "root", "cpus"),
	.flags = CASE_ALL_CPUS,
	.steps = STEPS(STEP_AS(A_CPU_GOES, "a CPU goes offline", last_cpu_goes,
			       .flags = STEP_UNSETTLED,
			       MOVES(VIRT_DATA(PAGES), VIRT_OTHER(2 * PAGES), ANON_WRITE(PAGES),
				     SHMEM_WRITE(PAGES), FILE_WRITE(PAGES))),
		       STEP("settled", step_nothing)),
	.judge = judge,
};
