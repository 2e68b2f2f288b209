// SPDX-License-Identifier: MIT
/* The numbers of a program's cgroup against what its processes map. */
#ifndef RSSCK_AUDIT_PAID_H
#define RSSCK_AUDIT_PAID_H

#include "charged.h"
#include "tree.h"

struct auditor;
struct point;

/* The numbers that are compared. */
enum paid_number {
	PAID_CURRENT,
	PAID_ANON,
	PAID_FILE_MAPPED,
	PAID_SHMEM,
	PAID_ANON_THP,
	PAID_KERNEL_STACK,
	PAID_PAGETABLES,
	PAID_SWAP,
	PAID_NOBODYS,
	PAID_COUNT,
};

/* "memory.stat anon" */
const char *paid_name(enum paid_number n);

/* What one of them has been so far, all in pages. */
struct paid {
	bool seen;
	int64_t off, bound; /* the most that it was below or above what it may be, by itself */
	/* Below, and above, by more: at how many audits in a row, and since when (ms). */
	unsigned times[2];
	int64_t since[2];
	bool stayed[2];   /* so in one audit for as long as PAID_STAYS_MS: it is wrong */
	bool unconfirmed; /* broken when it was last seen, and it could not be looked at again */
};

/* Each CPU's part is added every two seconds (FLUSH_TIME), and late. */
enum { PAID_STAYS_MS = 5000 };

/* What one may be, and what was read before and after it was found out: in pages. */
struct paid_book {
	bool have;
	int64_t least, most; /* most -1: any */
	int64_t low, high;
	int64_t bound; /* what the kernel may hold back of it */
};

/* What the processes together have, as their own files tell. */
struct paid_sums {
	int64_t huge_most, huge; /* AnonHugePages: of one, of all */
	int64_t tables;          /* VmPTE without the tables above the third level from below */
	int64_t swap;            /* SwapPss */
	int64_t threads, ended;
};

/* How far outside: below 0, above 0, or 0. */
int64_t paid_off(const struct paid_book *b);

/* What follows for each number. */
void paid_expect(const struct charged *c, const struct paid_sums *s, int64_t stack,
		 struct paid_book *b);

/* All processes of the program stand still; the snapshots are of one address space each, and their
 * pages have been collected. */
void paid_judge(struct auditor *a, struct point *p, struct snapshot *const *s, size_t nr);

/* When it has ended: what was paid for is given back. */
void paid_judge_end(struct auditor *a);

#endif
