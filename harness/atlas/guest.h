// SPDX-License-Identifier: MIT
/*
 * In a guest of rssck vm nothing else uses memory: the machine's own numbers are checked, too, and
 * KSM's of each process against those of the machine.
 */
#ifndef RSSCK_ATLAS_GUEST_H
#define RSSCK_ATLAS_GUEST_H

#include "fuzz/alone.h"
#include "fuzz/ksm.h"
#include "look.h"

/* What is not in meminfo, or not only there. */
enum guest_number { GUEST_PINNED, GUEST_HUGETLB, GUEST_NUMBERS };

enum { GUEST_PATH = 256 };

struct guest {
	bool only;           /* no other job moves the machine's numbers */
	struct alone before; /* as the worker has begun */
	int64_t numbers[GUEST_NUMBERS];
	struct ksm ksm;
};

/* The numbers below a root, "" for the machine's own; -1: this kernel does not print it. */
void guest_read(const char *root, int64_t of[GUEST_NUMBERS]);

/* Whether a file of hugetlb's pool is the sum of the nodes' ones: of all nodes there are. */
bool guest_nodes_agree(const char *root, uint64_t kb, const char *file, struct discrepancy *d);

/* A worker has begun. Outside a guest nothing is read, and everything agrees. */
void guest_begin(struct guest *g);

/*
 * While all stand still: whether KSM's numbers agree; *nr grows by the number of comparisons. A
 * child that has inherited its parent's is a known bug: d->process is 1 then.
 */
bool guest_ksm_agrees(struct guest *g, const struct look *l, uint64_t *nr, struct discrepancy *d);

/* With everything unmapped: whether the machine's numbers are as the worker has found them. */
bool guest_is_as_before(const struct guest *g, uint64_t huge_page_size, uint64_t *nr,
			struct discrepancy *d);

#endif
