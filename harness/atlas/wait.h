// SPDX-License-Identifier: MIT
/* Waits for a worker whose acts may never return. */
#ifndef RSSCK_ATLAS_WAIT_H
#define RSSCK_ATLAS_WAIT_H

#include "agent/side.h"
#include "engine/workload/session.h"
#include <stdbool.h>

/*
 * Waits for a worker's reply. Returns 0; 1: it has been at one act for so long that it will
 * not return, or *stop is set; -1: it is gone, see s->why.
 */
int worker_await(struct session *s, const struct side *side, const volatile bool *stop);

/* Ends the worker; one that cannot be killed is left behind. */
void worker_end(struct session *s);

#endif
