// SPDX-License-Identifier: MIT
#ifndef RSSCK_COPY_H
#define RSSCK_COPY_H

#include "state.h"

/*
 * Put a nameless copy of the program e->workload in its place, which no other
 * check runs: two that map one file see each other in Pss, and in what is shared.
 * It is gone with its last process. Where none can be made, nothing changes.
 */
void copy_make(struct engine *e);

/* Let go of it. Safe where there is none. */
void copy_drop(struct engine *e);

#endif
