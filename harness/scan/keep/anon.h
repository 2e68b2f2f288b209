// SPDX-License-Identifier: MIT
/* Counts the anonymous pages of one or several processes, and those that no other process maps. */
#ifndef RSSCK_SCAN_ANON_H
#define RSSCK_SCAN_ANON_H

#include "frame_list.h"
#include <rssck/host.h>
#include <rssck/snapshot.h>

struct anon {
	const struct host *h;
	int64_t alone;  /* pages that are mapped once */
	int64_t shared; /* page table entries of pages that are mapped more than once, and of the
			 * zero page, which looks like them */
	struct frame_list frames; /* the frames of these entries, if visible */
	bool keeps;               /* also keep the frames in `own` and `others` */
	struct frame_list own;
	struct frame_list others; /* frames that other processes map, too */
};

/*
 * Adds the anonymous pages of one mapping of a process, or of all its mappings (NULL). Returns 0 or
 * a negative errno.
 */
int anon_add(struct anon *a, const struct snapshot *s, const struct mapping *only);

/*
 * Returns the number of pages that only these processes map: those of which they have as many
 * entries as kpagecount reports. If kpagecount is not visible, returns `alone` and sets *maybe to
 * `shared`. On errors returns a negative errno.
 */
int64_t anon_pages_alone(struct anon *a, int64_t *maybe);
void anon_free(struct anon *a);

#endif
