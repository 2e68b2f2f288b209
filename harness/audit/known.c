// SPDX-License-Identifier: MIT
/* Leaves out what is known to be wrong. */
#include "known.h"
#include <stdlib.h>
#include <string.h>

/*
 * Bit 56 of pagemap is the first page's, of all 512 that a PMD maps, on all kernels but 6.11 to
 * 6.15 (pagemap_pmd_range(); thp/exclusive_by_page tells which): of a huge page that is shared in
 * part it is wrong, and that is known.
 */
static bool is_of_huge_pages(const struct snapshot *s, const struct discrepancy *d)
{
	static const enum metric_id by_pmd[] = { METRIC_SMAPS_ANONHUGEPAGES,
						 METRIC_SMAPS_SHMEMPMDMAPPED,
						 METRIC_SMAPS_FILEPMDMAPPED };
	int64_t huge = 0;

	for (size_t i = 0; i < sizeof(by_pmd) / sizeof(*by_pmd); i++)
		huge += s->values.have[by_pmd[i]] ? s->values.of[by_pmd[i]] : 0;
	return huge && strstr(d->text, "exclusive") != NULL;
}

/*
 * A page whose memory has failed leaves the counters and the page tables, and smaps still has it
 * (anonymous/poisoned): two numbers of a process may differ by as many as it has of them.
 */
static bool is_of_poison(const struct snapshot *s, const struct discrepancy *d, long page_size)
{
	int64_t pages = 0, off = llabs(d->counter - d->precise);

	for (size_t i = 0; i < s->nr_maps; i++)
		pages += s->maps[i].pagemap.poisoned;
	if (!pages)
		return false;
	if (discrepancy_is_kb(d))
		return off <= d->bound + pages * page_size / 1024;
	return !strcmp(d->unit, "pages") && off <= d->bound + pages;
}

void known_leave_out(const struct snapshot *s, long page_size, struct judgement *j)
{
	j->failed = false;
	for (size_t i = 0; i < j->nr_discrepancies; i++) {
		struct discrepancy *d = &j->discrepancies[i];

		d->fails &= !is_of_huge_pages(s, d) && !is_of_poison(s, d, page_size);
		j->failed |= d->fails;
	}
}
