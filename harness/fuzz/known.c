// SPDX-License-Identifier: MIT
/*
 * The bugs of history.def that random programs can trigger. Each bug excuses only the differences
 * that it can cause.
 */
#include "known.h"
#include <stdlib.h>
#include <string.h>

enum bug_id known_answer(const struct verb *v, const struct act_outcome *o)
{
	/*
	 * Swap of a part of a shmem file includes all of a large swap entry, so it may be too
	 * large. Up to 5.15 the kernel looked swap entries up by address instead of file offset, so
	 * Swap may be 0.
	 */
	if (v->run == verb_swap_ask && o->seen > o->expected)
		return BUG_SHMEM_SWAP_LARGE;
	if (v->run == verb_swap_ask && !o->seen)
		return BUG_SHMEM_SWAP_OFFSETS;
	return BUG_NONE;
}

void known_to_ledger(const struct ledger_process *p, uint64_t met[BUG_COUNT])
{
	met[BUG_VMHWM_FALLS] += p->forgot_peak;
	met[BUG_SWAPOFF_MARKS] += p->lost_marks;
	met[BUG_DROPPABLE_LOCKED] += p->locked_droppable;
}

static int64_t markers_of(const struct ledger_process *p)
{
	int64_t markers = 0;

	for (unsigned r = 0; r < ACT_REGIONS; r++)
		markers += p->regions[r].top ? p->regions[r].markers : 0;
	return markers;
}

static int64_t protected_guards_of(const struct ledger_process *p)
{
	int64_t guards = 0;

	for (unsigned r = 0; r < ACT_REGIONS; r++)
		guards += p->regions[r].top ? p->regions[r].protected_guards : 0;
	return guards;
}

/*
 * userfaultfd's markers are entries without a page. pte_to_pagemap_entry() and PAGEMAP_SCAN report
 * any entry that is neither empty nor a page as swapped, so they report markers, too. rssck leaves
 * out of pagemap's sums the markers that it can recognize. The sum of written and protected pages
 * can then exceed the number of entries.
 */
static bool is_marker(const struct known_about *a, const struct discrepancy *d)
{
	int64_t markers = markers_of(&a->l->of[a->process]), more = d->counter - d->precise;

	if (d->id == METRIC_SCAN_WRITTEN || d->rule == RULE_MAPPING_SCAN_WRITTEN)
		return llabs(more) <= markers + protected_guards_of(&a->l->of[a->process]);
	if (d->id == METRIC_PAGEMAP_SWAP)
		return llabs(more) <= markers;
	/*
	 * If rssck cannot tell a marker from a swap entry, VmSwap is smaller than pagemap's count
	 * by the number of markers.
	 */
	if (d->id == METRIC_STATUS_VMSWAP)
		return !a->place->sees_pfns && more < 0 && -more <= markers;
	if (d->id == METRIC_SCAN_SWAPPED ? more != markers
					 : d->rule != RULE_MAPPING_SCAN_SWAPPED || more > markers)
		return false;
	a->met[BUG_SCAN_HUGETLB_MARKER] += more > 0;
	return more > 0;
}

/*
 * After MREMAP_DONTUNMAP has removed locks, VmLck still counts them. Excuses at most that many
 * pages.
 */
static bool is_lost_lock(const struct known_about *a, const struct discrepancy *d)
{
	int64_t lost, more = d->counter - d->precise;

	if (d->id != METRIC_STATUS_VMLCK)
		return false;
	lost = ledger_lost_locks(a->l, a->process, a->s, a->place);
	if (!lost || more > lost)
		return false;
	a->met[a->l->of[a->process].dontunmap_beside ? BUG_DONTUNMAP_SELF_MERGE
						     : BUG_DONTUNMAP_LOCKED]++;
	return true;
}

static bool is_lost_watch(const struct known_about *a, const struct discrepancy *d)
{
	bool is = d->counter && ledger_has_lost_watch(a->l, a->process, a->s, a->place);

	a->met[BUG_MREMAP_UNWATCHES] += is;
	return is;
}

/*
 * For hugetlb, pagemap reports only the VMA's soft-dirty flag (pagemap_hugetlb_range()). clear_refs
 * does not clear the entries' own bits (clear_refs_walk_ops has no hugetlb_entry()), and
 * PAGEMAP_SCAN reports those bits.
 */
