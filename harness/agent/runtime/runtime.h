// SPDX-License-Identifier: MIT
/* Declares the runtime of steps. The library in agent/, which steps call, does not depend on it. */
#ifndef RSSCK_RUNTIME_H
#define RSSCK_RUNTIME_H

#include "agent/agent.h"

/* Makes lagging counters exact. */
void settle(struct workload *w, const struct settle_plan *plan);

/* Serves requests until rssck closes the channel. */
_Noreturn void serve(struct workload *w);

#endif
