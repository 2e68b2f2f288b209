// SPDX-License-Identifier: MIT
/* Sets up the machine for the atlas, and finds out what it lacks. */
#ifndef RSSCK_ATLAS_PREPARE_H
#define RSSCK_ATLAS_PREPARE_H

#include "run.h"

/*
 * In a guest: allocates hugetlb pages, enables huge shmem, and stops everything else that moves
 * pages. Elsewhere does nothing.
 */
void atlas_prepare(void);

/*
 * Tests whether the kind of memory exists here: *error is an errno, or 0 if it does. Returns 0, or
 * -1 with z->why.
 */
int kind_try(struct atlas *z, unsigned kind, int *error);

/* The same for an event. */
int event_try(struct atlas *z, unsigned event, int *error);

/* True if it also changes other processes' memory, so that no other job may run meanwhile. */
bool event_is_of_machine(const struct event *e);
bool kind_is_of_machine(const struct kind *k);

#endif
