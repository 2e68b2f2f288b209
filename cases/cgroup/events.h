// SPDX-License-Identifier: MIT
/* Functions for the event counts that the step IN_A_CGROUP reports. */
#ifndef CASES_CGROUP_EVENTS_H
#define CASES_CGROUP_EVENTS_H

#include <rssck/case.h>

enum { EVENT_NAME = 48 };
STEP_SYMBOLS(IN_A_CGROUP);

/*
 * Returns true if zswap is on. zswap counts pages as zswpout, and writes them to swap later or
 * never.
 */
static inline bool events_are_of_zswap(void)
{
	char text[4];

	workload_read_text("/sys/module/zswap/parameters/enabled", text, sizeof(text));
	return text[0] == 'Y';
}

static inline const char *event_of(char name[EVENT_NAME], const char *act, const char *event)
{
	snprintf(name, EVENT_NAME, "%s: %s", act, event);
	return name;
}

/* Returns the count that the step IN_A_CGROUP reported; INT64_MIN if it reported none. */
static inline int64_t event_reported(const struct trial *t, const char *act, const char *event)
{
	char name[EVENT_NAME];

	return trial_reported_or(t, IN_A_CGROUP, event_of(name, act, event), INT64_MIN);
}

#endif
