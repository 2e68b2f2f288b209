// SPDX-License-Identifier: MIT
/* The memory.current of a cgroup after all its processes have ended. */
#ifndef RSSCK_SCAN_REMAINS_H
#define RSSCK_SCAN_REMAINS_H

#include "machine/group.h"
#include <rssck/host.h>

/* How the end of the processes changes one part of memory.current. */
enum remains_fate {
	REMAINS_FREED,
	REMAINS_UNKNOWN, /* no file says how much of it is theirs */
	REMAINS_KEPT,
	REMAINS_FATES,
};

/* Sizes in kB. */
struct remains {
	size_t nr; /* processes */
	int64_t of[REMAINS_FATES][GROUP_PARTS];
	int64_t deleted;     /* page cache of deleted files, at most, which may be freed */
	int64_t least, most; /* memory.current afterwards */
	bool ours;           /* rssck is in the cgroup; its own memory is not known to be freed */
};

/* Returns 0; 1 if the frames of the cgroup were not seen; -1 with a sentence in `why`. */
int remains_read(struct remains *r, const struct memory_group *g, const struct machine_reader *m,
		 char *why, size_t size);

/*
 * The arithmetic of it: of[REMAINS_FREED] and the anonymous memory that is kept are set; the rest
 * follows.
 */
void remains_divide(struct remains *r, const struct memory_group *g);

void remains_print(const struct remains *r, const struct memory_group *g, FILE *out);
json_t *remains_json(const struct remains *r);

#endif
