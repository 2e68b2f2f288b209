// SPDX-License-Identifier: MIT
/* What the end of some processes gives back. */
#ifndef RSSCK_SCAN_ENDING_H
#define RSSCK_SCAN_ENDING_H

#include "keepers.h"
#include <jansson.h>
#include <stdio.h>

/* Sizes in kB. */
struct ending {
	size_t nr;          /* processes that were read */
	int64_t anon;       /* anonymous pages that nobody else maps */
	int64_t anon_maybe; /* those that others may map as well: who is only in their page frames
			       (root) */
	int64_t swap;       /* its share of what is on swap (SwapPss), shmem left out */
	int64_t tables;     /* page tables */
	int64_t hugetlb;    /* to its pool */
	int64_t shmem;      /* of objects that nothing keeps, all pages of them */
	int64_t shmem_swap; /* of these, on swap */
	int64_t shmem_unmapped; /* of these, what none of the processes maps just now */
	int64_t kept;           /* of objects that stay */
	bool whole;             /* the objects could be measured; else shmem is the least */
	struct objects objects;
};

/*
 * What those processes give back together. A process that is gone is left out. Returns 0, or
 * -1 with a sentence in `why`.
 */
int ending_read(struct ending *e, const pid_t *pids, size_t nr, const struct host *h, char *why,
		size_t size);
void ending_free(struct ending *e);

/* In memory, or on swap, and its page tables: all that is given back. */
int64_t ending_total(const struct ending *e);

/*
 * Anonymous pages of a mapping, or of all (NULL), that nobody but this process maps, in kB. Returns
 * it, or a negative errno.
 */
int64_t anon_alone(const struct snapshot *s, const struct mapping *only, const struct host *h);

/* `what`: "the process", "all 12 of postgres". */
void ending_print(const struct ending *e, const char *what, FILE *out);
json_t *ending_json(const struct ending *e);

#endif
