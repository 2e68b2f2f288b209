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
	bool here;                            /* a guest, and KSM counts by process (since Linux
					       * 6.1) */
	bool inherits;                        /* a known bug was met, after which no sum holds */
	bool begins_anew;                     /* a child of a process with items was seen to have
					       * none */
	bool unscanned[ACT_PROCESSES];        /* forked, and ksmd has made no scan since */
	struct ksm_numbers of[ACT_PROCESSES]; /* of[i] is all -1 if process i does not exist */
	struct ksm_numbers machine;
	int64_t of_nobody; /* zero pages that the machine counts and no process will subtract */
	/*
	 * ksm_fork() adds all of the parent's zero pages to the machine's, but a child does not get
	 * those in MADV_DONTFORK and MADV_WIPEONFORK memory: a known bug (known.h).
	 */
	int64_t kept[ACT_PROCESSES];  /* zero pages there, when last read */
	int64_t stays[ACT_PROCESSES]; /* at most this many of those counted for a child do not exist
				       */
	int64_t ended; /* the same for processes that have ended since the last comparison */
	bool stayed;   /* the last comparison found such counts */
};

/* A new workload begins, without any process of an earlier one. */
void ksm_open(struct ksm *k);

/* Notes which processes ksmd has not scanned yet after an operation. */
void ksm_act(struct ksm *k, const struct act *a, const struct act_outcome *o);

/* For concurrent operations: any of them may set or clear MADV_DONTFORK and MADV_WIPEONFORK. */
void ksm_race(struct ksm *k);

/*
 * ksm_look() reads the machine's numbers, ksm_look_at() those of the process in *s; NULL: there is
 * none.
 */
void ksm_look(struct ksm *k);
void ksm_look_at(struct ksm *k, unsigned process, const struct snapshot *s);

/*
 * Call while ksmd stands still. False, with *d, if the sum over the processes is more than KSM's
 * total, or if zero pages are left after everything is unmapped (`closed`). Counts that a child has
 * inherited are a known bug (known.h): k->inherits is set, and no sum is checked from then on.
 * Counts of zero pages that a child did not get (kept[]) are another: k->stayed is set, and they
 * belong to no process. *nr grows by the number of comparisons.
 */
bool ksm_agrees(struct ksm *k, bool closed, uint64_t *nr, struct discrepancy *d);

#endif
