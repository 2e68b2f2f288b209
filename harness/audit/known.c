// SPDX-License-Identifier: MIT
/*
 * Excuses discrepancies that a known bug explains. The broken rule names the bugs; a function tests
 * whether the process can have met the bug.
 */
#include "known.h"
#include <rssck/bug_id.h>
#include <stdlib.h>

/*
 * Up to 6.10, and from 6.16 on, bit 56 of pagemap is wrong for a huge page of which only some pages
 * are shared: the kernel takes it from the first page that the PMD maps (pagemap_pmd_range()).
 * thp/exclusive_by_page shows which kernels do that.
 */
static bool has_huge_pages(const struct snapshot *s, const struct discrepancy *d, long page_size)
{
	(void)d;
	(void)page_size;
	return snapshot_huge_kb(s);
}

/*
 * A poisoned page leaves the counters and the page tables, but smaps still counts it
 * (anonymous/poisoned).
 */
static bool is_off_by_poison(const struct snapshot *s, const struct discrepancy *d, long page_size)
{
	int64_t pages = 0, off = llabs(d->counter - d->precise);

	for (size_t i = 0; i < s->nr_maps; i++)
		pages += s->maps[i].pagemap.poisoned;
	if (!pages)
		return false;
	if (discrepancy_is_kb(d))
		return off <= d->bound + pages * page_size / 1024;
	return discrepancy_is_pages(d) && off <= d->bound + pages;
}

static bool is_known(const struct snapshot *s, const struct discrepancy *d, long page_size)
{
	static bool (*const explains[BUG_COUNT])(const struct snapshot *s,
						 const struct discrepancy *d, long page_size) = {
		[BUG_EXCLUSIVE_FIRST_PAGE] = has_huge_pages,
		[BUG_POISONED_IN_SMAPS] = is_off_by_poison,
	};
	enum bug_id b;

	for (size_t i = 0; (b = rule_bug(d->rule, i)) != BUG_NONE; i++)
		if (explains[b] && explains[b](s, d, page_size))
			return true;
	return false;
}

void known_leave_out(const struct snapshot *s, long page_size, struct judgement *j)
{
	j->failed = false;
	for (size_t i = 0; i < j->nr_discrepancies; i++) {
		struct discrepancy *d = &j->discrepancies[i];

		d->fails &= !is_known(s, d, page_size);
		j->failed |= d->fails;
	}
}
