// SPDX-License-Identifier: MIT
/* The rows of history.def that random programs meet. */
#include "known.h"
#include <string.h>

static const char *const titles[KNOWN_COUNT] = {
	[KNOWN_LOCKS] = "VmLck counts memory that MREMAP_DONTUNMAP has left unlocked",
	[KNOWN_SELF_MERGE] = "MREMAP_DONTUNMAP beside itself leaves VmLck raised",
	[KNOWN_DROPPABLE] = "droppable memory is locked by MCL_FUTURE",
	[KNOWN_PEAK] = "VmHWM falls without a reset",
	[KNOWN_FIRST_PAGE] =
		"the first page of a huge page decides whether all of them are exclusive",
	[KNOWN_NO_ACCESS] = "smaps leaves out a huge page that is PROT_NONE",
	[KNOWN_MARKERS] =
		"PAGEMAP_SCAN calls a hugetlb page swapped that is only marked as protected",
	[KNOWN_LARGE_ENTRY] = "Swap of a part of a shmem file has all of a large swap entry in it",
	[KNOWN_KSM_FORK] = "a child inherits KSM's numbers of its parent",
	[KNOWN_KSM_KEPT] = "ksm_zero_pages of the machine keeps counting what a fork has left out",
	[KNOWN_SHARED_TABLE] =
		"a hugetlb page that several processes map by one page table is private",
	[KNOWN_WATCH] = "mremap takes userfaultfd away from memory that it has not moved",
	[KNOWN_SWAPOFF] = "swapoff loses the soft-dirty and uffd-wp marks of what it brings back",
	[KNOWN_OFFSETS] = "Swap of a shmem mapping is asked for with addresses in place of offsets",
	[KNOWN_UNWRITTEN] =
		"the fast path of PAGEMAP_SCAN calls an empty entry written, the generic one does not",
};

enum known known_answer(const struct verb *v, const struct act_outcome *o)
{
	static const struct {
		void (*run)(struct worker *k, const struct act *a);
		enum known known;
	} none[] = { { verb_shared_table, KNOWN_SHARED_TABLE }, { verb_swap_ask, KNOWN_OFFSETS } };

	/* A private mapping is asked entry by entry, a shared one of all of the file is not. */
	if (v->run == verb_swap_ask && o->seen > o->expected)
		return KNOWN_LARGE_ENTRY;
	for (size_t i = 0; i < sizeof(none) / sizeof(*none) && !o->seen; i++)
		if (v->run == none[i].run)
			return none[i].known;
	return KNOWN_COUNT;
}

void known_to_ledger(const struct ledger_process *p, uint64_t met[KNOWN_COUNT])
{
	met[KNOWN_PEAK] += p->forgot_peak;
	met[KNOWN_SWAPOFF] += p->lost_marks;
	met[KNOWN_DROPPABLE] += p->locked_droppable;
}

const struct bug *known_bug(enum known k)
{
	size_t nr;
	const struct bug *all = bugs_all(&nr);

	for (size_t i = 0; i < nr; i++)
		if (!strcmp(all[i].title, titles[k]))
			return &all[i];
	return NULL;
}
