// SPDX-License-Identifier: MIT
/* Classifies the page frames of a machine, and adds them up by kind. */
#ifndef RSSCK_MACHINE_FRAMES_H
#define RSSCK_MACHINE_FRAMES_H

#include "zones.h"
#include <rssck/host.h>

/* The state of frames_count() between two frames. */
struct frames_run {
	uint64_t head;  /* flags of the head of the current folio; 0: none */
	int64_t length; /* number of frames of the folio that were counted so far */
	int64_t huge;   /* number of frames of a folio that a PMD maps; 0: the machine has no huge
			   pages */
	int64_t page_kb;
	bool by_age; /* KPF_ACTIVE tells active from inactive pages; false with the
			multi-generational LRU */
};

/*
 * frames_count() adds `n` consecutive frames that have the same flags; `mapped` says whether they
 * are mapped. frames_end() ends the last folio.
 */
void frames_count(struct machine_values *v, struct frames_run *r, uint64_t flags, bool mapped,
		  int64_t n);
void frames_end(struct machine_values *v, struct frames_run *r);

/* Sets all sums of frames to 0. */
void frames_begin(struct machine_values *v, struct frames_run *r);

/*
 * A cgroup, by its inode, with the number of frames that have no flag and are charged to the
 * cgroup.
 */
struct frames_group {
	uint64_t inode;
	int64_t pages;
};

enum { FRAMES_GROUPS = 4096 };

struct frames_threads;

struct frames_reader {
	int flags, counts, groups;      /* file descriptors; groups: -1 if cgroups are not read */
	struct frames_threads *threads; /* owned; started early, to avoid page faults later */
	struct frames_group *of;        /* owned: a hash table by inode */
	struct zone_blocks blocks;
	bool grouped; /* `of` is complete; set this to false to read the cgroups again */
	/* If not NULL, only frames charged to one of these sorted inodes are counted. */
	const uint64_t *only;
	size_t nr_only;
};

/* Returns 0, or -1 with a sentence in `why`. */
int frames_open(struct frames_reader *f, const struct host *h, bool groups, char *why, size_t size);
void frames_close(struct frames_reader *f);

/*
 * Reads all frames of the zones. Sets the frame sums of each zone in the zone's values, and the
 * sums of all zones in *v. Returns 0 or a negative errno.
 */
int frames_read(struct frames_reader *f, struct zones *z, const struct frames_run *how,
		struct machine_values *v);

/* Returns the cgroup with the most frames that have no flag; its inode is 0 if there is none. */
struct frames_group frames_largest_group(const struct frames_reader *f);

#endif
