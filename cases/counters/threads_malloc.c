// SPDX-License-Identifier: MIT
/* With 100 threads of 1 MiB each, the counters lag by at most the model's bound. */
#include <rssck/case.h>

enum { THREADS = 100, BYTES = 1 << 20 };
STEP_SYMBOLS(STEP_100_THREADS_X_1_MIB, THREADS_EXITED);

static void allocate_and_write(struct workload *w, unsigned index)
{
	volatile char *p = malloc(BYTES);

	(void)index;
	for (size_t i = 0; p && i < BYTES; i += w->page_size)
		p[i] = 1;
}

static void start(struct workload *w)
{
	workload_threads(w, THREADS, allocate_and_write);
}

static void judge_counters(const struct trial *t, struct judgement *j, unsigned step,
			   unsigned threads)
{
	const struct snapshot *s = trial_snapshot(t, step, 0);
	long page = t->host->page_size;

	for (const enum metric_id *id = modelled; s && *id != METRIC_NONE; id++)
		if (precise_of_counter(s, *id, page) >= 0 && s->values.have[*id])
			judge_within(j, step, 0, metric(*id)->name, snapshot_pages(s, *id, page),
				     precise_of_counter(s, *id, page),
				     model_bound(t->models, *id, threads),
				     "the counter = the page tables, except for its allowed lag");
}

static void judge(const struct trial *t, struct judgement *j)
{
	const struct snapshot *s = trial_snapshot(t, STEP_100_THREADS_X_1_MIB, 0);
	int64_t resident = snapshot_pages(s, METRIC_SMAPS_RSS, t->host->page_size);

	judge_counters(t, j, STEP_100_THREADS_X_1_MIB, THREADS + 1);
	judge_counters(t, j, THREADS_EXITED, 1);
	judge_true(j, STEP_100_THREADS_X_1_MIB,
		   resident >= (int64_t)THREADS * BYTES / t->host->page_size,
		   "smaps counts at least the 100 MiB that were written");
}

CASE(counters_threads_malloc) {
	.claim =
		"With 100 threads that write 1 MiB each, the counters lag by at most the batches that were measured on this kernel",
	.because =
		"With per-thread batches each thread keeps the counts of up to 66 faults until it exits: with pages of 4 kB at most 26 MiB for 100 threads, some 23 MiB in practice. With per-CPU batches the counters lag by less than a batch on each CPU. smaps walks the page tables, so it does not lag.",
	.said_by = SAID_BY("Memory part 2: Understanding Process memory", "proc_pid_statm(5)"),
	.flags = CASE_ALL_CPUS | CASE_KEEPS_MEMORY,
	.limit_s = 60,
	.steps = STEPS(STEP_AS(STEP_100_THREADS_X_1_MIB, "100 threads x 1 MiB", start,
			       .flags = STEP_UNSETTLED | STEP_ANY_PAGES),
		       STEP_AS(THREADS_EXITED, "threads exited", step_end_threads,
			       .flags = STEP_UNSETTLED | STEP_ANY_PAGES),
		       STEP("settled", step_nothing)),
	.judge = judge,
};
