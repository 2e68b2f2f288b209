// SPDX-License-Identifier: MIT
/* Waiting for a worker whose acts may not return. */
#ifndef RSSCK_ATLAS_WAIT_H
#define RSSCK_ATLAS_WAIT_H

#include "agent/side.h"
#include "engine/workload/session.h"
#include <stdbool.h>

/*
 * Wait for the reply of a worker. 0; 1: it has been at one act for so long that this will not
 * return, or *stop is set; -1: it is gone, s->why.
 */
int worker_await(struct session *s, const struct side *side, const volatile bool *stop);

/* End it; one that cannot be killed is left behind. */
void worker_end(struct session *s);

#endif
