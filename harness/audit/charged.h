// SPDX-License-Identifier: MIT
/* The page frames of a program by the cgroup that is charged for them. */
#ifndef RSSCK_AUDIT_CHARGED_H
#define RSSCK_AUDIT_CHARGED_H

#include "group.h"
#include <rssck/host.h>
#include <rssck/snapshot.h>

/*
 * Frames that the processes map, each counted once: those charged to the cgroup, and anonymous ones
 * charged to no cgroup.
 */
struct charged {
	int64_t all, anon, file, shmem; /* shmem is a part of file */
	int64_t nobodys;
	bool parts; /* some anonymous large folios of the cgroup are mapped only in part */
};

/* Counts the pages that were collected. Returns 0 or a negative errno. */
int charged_count(const struct host *h, const struct group *g, struct snapshot *const *s, size_t nr,
		  struct charged *c);

#endif