static bool is_hugetlb(const struct known_about *a, const struct discrepancy *d)
{
	const struct snapshot *of = a->s;

	for (size_t k = 0; k < of->nr_maps && d->rule == RULE_MAPPING_SCAN_SOFT_DIRTY; k++)
		if (mapping_has_flag(&of->maps[k], "ht") && strstr(d->metric, "anon_hugepage"))
			return true;
	return false;
}

/*
 * Up to 6.10 and again since 6.16, pagemap copies bit 56 of the first page to all pages that one
 * PMD maps (pagemap_pmd_range(), later pagemap_pmd_range_thp()).
 */
static bool is_first_page(const struct known_about *a, const struct discrepancy *d)
{
	int64_t mapped = snapshot_huge_kb(a->s) * 1024 / a->place->page_size;

	if (!mapped || d->rule == RULE_MAPPING_PRIVATE_HUGETLB ||
	    llabs(d->counter - d->precise) > mapped)
		return false;
	a->met[BUG_EXCLUSIVE_FIRST_PAGE]++;
	return true;
}

/* Some kernels leave huge pages of inaccessible mappings out of smaps (FINDINGS 32). */
static bool is_no_access(const struct known_about *a, const struct discrepancy *d)
{
	const struct snapshot *of = a->s;
	int64_t kb = a->place->page_size / 1024, left_out = 0, off;

	for (size_t k = 0; k < of->nr_maps; k++)
		if (!of->maps[k].readable && !mapping_smaps(&of->maps[k], METRIC_SMAPS_RSS))
			left_out += of->maps[k].pagemap.of[CLASS_ANON] +
				    of->maps[k].pagemap.of[CLASS_SHMEM];
	off = llabs(d->counter - d->precise) / (discrepancy_is_kb(d) ? kb : 1);
	if (!left_out || off > left_out)
		return false;
	a->met[BUG_PROT_NONE_HUGE]++;
	return true;
}

/*
 * A mapping of a part of a shmem file counts a large swap entry completely in Swap, so Swap can
 * exceed the size of the mapping (FINDINGS 40).
 */
static bool is_large_entry(const struct known_about *a, const struct discrepancy *d)
{
	const struct snapshot *of = a->s;
	bool beyond = false;

	if (d->id != METRIC_SMAPS_SWAP && d->id != METRIC_SMAPS_SWAPPSS &&
	    d->id != METRIC_ROLLUP_SWAP && d->id != METRIC_ROLLUP_SWAPPSS)
		return false;
	for (size_t k = 0; k < of->nr_maps; k++) {
		const struct mapping *m = &of->maps[k];

		beyond |= m->inode &&
			  mapping_smaps(m, METRIC_SMAPS_SWAP) > (int64_t)(m->end - m->start) / 1024;
	}
	a->met[BUG_SHMEM_SWAP_LARGE] += beyond;
	return beyond;
}

/*
 * Reclaim may drop page cache of a long-lived workload, e.g. its program text. Page tables and
 * counters then fall by the same amount.
 */
static bool is_reclaimed(const struct known_about *a, const struct discrepancy *d)
{
	int64_t kb = a->place->page_size / 1024;
	int64_t off = (d->counter - d->precise) / (discrepancy_is_kb(d) ? kb : 1);
	int64_t lost = snapshot_pages(a->baseline, METRIC_SMAPS_RSS, a->place->page_size) -
		       snapshot_pages(a->s, METRIC_SMAPS_RSS, a->place->page_size);

	return a->closed && off < 0 && -off <= lost;
}

bool known_excuses(const struct known_about *a, const struct discrepancy *d)
{
	static bool (*const explains[BUG_COUNT])(const struct known_about *a,
						 const struct discrepancy *d) = {
		[BUG_SCAN_HUGETLB_MARKER] = is_marker,   [BUG_EXCLUSIVE_FIRST_PAGE] = is_first_page,
		[BUG_DONTUNMAP_LOCKED] = is_lost_lock,   [BUG_MREMAP_UNWATCHES] = is_lost_watch,
		[BUG_SHMEM_SWAP_LARGE] = is_large_entry, [BUG_PROT_NONE_HUGE] = is_no_access,
	};
	enum bug_id b;

	if (is_hugetlb(a, d) || is_reclaimed(a, d))
		return true;
	for (size_t k = 0; (b = rule_bug(d->rule, k)) != BUG_NONE; k++)
		if (explains[b] && explains[b](a, d))
			return true;
	return false;
}
