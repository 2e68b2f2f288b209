// SPDX-License-Identifier: MIT
/* What the atlas needs of a machine, and what of it there is. */
#ifndef RSSCK_ATLAS_PREPARE_H
#define RSSCK_ATLAS_PREPARE_H

#include "run.h"

/* In a guest: hugetlb pages, huge shmem, and nothing else that moves pages. Elsewhere nothing. */
void atlas_prepare(void);

/* Whether the kind of memory can be had here: errno in *error, 0: it can. 0, or -1 with z->why. */
int kind_try(struct atlas *z, unsigned kind, int *error);

/* The same of an event. */
int event_try(struct atlas *z, unsigned event, int *error);

/* Whether it changes what other processes have, too: nobody else runs meanwhile. */
bool event_is_of_machine(const struct event *e);
bool kind_is_of_machine(const struct kind *k);

#endif
