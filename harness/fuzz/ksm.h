// SPDX-License-Identifier: MIT
/* What KSM counts of each process, beside what it counts of the machine: in a guest of rssck vm. */
#ifndef RSSCK_FUZZ_KSM_H
#define RSSCK_FUZZ_KSM_H

#include "ledger.h"
#include <sys/types.h>

/* Of a process, or of the machine; -1: this kernel does not tell. */
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
	int64_t of_nobody; /* zero pages that the machine counted before there was a process */
};

/* One workload begins, and no process of an earlier one is there. */
void ksm_open(struct ksm *k);

/* What an act means for who has been scanned. */
void ksm_act(struct ksm *k, const struct act *a, const struct act_outcome *o);

/* pid 0: of the machine. */
void ksm_read(pid_t pid, struct ksm_numbers *n);

/*
 * ksmd stands still. False, and *m: the processes have in sum more than KSM has in all, or zero
 * pages where everything is unmapped (`closed`). What a child has inherited is a known bug
 * (known.h): k->inherits is set, and no sum is wrong from then on. *nr grows by what was compared.
 */
bool ksm_agrees(struct ksm *k, bool closed, uint64_t *nr, struct mismatch *m);

#endif
