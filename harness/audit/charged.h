// SPDX-License-Identifier: MIT
/* Counts the page frames of a program by the cgroup that is charged for them. */
#ifndef RSSCK_AUDIT_CHARGED_H
#define RSSCK_AUDIT_CHARGED_H

#include "group.h"
#include <rssck/host.h>
#include <rssck/snapshot.h>

/*
 * Frames that the processes map: those charged to the program's cgroup, and anonymous frames
 * charged to no cgroup. Each frame is counted once.
 */
struct charged {
	int64_t all, anon, file, shmem; /* shmem is a part of file */
	int64_t nobodys;
	bool parts; /* some of the cgroup's large anonymous folios are only partly mapped */
};

/* Counts the frames in the snapshots' page lists. Returns 0 or a negative errno. */
int charged_count(const struct host *h, const struct group *g, struct snapshot *const *s, size_t nr,
		  struct charged *c);

#endif
