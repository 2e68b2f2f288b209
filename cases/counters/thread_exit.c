// SPDX-License-Identifier: MIT
/* When a thread exits, its per-thread batch is added to the counters; a per-CPU batch stays. */
#include <rssck/case.h>

/* PAGES is less than any batch. */
enum { PAGES = 20, REGION = 0 };
STEP_SYMBOLS(THREAD_WRITES, THREAD_EXITS);

static void wait_only(struct workload *w, unsigned index)
{
	(void)w;
	(void)index;
}

static void start(struct workload *w)
{
	w->slot[REGION] = workload_anonymous(w, PAGES);
	workload_threads(w, 1, wait_only);
}

static void write_pages(struct workload *w, unsigned index)
{
	(void)index;
	touch_write(w, w->slot[REGION], PAGES);
}

static void thread_writes(struct workload *w)
{
	workload_threads_run(w, write_pages);
}

static const char *predicted(const struct counter_model *m)
{
	switch (m->kind) {
	case MODEL_EXACT:
		return "nothing was held back";
	case MODEL_PER_THREAD:
		return m->batch > PAGES ? "handed in" : NULL;
	case MODEL_PER_CPU:
		return m->batch > PAGES ? "still held back" : NULL;
	default:
		return NULL;
	}
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const enum metric_id ids[] = { METRIC_STAT_RSS, METRIC_STATM_RESIDENT,
					      METRIC_STATUS_VMRSS };

	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++) {
		int64_t before = trial_lag(t, THREAD_WRITES, 0, ids[i]);
		int64_t after = trial_lag(t, THREAD_EXITS, 0, ids[i]);
		const char *expected = predicted(&t->models->of[ids[i]]);
		const char *seen = before == 0  ? "nothing was held back"
				   : after == 0 ? "handed in"
						: "still held back";
		char name[64];

		snprintf(name, sizeof(name), "thread_exit.%s", metric(ids[i])->name);
		judge_fact(j, name, "%s", seen);
		if (expected)
			judge_true(
				j, THREAD_EXITS, !strcmp(seen, expected),
				"a thread's exit empties a per-thread batch and keeps a per-CPU batch; an exact counter has none");
	}
}

/*
 * No tested kernel shows "nothing was held back" for stat yet; it needs a kernel without
 * CONFIG_SMP, where counters do not lag (include/linux/percpu_counter.h). "still held back" for
 * statm and status comes from kernels since 6.2 that do not add up the CPUs (6.12 before 6.12.39).
 */
#define KNOWN "nothing was held back|handed in|still held back"

CASE(counters_thread_exit) {
	.claim =
		"On kernels with per-thread batches, a thread's batch is added to the counters when the thread exits",
	.because = "exit_mm() calls sync_mm_rss() on kernels where threads have batches. A "
		   "percpu_counter's batch belongs to the CPU and stays there.",
	.said_by = SAID_BY("kernel/exit.c exit_mm()"),
	.flags = CASE_KEEPS_MEMORY,
	.steps = STEPS(STEP("thread starts", start, .flags = STEP_ANY_PAGES),
		       STEP_AS(THREAD_WRITES, "thread writes", thread_writes,
			       .flags = STEP_UNSETTLED, MOVES(ANON_WRITE(PAGES))),
		       STEP_AS(THREAD_EXITS, "thread exits", step_end_threads,
			       .flags = STEP_UNSETTLED | STEP_ANY_PAGES)),
	.facts = FACTS(
		FACT("thread_exit.stat.rss",
		     "After a thread's exit, pages that it had not added to field 24 of stat are",
		     KNOWN),
		FACT("thread_exit.statm.resident",
		     "After a thread's exit, pages that it had not added to statm are", KNOWN),
		FACT("thread_exit.status.VmRSS",
		     "After a thread's exit, pages that it had not added to VmRSS are", KNOWN)),
	.judge = judge,
};
