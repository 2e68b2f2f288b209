// SPDX-License-Identifier: MIT
#ifndef RSSCK_SETTLE_PLAN_H
#define RSSCK_SETTLE_PLAN_H

#include "agent/protocol.h"
#include <rssck/model.h>

/*
 * The acts that force every counter of these models exact: none if no counter lags; if a model is
 * unknown, the acts that have been enough for every kernel so far.
 */
struct settle_plan settle_plan(const struct models *m);

/* The same before the counters have been measured, on that many CPUs. */
struct settle_plan settle_plan_any(const struct models *m, unsigned cpus);

/* True if the plan was made for a counter whose model is unknown: it may have no effect. */
bool settle_plan_is_a_guess(const struct models *m);

/* True if the plan requires any action. */
bool settle_plan_acts(const struct settle_plan *p);

#endif
