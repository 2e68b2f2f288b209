// SPDX-License-Identifier: MIT
/* How far the counters of all resident pages are off, as a claim and as a curve. */
#include "private.h"
#include <stdio.h>
#include <stdlib.h>

static void lag_point(const struct trial *t, size_t moment, enum metric_id id, struct judgement *j,
		      const struct curve_axes *axes, int64_t x, int64_t bound)
{
	const struct moment *m = &t->moments[moment];
	int64_t said = snapshot_pages(m->of[0], id, t->host->page_size);
	int64_t precise = precise_of_counter(m->of[0], id, t->host->page_size);
	char name[64];

	/* Not the counter's bare name: the invariants hold that to the bound of any process. */
	snprintf(name, sizeof(name), "%s, a page a fault", metric(id)->name);
	judge_compare(j, &(struct where) { m->name, 0 }, name, said, precise, bound, "pages",
		      "the counter = the page tables, within what those can hold back who have "
		      "faulted since the settling");
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
