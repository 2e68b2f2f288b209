// SPDX-License-Identifier: MIT
/* Anonymous pages of one or several processes, and which of them no other process maps. */
#ifndef RSSCK_SCAN_ANON_H
#define RSSCK_SCAN_ANON_H

#include "frame_list.h"
#include <rssck/host.h>
#include <rssck/snapshot.h>

struct anon {
	const struct host *h;
	int64_t alone;            /* pages that are mapped once */
	int64_t shared;           /* entries of pages that are mapped more than once */
	struct frame_list frames; /* of these entries, if visible */
	bool keeps;               /* also keep the frames that are counted as alone: */
	struct frame_list own;
	struct frame_list others; /* and those that other processes map as well */
};

/*
 * Adds the anonymous pages of one mapping of a process, or of all of them (NULL). 0 or a negative
 * errno.
 */
int anon_add(struct anon *a, const struct snapshot *s, const struct mapping *only);

/*
 * The pages that only these processes map: each page's mappings are counted, and compared with
 * kpagecount. If that is not visible, returns `alone`, and the others in *maybe. Returns a negative
 * errno if it could not be read.
 */
int64_t anon_pages_alone(struct anon *a, int64_t *maybe);
void anon_free(struct anon *a);

#endif
