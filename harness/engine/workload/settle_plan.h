// SPDX-License-Identifier: MIT
#ifndef RSSCK_SETTLE_PLAN_H
#define RSSCK_SETTLE_PLAN_H

#include "agent/protocol.h"
#include <rssck/model.h>

/*
 * What it takes to force every counter of these models exact: nothing, where none lags; where
 * a model is unknown, what has been enough for any so far.
 */
struct settle_plan settle_plan(const struct models *m);

/* The same where one may lag that has not been measured yet, on so many CPUs. */
struct settle_plan settle_plan_any(const struct models *m, unsigned cpus);

/* True if the plan was made for a counter whose model is unknown: it may be of no use. */
bool settle_plan_is_a_guess(const struct models *m);

/* True if the plan has anything to be done. */
bool settle_plan_acts(const struct settle_plan *p);

#endif
