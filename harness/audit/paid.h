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

/* The state of one of these numbers, over all audits so far, in pages. */
struct paid {
	bool seen;
	int64_t off, bound; /* the largest amount below or above its range in any one audit */
	/* For "below" and "above": in how many consecutive audits, and since when (ms). */
	unsigned times[2];
	int64_t since[2];
	bool stayed[2];   /* broken for PAID_STAYS_MS in one audit: it is wrong */
	bool unconfirmed; /* broken when last read, and it could not be read again */
};

/* Each CPU's part is added every two seconds (FLUSH_TIME), or later. */
enum { PAID_STAYS_MS = 5000 };

/*
 * The range that a number may have, and its value read before and after the range was
 * determined: in pages.
 */
struct paid_entry {
	bool have;
	int64_t least, most; /* most -1: any */
	int64_t low, high;
	int64_t bound; /* the amount that the kernel may hold back */
};

/* Sums over the processes, from their own files. */
struct paid_sums {
	int64_t huge_most, huge; /* AnonHugePages: the largest of one process, and the sum */
	int64_t tables; /* VmPTE without the tables above the third level from the bottom */
	int64_t swap;   /* SwapPss */
	int64_t threads, ended;
};

/* How far a number is outside its range: below 0, above 0, or 0. */
int64_t paid_off(const struct paid_entry *b);

/* Computes the range of each number. */
void paid_expect(const struct charged *c, const struct paid_sums *s, int64_t stack,
		 struct paid_entry *b);

/*
 * Call while all processes of the program are stopped, with one snapshot for each address space,
 * whose pages have been collected.
 */
void paid_judge(struct auditor *a, struct point *p, struct snapshot *const *s, size_t nr);

/* Call after it has ended: what was charged must have been uncharged. */
void paid_judge_end(struct auditor *a);

#endif
