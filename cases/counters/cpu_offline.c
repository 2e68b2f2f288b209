// SPDX-License-Identifier: MIT
/* When a CPU goes offline, the counts that it held back are added. */
#include <rssck/case.h>

/* Fewer than any batch, for each of three classes. */
enum { PAGES = 12 };
STEP_SYMBOLS(A_CPU_GOES);

/* If threads hold counts back, no number shows whether the CPU went offline, but sysfs does. */
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
	touch_write(w, workload_map_pages(w, PAGES, PROT_READ | PROT_WRITE, MAP_SHARED, fd), PAGES);
}

/* Online again in the same step, so that other programs do not miss the CPU. */
static void last_cpu_goes(struct workload *w)
{
	int last = w->cpus[w->nr_cpus - 1];

	workload_pin(w, last);
	workload_written(w, PAGES);
	write_shared(w, workload_shmem(w, PAGES));
	write_shared(w, workload_file(w, PAGES));
	workload_pin(w, w->cpus[0]);
	if (switch_cpu(last, false) < 0)
		workload_skip(w, "CPU %d going offline: %m", last);
	workload_must(w, switch_cpu(last, true), "bringing the CPU online again");
}

/* Where CPUs hold pages back, the CPU that went offline must hold back none. */
static void judge(const struct trial *t, struct judgement *j)
{
	static const enum metric_id ids[] = { METRIC_STAT_RSS, METRIC_STATM_RESIDENT,
					      METRIC_STATUS_VMRSS };

	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
		if (t->models->of[ids[i]].kind == MODEL_PER_CPU)
			judge_equal(j, A_CPU_GOES, metric(ids[i])->name,
				    trial_lag(t, A_CPU_GOES, 0, ids[i]), 0,
				    "the CPU's part is added to the counter");
}

CASE(counters_cpu_offline) {
	.claim = "Pages that were counted on a CPU stay counted when that CPU goes offline",
	.because = "percpu_counter_cpu_dead() adds the CPU's part of each counter to the common "
		   "part. On kernels where threads hold counts back, CPUs hold back nothing.",
	.said_by = SAID_BY("lib/percpu_counter.c"),
	.needs = NEEDS("guest", "root", "cpus"),
	.flags = CASE_ALL_CPUS,
	.steps = STEPS(STEP_AS(A_CPU_GOES, "a CPU goes", last_cpu_goes, .flags = STEP_UNSETTLED,
			       MOVES(VIRT_DATA(PAGES), VIRT_OTHER(2 * PAGES), ANON_WRITE(PAGES),
				     SHMEM_WRITE(PAGES), FILE_WRITE(PAGES))),
		       STEP("settled", step_nothing)),
	.judge = judge,
};
