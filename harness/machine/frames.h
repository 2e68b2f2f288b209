// SPDX-License-Identifier: MIT
/* Classifies the page frames of a machine, and adds them up. */
#ifndef RSSCK_MACHINE_FRAMES_H
#define RSSCK_MACHINE_FRAMES_H

#include "zones.h"
#include <rssck/host.h>

/* State that is carried from frame to frame. */
struct frames_run {
	uint64_t head;  /* flags of the folio's head; 0: there is none */
	int64_t length; /* number of the folio's frames so far */
	int64_t huge;   /* number of frames in a folio that a PMD maps; 0: there is none */
	int64_t page_kb;
	bool by_age; /* flags distinguish active from inactive, because there is no
		      * multi-generational LRU */
};

/*
 * Add `n` frames in a row, by the flags that they have in common and by whether they are mapped.
 * frames_end(): there are no more.
 */
void frames_count(struct machine_values *v, struct frames_run *r, uint64_t flags, bool mapped,
		  int64_t n);
void frames_end(struct machine_values *v, struct frames_run *r);

/* Sets all sums to 0. */
void frames_begin(struct machine_values *v, struct frames_run *r);

/* A cgroup, by its inode, and the number of frames without a flag that are charged to it. */
struct frames_group {
	uint64_t inode;
	int64_t pages;
};

enum { FRAMES_GROUPS = 4096 };

struct frames_crew;

struct frames_reader {
	int flags, counts, groups; /* descriptors; groups: -1 if cgroups are not read */
	struct frames_crew *crew;  /* owned: its threads wait, so no page fault happens while they
				    * read */
	struct frames_group *of;   /* owned: a hash table */
	bool grouped;              /* `of` is filled in; set it to false to read it again */
	/* If not NULL: count only frames charged to one of these inodes, which are sorted. */
	const uint64_t *only;
	size_t nr_only;
};

/* Returns 0, or -1 with a sentence in `why`. */
int frames_open(struct frames_reader *f, const struct host *h, bool groups, char *why, size_t size);
void frames_close(struct frames_reader *f);

/*
 * Reads all frames of the zones: adds the sums of each zone to its values, and of all to *v.
 * Returns 0 or a negative errno.
 */
int frames_read(struct frames_reader *f, struct zones *z, const struct frames_run *how,
		struct machine_values *v);

/* The cgroup to which the most frames without a flag are charged; inode 0: there is none. */
struct frames_group frames_largest_group(const struct frames_reader *f);

#endif
