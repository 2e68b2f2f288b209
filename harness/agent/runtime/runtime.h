// SPDX-License-Identifier: MIT
/* The runtime of steps, which the library that they call (agent/) knows nothing of. */
#ifndef RSSCK_RUNTIME_H
#define RSSCK_RUNTIME_H

#include "agent/agent.h"

/* Force lagging counters exact. */
void settle(struct workload *w, const struct settle_plan *plan);

/* Serve requests until the observer is gone. */
_Noreturn void serve(struct workload *w);

#endif
