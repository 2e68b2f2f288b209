// SPDX-License-Identifier: MIT
/* Prepares the machine for the atlas, and finds out what the machine lacks. */
#ifndef RSSCK_ATLAS_PREPARE_H
#define RSSCK_ATLAS_PREPARE_H

#include "run.h"

/*
 * In a guest: allocates hugetlb pages, enables huge pages for shmem and folios of 16 and 64 kB for
 * memory that asks for them, and stops periodic writeback, khugepaged and ksmd. It changes only
 * settings that have their default values, or those of rssck vm. Outside a guest it does nothing.
 */
void atlas_prepare(void);

/*
 * Tests whether this kind of memory can be mapped here. *error is 0 if it can, else an errno.
 * Returns 0, or -1 with z->why.
 */
int kind_try(struct atlas *z, unsigned kind, int *error);

/*
 * Tests whether an event can be tried here. *error is 0 if it can, else an errno. Returns 0, or -1
 * with z->why.
 */
int event_try(struct atlas *z, unsigned event, int *error);

/*
 * True if the event, or the kind, also changes the memory of other processes, so that no other job
 * may run meanwhile.
 */
bool event_is_of_machine(const struct event *e);
bool kind_is_of_machine(const struct kind *k);

#endif
