// SPDX-License-Identifier: MIT
/* Bugs of kernels as they are that random programs meet: named, and no findings. */
#ifndef RSSCK_FUZZ_KNOWN_H
#define RSSCK_FUZZ_KNOWN_H

#include "agent/verbs/verbs.h"
#include "ledger.h"
#include <rssck/bug.h>

enum known {
	KNOWN_LOCKS,      /* VmLck stays above by the pages that MREMAP_DONTUNMAP has unlocked */
	KNOWN_SELF_MERGE, /* the same of what it has moved to right beside itself */
	KNOWN_DROPPABLE,  /* droppable memory is locked by MCL_FUTURE */
	KNOWN_PEAK,    /* VmHWM is below what was seen, by pages that a split has mapped to the zero
			  page */
	KNOWN_MARKERS, /* PAGEMAP_SCAN calls markers of userfaultfd swapped */
	KNOWN_FIRST_PAGE,   /* bit 56 of a huge page is that of its first page */
	KNOWN_NO_ACCESS,    /* smaps leaves out a huge page that is PROT_NONE */
	KNOWN_LARGE_ENTRY,  /* Swap of a part of a shmem file has large entries whole */
	KNOWN_KSM_FORK,     /* a child begins with what KSM counts of its parent */
	KNOWN_KSM_KEPT,     /* zero pages of KSM in memory that a fork leaves out count for ever */
	KNOWN_SHARED_TABLE, /* a hugetlb page that is mapped by a shared page table is private */
	KNOWN_UNWRITTEN, /* who asks PAGEMAP_SCAN for more than WRITTEN is told that empty entries
			    are not */
	KNOWN_WATCH,   /* what a move has merged with is not watched by its userfaultfd any more */
	KNOWN_SWAPOFF, /* what swapoff brings back has no mark, neither soft-dirty nor userfaultfd's
			*/
	KNOWN_OFFSETS, /* Swap of a private shmem mapping that nobody has touched is 0 */
	KNOWN_COUNT,
};

/* Its row in history.def. */
const struct bug *known_bug(enum known k);

/* What a wrong answer of a verb that asks shows; KNOWN_COUNT: nothing that is known. */
enum known known_answer(const struct verb *v, const struct act_outcome *o);

/* What the ledger has met in a process since the last act, counted once more each. */
void known_to_ledger(const struct ledger_process *p, uint64_t met[KNOWN_COUNT]);

#endif
