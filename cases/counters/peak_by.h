// SPDX-License-Identifier: MIT
/*
 * Checks that VmHWM is raised to the RSS before pages are removed; each case removes them in other
 * ways.
 */
#ifndef CASES_COUNTERS_PEAK_BY_H
#define CASES_COUNTERS_PEAK_BY_H

#include <rssck/case.h>

/*
 * VmHWM after the step `given_back` must be the RSS after the step `top`, within the model's bound
 * for one thread.
 */
static inline void judge_peak_by(const struct trial *t, struct judgement *j, unsigned top,
				 unsigned given_back, const char *rule)
{
	judge_within(j, given_back, 0, "status.VmHWM",
		     trial_pages(t, given_back, 0, METRIC_STATUS_VMHWM),
		     trial_pages(t, top, 0, METRIC_SMAPS_RSS),
		     model_bound(t->models, METRIC_STATUS_VMHWM, 1), rule);
}

/* Each way to remove memory is a pair { top, given_back } for judge_peak_by(). */
static inline void judge_peaks_by(const struct trial *t, struct judgement *j,
				  const unsigned ways[][2], int nr)
{
	for (int i = 0; i < nr; i++)
		judge_peak_by(t, j, ways[i][0], ways[i][1],
			      "VmHWM = the RSS before memory was unmapped");
}

#endif
