// SPDX-License-Identifier: MIT
/* The runtime of steps. The library in agent/, which the steps call, does not depend on it. */
#ifndef RSSCK_RUNTIME_H
#define RSSCK_RUNTIME_H

#include "agent/agent.h"

/* Forces lagging counters exact. */
void settle(struct workload *w, const struct settle_plan *plan);

/* Serves requests until the observer is gone. */
_Noreturn void serve(struct workload *w);

#endif
