// SPDX-License-Identifier: MIT
/* Checks whether the counters of a program right after exec show all the pages that it maps. */
#include <rssck/case.h>

STEP_SYMBOLS(EXEC);

/*
 * An exact counter shows all pages. With per-thread batches, a program with fewer faults than the
 * batch shows too few pages. With per-CPU batches nothing is predicted, because the counter may
 * happen to be exact.
 */
static void judge_by_model(const struct trial *t, struct judgement *j, enum metric_id id,
			   bool exact)
{
	const struct counter_model *m = &t->models->of[id];

	if (m->kind == MODEL_EXACT)
		judge_true(j, EXEC, exact, "an exact counter shows all pages of a fresh process");
	if (m->kind == MODEL_PER_THREAD && trial_value(t, EXEC, 1, METRIC_STAT_MINFLT) < m->batch)
		judge_true(
			j, EXEC, !exact,
			"a counter with per-thread batches is too low after fewer faults than a batch");
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const enum metric_id ids[] = { METRIC_STAT_RSS, METRIC_STATM_RESIDENT,
					      METRIC_STATUS_VMRSS };
	const struct snapshot *s = trial_snapshot(t, EXEC, 1);
	long page = t->host->page_size;

	for (size_t i = 0; s && i < sizeof(ids) / sizeof(*ids); i++) {
		int64_t precise = precise_of_counter(s, ids[i], page);
		int64_t said = snapshot_pages(s, ids[i], page);
		char name[64];

		snprintf(name, sizeof(name), "fresh_process.%s", metric(ids[i])->name);
		judge_within(j, EXEC, 1, metric(ids[i])->name, said, precise,
			     model_bound(t->models, ids[i], 1),
			     "the counter = the page tables, except for its allowed lag");
		judge_by_model(t, j, ids[i], said == precise);
		judge_fact(j, name, said == precise ? "exact" : said < precise ? "short" : "over");
	}
}

CASE(counters_fresh_process) {
	.claim =
		"Right after exec an RSS counter that is batched per thread or per CPU may be too low; an exact counter is right",
	.because = "Up to 6.1 a program that has taken fewer faults than the batch of 66 shows "
		   "almost none of its pages: a static program may show 4 kB although 700 kB are "
		   "mapped, because one fault-around fault maps up to 16 pages. Since 6.2 the "
		   "CPUs' batches may hold pages back.",
	.said_by = SAID_BY("proc_pid_status(5)", "Documentation/filesystems/proc.rst"),
	.processes = 1,
	.flags = CASE_KEEPS_MEMORY,
	.steps = STEPS(STEP_AS(EXEC, "exec", step_exec, .child = 1,
			       .flags = STEP_UNSETTLED | STEP_ANY_PAGES)),
	/*
	 * No tested kernel shows "exact" for stat yet; include/linux/percpu_counter.h implies it
	 * without CONFIG_SMP.
	 */
	.facts = FACTS(FACT("fresh_process.stat.rss",
			    "Field 24 of stat of a process that has just started is",
			    "exact|short"),
		       FACT("fresh_process.statm.resident",
			    "The resident pages in statm of a process that has just started are",
			    "exact|short"),
		       FACT("fresh_process.status.VmRSS",
			    "VmRSS of a process that has just started is", "exact|short")),
	.judge = judge,
};
