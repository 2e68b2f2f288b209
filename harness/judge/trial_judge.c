// SPDX-License-Identifier: MIT
/*
 * Judges one trial: the identities of each snapshot, the postings of each step and the number of
 * its checks, the columns of tools, the final comparison with the baseline, then the case's own
 * judge().
 */
#include "private.h"
#include <stdio.h>

/* Checks that VmPeak and the numbers of faults do not decrease. */
static void judge_monotonic(const struct trial *t, size_t from, size_t to, unsigned process,
			    struct judgement *j)
{
	static const enum metric_id ids[] = { METRIC_STATUS_VMPEAK, METRIC_STAT_MINFLT,
					      METRIC_STAT_MAJFLT };
	const struct snapshot *before = t->moments[from].of[process];
	const struct snapshot *after = t->moments[to].of[process];
	struct where w = { t->moments[to].name, process };

	for (size_t i = 0; before && i < sizeof(ids) / sizeof(*ids); i++) {
		int64_t was = snapshot_value(before, ids[i]), is = snapshot_value(after, ids[i]);

		if (was >= 0 && is < was)
			judge_compare(j, &w, RULE_BACKWARDS, metric(ids[i])->name, is, was, 0,
				      metric(ids[i])->unit == UNIT_KB ? "kB" : NULL);
		j->nr_checks++;
	}
}

static bool is_closing(const struct trial *t, size_t moment)
{
	return moment > 0 && !t->moments[moment].step;
}

/*
 * Checks that a skipped step left all numbers unchanged. Otherwise the next step would be blamed
 * for the change. A change is an error of the case.
 */
static void judge_skipped(const struct trial *t, size_t previous, size_t moment,
			  struct judgement *j)
{
	const struct moment *m = &t->moments[moment];
	struct judgement found = { .failed = false };

	if (m->step->flags & (STEP_ANY_PAGES | STEP_REPLACES))
		return;
	for (unsigned p = 0; p < WORKLOAD_PROCESSES; p++)
		judge_postings(t, previous, moment, p, &found);
	for (size_t i = 0; i < found.nr_discrepancies && !j->left[0]; i++) {
		const struct discrepancy *d = &found.discrepancies[i];

		if (d->fails)
			snprintf(j->left, sizeof(j->left), "%s has moved by %lld %s", d->metric,
				 (long long)d->counter, d->unit);
	}
	judgement_free(&found);
}

static void judge_checked(const struct moment *m, struct judgement *j)
{
	struct where w = { m->name, 0 };
	unsigned checks = m->step ? m->step->checks : 0;

	if (checks != m->checked)
		judge_compare(j, &w, RULE_STEP_CHECKS, "checks", m->checked, checks, 0, "");
	j->nr_checks++;
}

void judge_trial(const struct trial *t, struct judgement *j)
{
	size_t previous = 0;

	for (size_t i = 0; i < t->nr_moments; i++) {
		const struct moment *m = &t->moments[i];

		if (m->skipped) {
			judge_skipped(t, previous, i, j);
			continue;
		}
		for (unsigned p = 0; p < WORKLOAD_PROCESSES; p++) {
			if (!m->of[p])
				continue;
			judge_invariants(t, i, p, j);
			if (i > 0)
				judge_monotonic(t, previous, i, p, j);
			if (is_closing(t, i))
				judge_postings(t, 0, i, p, j);
			else if (i > 0 && !(m->step->flags & (STEP_ANY_PAGES | STEP_REPLACES)))
				judge_postings(t, previous, i, p, j);
		}
		judge_checked(m, j);
		judge_tools(m, j);
		previous = i;
	}
	judge_by_case(t, j);
}
