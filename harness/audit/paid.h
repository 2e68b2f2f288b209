// SPDX-License-Identifier: MIT
/* Compares the numbers of a program's cgroup with what its processes map. */
#ifndef RSSCK_AUDIT_PAID_H
#define RSSCK_AUDIT_PAID_H

#include "group.h"
#include "tree.h"
#include <rssck/host.h>
#include <rssck/snapshot.h>

struct auditor;
struct point;

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

/* Returns a name such as "memory.stat anon". */
const char *paid_name(enum paid_number n);

/* The history of one number over all audits, in pages. Index 0 is below the range, 1 above. */
struct paid {
	bool seen;
	int64_t off, bound; /* the difference that was furthest outside the range in one audit, and
			       its bound */
	/*
	 * `times` counts the consecutive audits in which the number was broken; `since` is the time
	 * of the first of them, in ms.
	 */
	unsigned times[2];
	int64_t since[2];
	bool stayed[2];   /* broken for the auditor's stays_ms in one audit, so it is wrong */
	bool unconfirmed; /* broken when it was last read, and could not be read again */
};

/* Longer than the two seconds (FLUSH_TIME) after which each CPU's part is usually added. */
enum { PAID_STAYS_MS = 5000 };

/*
 * In pages: the range that a number may have, and the lowest and highest value read before and
 * after the range was determined.
 */
struct paid_entry {
	bool have;
	int64_t least, most; /* `most` is -1 if there is no upper limit */
	int64_t low, high;
	int64_t bound; /* how many pages the kernel may hold back */
};

/* In pages, except `threads` and `ended`: the numbers of threads and of ended processes. */
struct paid_sums {
	int64_t huge_most, huge; /* AnonHugePages: the largest of one process, and the sum */
	int64_t tables;          /* VmPTE, less the possible third-level tables */
	int64_t swap;            /* SwapPss */
	int64_t threads, ended;
};

/*
 * Returns by how many pages a number is outside its range: negative below, positive above, 0
 * inside.
 */
int64_t paid_off(const struct paid_entry *b);

/*
 * Computes the range of each number. `stack` is the size of a thread's kernel stack in pages; 0 if
 * unknown.
 */
void paid_expect(const struct charged *c, const struct paid_sums *s, int64_t stack,
		 struct paid_entry *b);

/*
 * Judges the cgroup. All processes of the program must be stopped. Each address space needs exactly
 * one snapshot, with its pages collected.
 */
void paid_judge(struct auditor *a, struct point *p, struct snapshot *const *s, size_t nr);

/* Checks that memory was uncharged. Call it after the program has ended. */
void paid_judge_end(struct auditor *a);

#endif
