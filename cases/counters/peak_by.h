// SPDX-License-Identifier: MIT
/*
 * Checks that VmHWM is raised to the RSS before memory is removed; each case removes memory in
 * different ways.
 */
#ifndef CASES_COUNTERS_PEAK_BY_H
#define CASES_COUNTERS_PEAK_BY_H

#include <rssck/case.h>

/* VmHWM after the step `given_back` must be the RSS after the step `top`. */
static inline void judge_peak_by(const struct trial *t, struct judgement *j, unsigned top,
				 unsigned given_back, const char *rule)
{
	const struct snapshot *before = trial_snapshot(t, top, 0);
	const struct snapshot *after = trial_snapshot(t, given_back, 0);
	long page = t->host->page_size;

	judge_within(j, given_back, 0, "status.VmHWM",
		     snapshot_pages(after, METRIC_STATUS_VMHWM, page),
		     snapshot_pages(before, METRIC_SMAPS_RSS, page),
		     model_bound(t->models, METRIC_STATUS_VMHWM, 1), rule);
}

#endif
