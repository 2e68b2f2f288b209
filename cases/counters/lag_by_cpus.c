// SPDX-License-Identifier: MIT
/* Measures by how many pages the counters lag when 1, 2, 4 ... CPUs have pages in their batches. */
#include <rssck/case.h>

enum { CLASSES = 3, MOST_CPUS = 64, DONE = 0 };
STEP_SYMBOLS(THREADS_START);

static const char *const class_name[CLASSES] = { "anonymous", "shmem", "file" };

static unsigned cpus(const struct workload *w)
{
	return w->nr_cpus < MOST_CPUS ? w->nr_cpus : MOST_CPUS;
}

/*
 * Returns the pages of each class on each CPU: one less than a per-CPU batch, or fewer if there are
 * more than MOST_CPUS CPUs.
 */
static size_t pages(const struct workload *w)
{
	return cpus(w) > 16 ? 2 * cpus(w) - 1 : 31;
}

static void pin(struct workload *w, unsigned index)
{
	workload_pin(w, w->cpus[index]);
}

static void start(struct workload *w)
{
	size_t bytes = cpus(w) * pages(w) * w->page_size;
	int fds[CLASSES] = { -1, workload_shmem(w, cpus(w) * pages(w)),
			     workload_file(w, cpus(w) * pages(w)) };

	/* A fault that maps many pages could fill a batch, so each fault must map a single page. */
	workload_case_needs_single_pages(w);
	workload_cache(w, fds[CLASSES - 1], cpus(w) * pages(w));
	for (int i = 0; i < CLASSES; i++) {
		w->slot[i] = workload_map(w, bytes, PROT_READ | PROT_WRITE,
					  fds[i] < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED,
					  fds[i], 0);
		workload_report(w, class_name[i], (int64_t)(uintptr_t)w->slot[i]);
	}
	workload_report(w, "pages", (int64_t)pages(w));
	workload_threads(w, cpus(w), pin);
}

static void touch(struct workload *w, unsigned index)
{
	size_t share = pages(w) * w->page_size;

	if (index < w->number[DONE] || index >= w->argument)
		return;
	for (int i = 0; i < CLASSES; i++)
		touch_write(w, (char *)w->slot[i] + index * share, pages(w));
}

static void touch_on_more(struct workload *w)
{
	workload_threads_run(w, touch);
	w->number[DONE] = w->argument < cpus(w) ? w->argument : cpus(w);
}

static int64_t cpus_used(const struct trial *t, const struct moment *m)
{
	int64_t all = t->host->nr_cpu_list < MOST_CPUS ? t->host->nr_cpu_list : MOST_CPUS;
	int64_t wanted = m->step ? m->step->argument : 0;

	return wanted < all ? wanted : all;
}

/*
 * With per-CPU batches, all pages that the threads have written must be missing from the counters.
 */
static void judge_cpus(const struct trial *t, unsigned step, int64_t used, struct judgement *j)
{
	static const enum metric_id ids[] = { METRIC_STAT_RSS, METRIC_STATM_RESIDENT,
					      METRIC_STATUS_VMRSS };
	int64_t share = trial_reported(t, THREADS_START, "pages");

	for (int i = 0; i < CLASSES; i++)
		/* The region may have merged with a thread's stack, which adds pages. */
		judge_true(j, step,
			   trial_mapping_pages(t, step, 0, THREADS_START, class_name[i],
					       METRIC_SMAPS_RSS) >= used * share,
			   "the thread on each CPU has written its pages");
	for (size_t k = 0; k < sizeof(ids) / sizeof(*ids); k++) {
		const struct counter_model *m = &t->models->of[ids[k]];

		if (m->kind == MODEL_PER_CPU && m->batch > share)
			judge_true(
				j, step, trial_lag(t, step, 0, ids[k]) >= used * share * CLASSES,
				"the CPUs' batches hold all pages that the threads wrote: anonymous, file and shmem");
	}
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const struct curve_axes axes = { "lag by CPUs", "CPUs", "pages off" };

	for (size_t i = 0; i < t->nr_moments; i++) {
		int64_t used = cpus_used(t, &t->moments[i]);

		if (!used)
			continue;
		judge_cpus(t, t->moments[i].symbol, used, j);
		/* The leader, which wakes the threads, is one more thread with a batch. */
		judge_lag_point(t, i, j, &axes, used,
				&(struct holders) { (unsigned)used + 1, (unsigned)used, CLASSES });
	}
}

#define CPUS(title, n) \
	STEP(title, touch_on_more, .argument = (n), .flags = STEP_UNSETTLED | STEP_ANY_PAGES)

CASE(counters_lag_by_cpus) {
	.claim =
		"With per-CPU batches RSS lags by less than a batch for each CPU and each of RssAnon, RssFile and RssShmem, so the lag grows with the CPUs that touch memory",
	.because = "Since 6.2 each of three counters may lag by up to one page less than a batch "
		   "on each CPU. The batch is twice the number of CPUs if there are more than 16.",
	.said_by = SAID_BY("lib/percpu_counter.c", "commit f1a7941243c1 (6.2)"),
	.flags = CASE_ALL_CPUS | CASE_KEEPS_MEMORY,
	.steps = STEPS(STEP_AS(THREADS_START, "threads start", start, .flags = STEP_ANY_PAGES),
		       CPUS("1 CPU", 1), CPUS("up to 2 CPUs", 2), CPUS("up to 4 CPUs", 4),
		       CPUS("up to 8 CPUs", 8), CPUS("up to 16 CPUs", 16),
		       CPUS("up to 32 CPUs", 32), CPUS("up to 64 CPUs", 64)),
	.judge = judge,
};
