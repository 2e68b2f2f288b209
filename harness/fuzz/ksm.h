// SPDX-License-Identifier: MIT
/* Compares KSM's counts of each process with its counts of the machine, in a guest of rssck vm. */
#ifndef RSSCK_FUZZ_KSM_H
#define RSSCK_FUZZ_KSM_H

#include "ledger.h"

/* KSM's numbers for a process, or for the machine; -1: this kernel does not print the number. */
struct ksm_numbers {
	int64_t items;   /* rmap items: pages that KSM remembers */
	int64_t merging; /* rmap items that are merged */
	int64_t zeroes;  /* zero pages that KSM has placed */
};

struct ksm {
	bool here;                            /* in a guest, and the kernel has KSM counts for
					       * each process (Linux 6.1) */
	bool inherits;                        /* a known bug was met, and no sum can be checked
					       * any more */
	bool begins_anew;                     /* a child without items was seen whose parent has
					       * items */
	bool unscanned[ACT_PROCESSES];        /* forked, and ksmd has not scanned since */
	struct ksm_numbers of[ACT_PROCESSES]; /* of[i] is all -1 if process i does not exist */
	struct ksm_numbers machine;
	int64_t of_nobody; /* zero pages in the machine's count that no process will subtract */
	/*
	 * ksm_fork() adds all of the parent's zero pages to the machine's count. The child does not
	 * get the zero pages in MADV_DONTFORK and MADV_WIPEONFORK memory: a known bug (known.h).
	 */
	int64_t kept[ACT_PROCESSES]; /* zero pages in MADV_DONTFORK and MADV_WIPEONFORK memory, when
				      * last read */
	int64_t stays[ACT_PROCESSES]; /* upper limit for the zero pages that were counted for a
				       * child but do not exist */
	int64_t ended; /* the sum of stays[] for processes and helpers that have ended since the
			* last comparison */
	bool stayed;   /* the last comparison found zero pages that were counted but do not exist */
};

/* Call at the start of a workload, when no process of an earlier workload exists. */
void ksm_open(struct ksm *k);

/* Call after each operation: notes which processes ksmd has not scanned yet. */
void ksm_act(struct ksm *k, const struct act *a, const struct act_outcome *o);

/*
 * Call before concurrent operations: any of them may set or clear MADV_DONTFORK or MADV_WIPEONFORK.
 */
void ksm_race(struct ksm *k);

/*
 * ksm_look() reads the machine's numbers, ksm_look_at() reads those of the process in *s. If `s` is
 * NULL, the process does not exist.
 */
void ksm_look(struct ksm *k);
void ksm_look_at(struct ksm *k, unsigned process, const struct snapshot *s);

/*
 * Call while ksmd is stopped. Returns false and sets *d in three cases: the sum over the processes
 * exceeds KSM's total; KSM's total of zero pages exceeds the sum by more than k->ended; zero pages
 * remain although everything is unmapped (`closed`). Two known bugs (known.h) are not errors. If a
 * child has inherited counts, k->inherits is set, and no sum is checked from then on. If zero pages
 * were counted for a child that did not get them (kept[]), k->stayed is set, and these pages belong
 * to no process. Adds the number of comparisons to *nr.
 */
bool ksm_agrees(struct ksm *k, bool closed, uint64_t *nr, struct discrepancy *d);

#endif
