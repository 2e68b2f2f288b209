// SPDX-License-Identifier: MIT
#ifndef RSSCK_SETTLE_PLAN_H
#define RSSCK_SETTLE_PLAN_H

#include "agent/protocol.h"
#include <rssck/model.h>

/*
 * Returns what makes every counter of these models exact: nothing if no counter lags. For an
 * unknown model it returns what has been enough for every kernel so far.
 */
struct settle_plan settle_plan(const struct models *m);

/* Returns a plan for the time before the counters are measured, on that many CPUs. */
struct settle_plan settle_plan_any(const struct models *m, unsigned cpus);

/* True if a counter's model is unknown, so that the plan may have no effect. */
bool settle_plan_is_a_guess(const struct models *m);

/* True if the plan requires any work. */
bool settle_plan_acts(const struct settle_plan *p);

#endif
