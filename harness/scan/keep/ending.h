// SPDX-License-Identifier: MIT
/* Computes the memory that ending some processes would free. */
#ifndef RSSCK_SCAN_ENDING_H
#define RSSCK_SCAN_ENDING_H

#include "frame_list.h"
#include "keepers.h"
#include <jansson.h>
#include <stdio.h>

/* Sizes are in kB. */
struct ending {
	size_t nr;    /* number of processes that were read */
	int64_t anon; /* anonymous pages that no other process maps */
	/*
	 * Anonymous pages that other processes may map, too. Only root can see that, by their
	 * frames.
	 */
	int64_t anon_maybe;
	int64_t swap;       /* share of swap (SwapPss), without shmem */
	int64_t tables;     /* page tables */
	int64_t stacks;     /* kernel stacks of the threads; 0: unknown size */
	int64_t hugetlb;    /* hugetlb pages, which return to their pool */
	int64_t shmem;      /* pages of shared objects that nothing else keeps */
	int64_t shmem_swap; /* the part of shmem that is on swap */
	/* The part of shmem that none of the processes maps at the moment. */
	int64_t shmem_unmapped;
	bool unmapped_exact; /* otherwise shmem_unmapped is a maximum */
	int64_t kept;        /* pages of shared objects that something else keeps */
	bool whole;          /* all objects could be measured; otherwise shmem is a minimum */
	struct objects objects;
	/*
	 * Only with `charged`: how much of anon, and of the mapped and the unmapped pages of shmem,
	 * is charged to those cgroups.
	 */
	int64_t anon_charged, shmem_charged, unmapped_charged;
	int64_t anon_kept; /* charged to those cgroups, but mapped by other processes, too */
};

/*
 * Computes the memory that ending all those processes would free. Processes that are gone are left
 * out. Returns 0, or -1 with a message in `why`.
 */
int ending_read(struct ending *e, const pid_t *pids, size_t nr, const struct host *h, char *why,
		size_t size);
/* Like ending_read(). Also computes how much of that memory is charged to these cgroups. */
int ending_read_charged(struct ending *e, const pid_t *pids, size_t nr, const struct host *h,
			const struct cgroup_set *charged, char *why, size_t size);
void ending_free(struct ending *e);

/*
 * Returns the sum of anon, swap, tables, stacks and shmem. Other kernel objects (tasks, mappings,
 * open files) are freed, too, but no file counts them for a process.
 */
int64_t ending_total(const struct ending *e);

/*
 * Returns the anonymous memory of a mapping, or of all mappings (NULL), that only this process
 * maps, in kB. Returns a negative errno on failure.
 */
int64_t anon_alone(const struct snapshot *s, const struct mapping *only, const struct host *h);

/*
 * Writes the result as text. `what` names the processes: "the process", "all 12 processes of
 * postgres".
 */
void ending_print(const struct ending *e, const char *what, FILE *out);
json_t *ending_json(const struct ending *e);

#endif
