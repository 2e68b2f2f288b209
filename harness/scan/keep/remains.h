// SPDX-License-Identifier: MIT
/* Computes what memory.current of a cgroup would be after all its processes have ended. */
#ifndef RSSCK_SCAN_REMAINS_H
#define RSSCK_SCAN_REMAINS_H

#include "machine/group.h"
#include <rssck/host.h>

/* What happens to one part of memory.current when the processes end. */
enum remains_fate {
	REMAINS_FREED,
	REMAINS_UNKNOWN, /* no file shows how much of it belongs to the processes */
	REMAINS_KEPT,
	REMAINS_FATES,
};

/* Sizes are in kB. */
struct remains {
	size_t nr; /* number of processes */
	int64_t of[REMAINS_FATES][GROUP_PARTS];
	int64_t deleted; /* upper limit of the page cache of deleted files, which may be freed */
	int64_t least, most; /* memory.current afterwards, at least and at most */
	bool ours;           /* rssck is in the cgroup, and its own memory may remain */
	bool moves;          /* memory.current changed while it was read, so nothing is predicted */
};

/*
 * Returns 0, or 1 if the cgroup has no processes except rssck or its frames were not read, or -1
 * with a message in `why`.
 */
int remains_read(struct remains *r, const struct memory_group *g, struct machine_reader *m,
		 char *why, size_t size);

/* Computes everything else from of[REMAINS_FREED] and the kept anonymous memory. */
void remains_divide(struct remains *r, const struct memory_group *g);

void remains_print(const struct remains *r, const struct memory_group *g, FILE *out);
json_t *remains_json(const struct remains *r);

#endif
