// SPDX-License-Identifier: MIT
/* A thread on each CPU leaves a remainder there: the sum against the bound. */
#include <rssck/case.h>

/* Pages of each of three classes on each CPU: three times this is less than any batch of faults. */
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

	/* A page that another CPU has mapped is not a remainder of this CPU. */
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

/* Each CPU unmaps the pages that it mapped: a CPU that miscounts shows in the sum. */
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
			     "the counter = the page tables, within the model's bound");
		snprintf(name, sizeof(name), "many_cpus.%s", metric(ids[i])->name);
		/* Each thread, and each CPU, has touched fewer pages than any batch. */
		if (t->models->of[ids[i]].kind == MODEL_EXACT)
			judge_equal(j, A_THREAD_ON_EACH_CPU, name, lag, 0,
				    "an exact counter shows all pages");
		judge_fact(j, name, "%s",
			   lag == 0     ? "nothing is held back"
			   : lag == all ? "all of it is held back"
					: "part of it is held back");
	}
}

#define KNOWN "nothing is held back|all of it is held back"

CASE(counters_many_cpus) {
	.claim = "Threads pinned to each CPU each leave a remainder there, and the sum stays "
		 "within the bound",
	.because = "Each of three counters may hold back a batch less one page on each CPU, and "
		   "the batch grows with the CPUs: the worst case grows with their square.",
	.said_by = SAID_BY("lib/percpu_counter.c", "commit 82241a83cd15 (6.16)"),
	.flags = CASE_ALL_CPUS | CASE_KEEPS_MEMORY,
	.steps = STEPS(STEP("threads start", start, .flags = STEP_ANY_PAGES),
		       STEP_AS(A_THREAD_ON_EACH_CPU, "a thread on each CPU", touch,
			       .flags = STEP_UNSETTLED),
		       STEP("settled", step_nothing), STEP("each gives back its own", drop)),
	.posts = POSTS(ANON_WRITE(1), SHMEM_WRITE(1), FILE_WRITE(1)),
	.facts = FACTS(FACT("many_cpus.stat.rss",
			    "Of the pages that a thread on each CPU touched, in field 24 of stat",
			    KNOWN),
		       FACT("many_cpus.statm.resident",
			    "Of the pages that a thread on each CPU touched, in statm", KNOWN),
		       FACT("many_cpus.status.VmRSS",
			    "Of the pages that a thread on each CPU touched, in VmRSS", KNOWN)),
	.judge = judge,
};
