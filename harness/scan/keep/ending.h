// SPDX-License-Identifier: MIT
/* The memory that ending some processes frees. */
#ifndef RSSCK_SCAN_ENDING_H
#define RSSCK_SCAN_ENDING_H

#include "frame_list.h"
#include "keepers.h"
#include <jansson.h>
#include <stdio.h>

/* Sizes in kB. */
struct ending {
	size_t nr;          /* processes that were read */
	int64_t anon;       /* anonymous pages that no other process maps */
	int64_t anon_maybe; /* those that others may map as well: only their page frames show that
			     * (root) */
	int64_t swap;       /* its share of swap (SwapPss), without shmem */
	int64_t tables;     /* page tables */
	int64_t stacks;     /* kernel stacks of threads; 0: their size is not known */
	int64_t hugetlb;    /* to its pool */
	int64_t shmem;      /* all pages of objects that nothing else keeps */
	int64_t shmem_swap; /* of these, on swap */
	int64_t shmem_unmapped; /* those of them that none of the processes maps at the moment */
	int64_t kept;           /* of objects that other users keep */
	bool whole;             /* all objects could be measured; else shmem is a minimum */
	struct objects objects;
	/* With `charged`: what is charged to those cgroups, of anon and of the mapped pages of
	 * shmem. */
	int64_t anon_charged, shmem_charged;
	int64_t anon_kept; /* charged to them, and mapped by other processes as well */
};

/*
 * The memory that ending those processes together frees. A process that is gone is left out.
 * Returns 0, or -1 with a sentence in `why`.
 */
int ending_read(struct ending *e, const pid_t *pids, size_t nr, const struct host *h, char *why,
		size_t size);
/* The same, and what of it is charged to these cgroups. */
int ending_read_charged(struct ending *e, const pid_t *pids, size_t nr, const struct host *h,
			const struct cgroup_set *charged, char *why, size_t size);
void ending_free(struct ending *e);

/*
 * In memory, on swap, page tables and stacks. Other objects of the kernel (tasks, mappings, open
 * files) are freed, too, but no file counts them for a process.
 */
int64_t ending_total(const struct ending *e);

/*
 * Anonymous pages of a mapping, or of all (NULL), that only this process maps, in kB; or a negative
 * errno.
 */
int64_t anon_alone(const struct snapshot *s, const struct mapping *only, const struct host *h);

/* `what`: "the process", "all 12 of postgres". */
void ending_print(const struct ending *e, const char *what, FILE *out);
json_t *ending_json(const struct ending *e);

#endif
