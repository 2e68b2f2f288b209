// SPDX-License-Identifier: MIT
#ifndef RSSCK_COPY_H
#define RSSCK_COPY_H

#include "state.h"

/*
 * Replaces e->workload by a nameless copy of the program. Two checks that map one file would change
 * each other's Pss and shared sizes. The copy disappears with the last process that uses it. If no
 * copy can be made, nothing changes.
 */
void copy_make(struct engine *e);

/* Closes the copy, if there is one. */
void copy_drop(struct engine *e);

#endif
