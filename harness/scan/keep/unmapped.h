// SPDX-License-Identifier: MIT
/* Finds the page frames of a shared object that none of the ending processes maps. */
#ifndef RSSCK_SCAN_UNMAPPED_H
#define RSSCK_SCAN_UNMAPPED_H

#include "frame_list.h"
#include "keepers.h"

/*
 * Adds these frames to the list (root). Maps the pages that are in memory for a moment, because
 * only pagemap shows the frame of a page. Reads no page from swap, and allocates none. Returns 0 or
 * a negative errno.
 */
int unmapped_frames(const struct object *one, const struct host *h, struct frame_list *l);

#endif
