// SPDX-License-Identifier: MIT
/* Collects page frames, and counts those charged to a cgroup. */
#ifndef RSSCK_SCAN_FRAME_LIST_H
#define RSSCK_SCAN_FRAME_LIST_H

#include <rssck/host.h>
#include <stddef.h>
#include <stdint.h>

struct frame_list {
	uint64_t *pfns; /* owned */
	size_t nr;
};

/* A cgroup and all cgroups below it. */
struct cgroup_set {
	int groups;             /* descriptor of /proc/kpagecgroup */
	const uint64_t *inodes; /* sorted */
	size_t nr;
};

void frame_list_add(struct frame_list *l, uint64_t pfn);

/* Sorts the list and removes duplicates. */
void frame_list_unique(struct frame_list *l);
void frame_list_free(struct frame_list *l);

/* Returns the number of frames charged to the cgroups, or a negative errno. */
int64_t frame_list_charged(const struct cgroup_set *c, const struct host *h,
			   const struct frame_list *l);

#endif
