// SPDX-License-Identifier: MIT
/* The effect on pages when huge pages are split and when mappings merge. */
#include "ledger_private.h"

/*
 * When a huge page is split, its pages that contain only zeros may be replaced by the zero page
 * (try_to_map_unused_to_zeropage(), 6.12). Page cache is not mapped again (unmap_folio()). A split
 * affects all processes that map a part of the huge page, even a part that was moved.
 */
static void split_region(struct ledger_region *r, bool is_own)
{
	for (uint32_t i = 0; i < r->top; i++) {
		struct ledger_page *g = &r->pages[i];

		if (g->flags & PF_HUGE && g->state & PAGE_ANON)
			g->state |= PAGE_ZERO;
		if (g->state & PAGE_CACHE && (is_own || g->flags & PF_HUGE))
			g->state |= PAGE_ABSENT;
	}
}

void split_all(struct ledger *l, const struct ledger_region *own)
{
	for (unsigned i = 0; i < ACT_PROCESSES; i++)
		for (unsigned k = 0; k < ACT_REGIONS; k++)
			split_region(&l->of[i].regions[k], &l->of[i].regions[k] == own);
}

void split_neighbours(struct entry *e)
{
	split_all(e->l, e->r);
}

/*
 * __split_huge_pmd_locked(): "this may set soft-dirty too on some archs". On x86, if a huge page is
 * dirty, splitting its entry makes all of its pages soft-dirty. The range of an operation decides
 * which entries of its own process are split. If the folio is split, the entries of all processes
 * that map it are split.
 */
static void let_split_mark(struct ledger_page *g)
{
	if (!(g->flags & PF_HUGE))
		return;
	if (g->state != PAGE_ABSENT)
		g->dirty |= DIRTY;
	/* __split_huge_zero_page_pmd() makes entries without the soft-dirty bit. */
	if (g->state & PAGE_ZERO)
		g->dirty |= CLEAN;
	/*
	 * The entry of a file's huge page is dropped, and faults map its pages again. No marker
	 * remembers that PAGEMAP_SCAN had protected them.
	 */
	if (g->state & PAGE_CACHE) {
		g->state |= PAGE_ABSENT;
		g->protected |= CLEAN;
	}
}

void let_splits_mark(struct ledger *l)
{
	each_page(l, let_split_mark);
}

/*
 * Unmapping a part of a file's huge page subtracts the whole huge page from the counts, without
 * recording the peak first.
 */
void count_split(struct entry *e)
{
	uint32_t huge = e->l->huge ? e->l->huge : 1;
	uint32_t first = e->a->first / huge * huge;
	uint32_t end = (e->a->first + e->a->pages + huge - 1) / huge * huge;

	/*
	 * For a file mapping with userfaultfd protection, the entry is split even if the range
	 * covers the whole huge page (pgtable_split_needed()).
	 */
	if (first == e->a->first && end == e->a->first + e->a->pages &&
	    e->v->effect != EFFECT_PROTECT_BY_WATCH)
		return;
	for (uint32_t i = first; i < end && i < e->r->top; i++) {
		const struct ledger_page *g = &e->r->pages[i];

		e->p->dropped += g->flags & PF_HUGE && g->file && g->state & PAGE_CACHE;
	}
}

/*
 * Neighbouring mappings merge even if they differ in VM_SOFTDIRTY. Since 6.19 (VM_STICKY) the
 * merged mapping has the flag if either had it; on older kernels it depends on which of the two is
 * extended.
 */
void let_merge(struct ledger_region *r)
{
	bool fresh = false, cleaned = false;

	for (uint32_t i = 0; i < r->top; i++) {
		uint16_t flags = r->pages[i].flags;

		fresh |= flags & PF_MAPPED && flags & PF_NEW;
		cleaned |= flags & PF_MAPPED && !(flags & PF_NEW);
	}
	for (uint32_t i = 0; fresh && cleaned && i < r->top; i++)
		if (r->pages[i].flags & PF_MAPPED)
			r->pages[i].flags |= PF_ADOPT_NEW;
}
