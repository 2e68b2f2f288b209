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

struct guest {
	bool only;           /* no other job moves the machine's numbers */
	struct alone before; /* as the worker has begun */
	int64_t numbers[GUEST_NUMBERS];
	struct ksm ksm;
};

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
