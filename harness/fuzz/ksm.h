// SPDX-License-Identifier: MIT
/* What KSM counts of each process, beside what it counts of the machine: in a guest of rssck vm. */
#ifndef RSSCK_FUZZ_KSM_H
#define RSSCK_FUZZ_KSM_H

#include "ledger.h"

/* KSM's numbers of a process, or of the machine; -1: this kernel does not print it. */
struct ksm_numbers {
	int64_t items;   /* rmap items: pages that it keeps in mind */
	int64_t merging; /* of those, the ones that are merged */
	int64_t zeroes;  /* zero pages that it has placed */
};

struct ksm {
	bool here;                            /* a guest, and KSM counts by process (Linux 6.1) */
	bool inherits;                        /* a known bug, after which no sum holds */
	bool begins_anew;                     /* seen: a child of who has items has none */
	bool unscanned[ACT_PROCESSES];        /* forked, and ksmd has gone no round since */
	struct ksm_numbers of[ACT_PROCESSES]; /* all -1: no such process */
	struct ksm_numbers machine;
	int64_t of_nobody; /* zero pages that the machine counts, and no process will take off */
	/*
	 * ksm_fork() adds to the machine's zero pages all of a parent's, of which a child does not
	 * get those in memory that is kept from it or wiped: a known bug (known.h).
	 */
	int64_t kept[ACT_PROCESSES];  /* zero pages there, at the last look */
	int64_t stays[ACT_PROCESSES]; /* of those that a child counts so many at most are not there
				       */
	int64_t ended; /* the same of who has ended since the last look that compared */
	bool stayed;   /* the last look has found some */
};

/* One workload begins, and no process of an earlier one is there. */
void ksm_open(struct ksm *k);

/* What an act means for who has been scanned. */
void ksm_act(struct ksm *k, const struct act *a, const struct act_outcome *o);

/* Several acts follow at once: any of them may keep memory from a fork, and give it back. */
void ksm_race(struct ksm *k);

/* Read the numbers of the machine, and of a process, which is in *s; NULL: there is none. */
void ksm_look(struct ksm *k);
void ksm_look_at(struct ksm *k, unsigned process, const struct snapshot *s);

/*
 * ksmd stands still. False, and *d: the processes have in sum more than KSM has in all, or zero
 * pages where everything is unmapped (`closed`). What a child has inherited is a known bug
 * (known.h): k->inherits is set, and no sum is wrong from then on. So is what stays of memory that
 * was kept from a fork: k->stayed is set, and it is of nobody. *nr grows by what was compared.
 */
bool ksm_agrees(struct ksm *k, bool closed, uint64_t *nr, struct discrepancy *d);

#endif
