// SPDX-License-Identifier: MIT
/* Anonymous pages of one process or of several, and which of them nobody else maps. */
#ifndef RSSCK_SCAN_ANON_H
#define RSSCK_SCAN_ANON_H

#include <rssck/host.h>
#include <rssck/snapshot.h>

struct anon {
	const struct host *h;
	int64_t alone;  /* pages that are mapped once */
	int64_t shared; /* entries of pages that are mapped more than once */
	uint64_t *pfns; /* of these, where they are visible; owned */
	size_t nr, room;
};

/* Add the anonymous pages of one mapping of a process, or of all of them (NULL). 0 or a negative
 * errno. */
int anon_add(struct anon *a, const struct snapshot *s, const struct mapping *only);

/*
 * The pages that all of those together have alone: each page's mappings are
 * counted, and compared with kpagecount. Where that cannot be seen, `alone`;
 * *maybe are then the others. Returns a negative errno where it could not be read.
 */
int64_t anon_pages_alone(struct anon *a, int64_t *maybe);
void anon_free(struct anon *a);

#endif
