// SPDX-License-Identifier: MIT
/*
 * Each RSS counter lags in a known way: not at all, by a batch per thread, or by a batch per CPU.
 */
#include <rssck/case.h>

enum { PAGES = 100 };
STEP_SYMBOLS(TOUCH);

static void map_and_touch(struct workload *w)
{
	void *p = workload_anonymous(w, PAGES);

	touch_write(w, p, PAGES);
}

/* Returns the batch in pages, computed as in compute_batch_value() of lib/percpu_counter.c. */
static unsigned percpu_batch(unsigned cpus)
{
	return 2 * cpus > 32 ? 2 * cpus : 32;
}

static void report_batch(struct judgement *j, const char *metric_name,
			 const struct counter_model *m, unsigned cpus)
{
	char name[80];

	snprintf(name, sizeof(name), "%s.batch", metric_name);
	if (m->kind == MODEL_PER_CPU && m->batch == percpu_batch(cpus))
		judge_fact(j, name, "max(32, 2 x CPUs)");
	else if (m->kind == MODEL_PER_CPU)
		judge_fact(j, name, "%u pages", m->batch);
	else if (m->kind == MODEL_PER_THREAD)
		judge_fact(j, name, "%u faults", m->batch);
	else
		judge_fact(j, name, "none");
}

static void judge(const struct trial *t, struct judgement *j)
{
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++) {
		const struct counter_model *m = &t->models->of[*id];
		char name[80], rule[120];

		snprintf(name, sizeof(name), "%s.model", metric(*id)->name);
		judge_fact(j, name, "%s", model_kind_name(m->kind));
		/*
		 * An unknown model fails only this case. Other cases report an error, because they
		 * need the model.
		 */
		snprintf(rule, sizeof(rule), "%s lags in one of the known ways", metric(*id)->name);
		judge_true(j, TOUCH, m->kind != MODEL_UNKNOWN, rule);
		report_batch(j, metric(*id)->name, m, t->host->cpus);
	}
}

/*
 * The per-thread batch is 66 faults: TASK_RSS_EVENTS_THRESH is 64, and the kernel tests events++ >
 * 64. The facts have no text, because reports show the models in a table.
 */
#define MODEL_FACTS(name)                                             \
	FACT(name ".model", NULL, "exact|per-thread|per-cpu|absent"), \
		FACT(name ".batch", NULL, "none|66 faults|max(32, 2 x CPUs)")

CASE(counters_calibrate) {
	.claim =
		"RSS counters are exact, or lag by up to a batch per thread or per CPU, depending on the kernel and the file",
	.because =
		"Up to 6.1 each thread caches its counts for up to 66 faults (SPLIT_RSS_COUNTING). Since 6.2 the counters are percpu_counters with a batch of max(32, 2 x CPUs). Since 6.6.99, 6.12.39, 6.15.7 and 6.16 reading statm or status adds up the per-CPU parts; reading stat does not.",
	.said_by = SAID_BY(
		"commit f1a7941243c1 (mm: convert mm's rss stats into percpu_counter, 6.2)",
		"commit 82241a83cd15 (mm: fix the inaccurate memory statistics issue, 6.16)"),
	.steps = STEPS(STEP_AS(TOUCH, "touch", map_and_touch,
			       MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES)))),
	.facts = FACTS(MODEL_FACTS("stat.rss"), MODEL_FACTS("statm.resident"),
		       MODEL_FACTS("statm.shared"), MODEL_FACTS("status.VmRSS"),
		       MODEL_FACTS("status.RssAnon"), MODEL_FACTS("status.RssFile"),
		       MODEL_FACTS("status.RssShmem")),
	.judge = judge,
};
