// SPDX-License-Identifier: MIT
/*
 * A thread on each CPU leaves pages in the CPU's batches; the lag of the counters must stay within
 * its bound.
 */
#include <rssck/case.h>

/*
 * Each thread writes PAGES pages of each of three classes. These are fewer faults than a per-thread
 * batch, and fewer pages of each class than a per-CPU batch.
 */
enum { PAGES = 12, MOST_CPUS = 64 };
STEP_SYMBOLS(A_THREAD_ON_EACH_CPU);

enum { ANON, SHMEM, FILE_PAGES, CLASSES };

static unsigned cpus(const struct workload *w)
{
	return w->nr_cpus < MOST_CPUS ? w->nr_cpus : MOST_CPUS;
}

static void pin(struct workload *w, unsigned index)
{
	workload_pin(w, w->cpus[index]);
}

static void start(struct workload *w)
{
	size_t bytes = cpus(w) * PAGES * w->page_size;
	int fd = workload_file(w, cpus(w) * PAGES);

	/*
	 * A fault must not map a page that another CPU touches, so each fault must map a single
	 * page.
	 */
	workload_case_needs_single_pages(w);
	w->slot[ANON] = workload_map(w, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				     -1, 0);
	w->slot[SHMEM] = workload_map(w, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
				      -1, 0);
	w->slot[FILE_PAGES] = workload_map(w, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	workload_threads(w, cpus(w), pin);
}

static void touch_share(struct workload *w, unsigned index)
{
	for (int i = 0; i < CLASSES; i++)
		touch_write(w, (char *)w->slot[i] + index * PAGES * w->page_size, PAGES);
}

static void touch(struct workload *w)
{
	int64_t pages = (int64_t)cpus(w) * PAGES;

	workload_threads_run(w, touch_share);
	workload_expect(w, ANON_WRITE(pages), SHMEM_WRITE(pages), FILE_WRITE(pages));
	workload_report(w, "pages", CLASSES * pages);
}

static void drop_share(struct workload *w, unsigned index)
{
	for (int i = 0; i < CLASSES; i++)
		madvise((char *)w->slot[i] + index * PAGES * w->page_size, PAGES * w->page_size,
			MADV_DONTNEED);
}

/* Each CPU drops the pages that it mapped, so that an error of one CPU shows in the sum. */
static void drop(struct workload *w)
{
	int64_t pages = (int64_t)cpus(w) * PAGES;

	workload_threads_run(w, drop_share);
	workload_expect(w, ANON_WRITE(-pages), SHMEM_WRITE(-pages), FILE_WRITE(-pages));
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const enum metric_id ids[] = { METRIC_STAT_RSS, METRIC_STATM_RESIDENT,
					      METRIC_STATUS_VMRSS };
	const struct snapshot *s = trial_snapshot(t, A_THREAD_ON_EACH_CPU, 0);
	int64_t all = trial_reported(t, A_THREAD_ON_EACH_CPU, "pages");
	long page = t->host->page_size;

	for (size_t i = 0; s && i < sizeof(ids) / sizeof(*ids); i++) {
		int64_t precise = precise_of_counter(s, ids[i], page);
		int64_t lag = precise - snapshot_pages(s, ids[i], page);
		char name[64];

		judge_within(j, A_THREAD_ON_EACH_CPU, 0, metric(ids[i])->name, precise - lag,
			     precise, model_bound(t->models, ids[i], t->host->nr_cpu_list + 1),
			     "the counter = the page tables, except for its allowed lag");
		snprintf(name, sizeof(name), "many_cpus.%s", metric(ids[i])->name);
		/*
		 * No thread and no CPU has filled a batch, so a counter that is not exact holds the
		 * pages back.
		 */
		if (t->models->of[ids[i]].kind == MODEL_EXACT)
			judge_equal(j, A_THREAD_ON_EACH_CPU, metric(ids[i])->name, precise - lag,
				    precise, "an exact counter shows all pages");
		judge_fact_of(j, name, lag, all, "nothing is held back", "all of it is held back",
			      "part of it is held back");
	}
}

#define KNOWN "nothing is held back|all of it is held back"

CASE(counters_many_cpus) {
	.claim =
		"If a thread on each CPU touches fewer pages than a batch, a batched RSS counter may miss all of these pages, and an exact one misses none",
	.because = "With per-CPU batches each of three counters may lag by up to one page less "
		   "than a batch on each CPU. The batch grows with the number of CPUs, so the "
		   "worst case grows with the square of the number of CPUs.",
	.said_by = SAID_BY("lib/percpu_counter.c", "commit 82241a83cd15 (6.16)"),
	.flags = CASE_ALL_CPUS | CASE_KEEPS_MEMORY,
	.steps = STEPS(STEP("threads start", start, .flags = STEP_ANY_PAGES),
		       STEP_AS(A_THREAD_ON_EACH_CPU, "a thread on each CPU", touch,
			       .flags = STEP_UNSETTLED),
		       STEP("settled", step_nothing), STEP("each drops its own pages", drop)),
	.posts = POSTS(ANON_WRITE(1), SHMEM_WRITE(1), FILE_WRITE(1)),
	.facts = FACTS(FACT("many_cpus.stat.rss",
			    "How much memory touched by a thread on each CPU does field 24 of "
			    "stat miss?",
			    KNOWN),
		       FACT("many_cpus.statm.resident",
			    "How much memory touched by a thread on each CPU does statm miss?",
			    KNOWN),
		       FACT("many_cpus.status.VmRSS",
			    "How much memory touched by a thread on each CPU does VmRSS miss?",
			    KNOWN)),
	.judge = judge,
};
