// SPDX-License-Identifier: MIT
/* Waits for a worker whose acts may never return. */
#ifndef RSSCK_ATLAS_WAIT_H
#define RSSCK_ATLAS_WAIT_H

#include "agent/side.h"
#include "engine/workload/session.h"
#include <stdbool.h>

/*
 * Waits for a worker's reply. Returns 0. Returns 1 if an act has exceeded its time limit, or if
 * *stop is set. Returns -1 if the worker has ended or could not do the step: see s->why.
 */
int worker_await(struct session *s, const struct side *side, const volatile bool *stop);

/* Ends the worker. A worker that cannot be killed is left behind. */
void worker_end(struct session *s);

#endif
