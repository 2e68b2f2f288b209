// SPDX-License-Identifier: MIT
/* Judges the lag of the counters of resident pages, as a claim and as a curve. */
#include "private.h"
#include <stdio.h>
#include <stdlib.h>

int64_t trial_lag(const struct trial *t, unsigned step, unsigned process, enum metric_id id)
{
	const struct snapshot *s = trial_snapshot(t, step, process);
	long page = t->host->page_size;
	int64_t precise = s ? precise_of_counter(s, id, page) : -1;

	return precise >= 0 && s->values.have[id] ? precise - snapshot_pages(s, id, page) : 0;
}

void judge_held_back(const struct trial *t, struct judgement *j, unsigned step, unsigned process,
		     enum metric_id id, int64_t pages)
{
	const struct counter_model *m = &t->models->of[id];
	int64_t lag = trial_lag(t, step, process, id);
	struct where w = { judge_title(j, step), process };
	char name[64];

	snprintf(name, sizeof(name), "%s, held back", metric(id)->name);
	if (m->kind == MODEL_EXACT)
		judge_compare(j, &w, RULE_LAG_EXACT, name, lag, 0, 0, "pages");
	else if (m->kind == MODEL_PER_CPU && m->batch > pages)
		judge_compare(j, &w, RULE_LAG_CPU, name, lag, pages, 0, "pages");
	/* Some of the thread's faults may have completed a batch that began before settling. */
	else if (m->kind == MODEL_PER_THREAD && m->batch > pages)
		judge_compare(j, &w, RULE_LAG_THREAD, name, lag,
			      lag < 1       ? 1
			      : lag > pages ? pages
					    : lag,
			      0, "pages");
}

static void lag_point(const struct trial *t, size_t moment, enum metric_id id, struct judgement *j,
		      const struct curve_axes *axes, int64_t x, int64_t bound)
{
	const struct moment *m = &t->moments[moment];
	int64_t said = snapshot_pages(m->of[0], id, t->host->page_size);
	int64_t precise = precise_of_counter(m->of[0], id, t->host->page_size);
	char name[64];

	/*
	 * Use another name than the counter's own. The invariants use the counter's own name, with
	 * the bound for any process.
	 */
	snprintf(name, sizeof(name), "%s, one page per fault", metric(id)->name);
	judge_compare(j, &(struct where) { m->name, 0 }, RULE_LAG_HOLDERS, name, said, precise,
		      bound, "pages");
	judge_point(j, axes, x, metric(id)->name, llabs(said - precise));
	snprintf(name, sizeof(name), CURVE_BOUND "%s", metric(id)->name);
	judge_point(j, axes, x, name, bound >= 0 ? bound : CURVE_NO_POINT);
}

void judge_lag_point(const struct trial *t, size_t moment, struct judgement *j,
		     const struct curve_axes *axes, int64_t x, const struct holders *holders)
{
	static const enum metric_id ids[] = { METRIC_STAT_RSS, METRIC_STATM_RESIDENT,
					      METRIC_STATUS_VMRSS };
	const struct snapshot *s = t->moments[moment].of[0];

	for (size_t i = 0; s && i < sizeof(ids) / sizeof(*ids); i++)
		if (s->values.have[ids[i]])
			lag_point(t, moment, ids[i], j, axes, x,
				  model_bound_of(t->models, ids[i], holders));
}
