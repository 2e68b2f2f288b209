// SPDX-License-Identifier: MIT
/* Applies operations that may affect pages outside their range, or pages of other processes. */
#include "ledger_private.h"
#include <string.h>

static void page_out(struct ledger_page *g)
{
	if (g->state & PAGE_ANON)
		g->state |= is_droppable(g)       ? PAGE_ABSENT
			    : g->flags & PF_FREED ? PAGE_SWAPPED | PAGE_ABSENT
						  : PAGE_SWAPPED;
	if (g->state & PAGE_CACHE)
		g->state |= PAGE_ABSENT;
}

/*
 * The kernel unmaps a folio as a whole, from every process that maps it. MADV_PAGEOUT only
 * estimates whether a folio is shared (6.8).
 */
static void page_out_elsewhere(struct ledger_page *g)
{
	if (g->file || g->flags & PF_HUGE)
		page_out(g);
}

void enter_page_out(struct entry *e)
{
	for (uint32_t i = e->a->first; i < e->a->first + e->a->pages; i++)
		page_out(&e->r->pages[i]);
	split_neighbours(e);
	each_page(e->l, page_out_elsewhere);
}

static void collapse_page(struct ledger_page *g)
{
	g->flags |= PF_HUGE;
	g->dirty |= DIRTY;
	/*
	 * The file's page replaces the old entries, and their soft-dirty bits are lost (FINDINGS
	 * 36).
	 */
	if (g->file)
		g->dirty = CLEAN_OR_DIRTY;
	if (g->file)
		g->state |= PAGE_CACHE | PAGE_ABSENT;
	if (!(g->flags & PF_SHARED))
		g->state |= PAGE_ANON;
}

static void retract_page(struct ledger_page *g)
{
	if (g->file && g->state & (PAGE_CACHE | PAGE_ABSENT | PAGE_ZERO))
		g->state |= PAGE_CACHE | PAGE_ABSENT;
}

/* collapse_file() removes the file's pages from all page tables (retract_page_tables()). */
void enter_collapse(struct entry *e)
{
	uint32_t huge = e->l->huge ? e->l->huge : 1;
	uint32_t from = e->a->first / huge * huge;
	uint32_t to = (e->a->first + e->a->pages + huge - 1) / huge * huge;

	for (uint32_t i = from; i < to && i < e->r->top; i++)
		if (e->r->pages[i].flags & PF_MAPPED)
			collapse_page(&e->r->pages[i]);
	each_page(e->l, retract_page);
}

static void merge_page(struct ledger_page *g)
{
	if (!(g->state & PAGE_ANON))
		return;
	g->dirty |= CLEAN;
	g->protected |= CLEAN;
}

static void merge_zero_page(struct ledger_page *g)
{
	if (!(g->state & PAGE_ANON))
		return;
	g->state |= PAGE_ZERO;
	g->dirty = CLEAN_OR_DIRTY;
	g->protected |= CLEAN;
}

/*
 * replace_page() in mm/ksm.c makes a new entry without the old entry's uffd-wp bit and, on most
 * kernels, without its soft-dirty bit. Huge pages are split. ksmd scans all memory that was ever
 * advised, so the operation affects all processes.
 */
void enter_merge(struct entry *e)
{
	e->l->merged = true;
	each_page(e->l, e->v->effect == EFFECT_MERGE_ZEROES ? merge_zero_page : merge_page);
	split_neighbours(e);
}

void enter_merge_all_zeroes(struct ledger *l)
{
	each_page(l, merge_zero_page);
	split_all(l, NULL);
}

/*
 * break_ksm() copies a shared page as a write would. It also copies a zero page that KSM has
 * placed.
 */
void unmerge_page(struct ledger_page *g)
{
	if (!(g->state & (PAGE_ANON | PAGE_ZERO)))
		return;
	g->dirty |= DIRTY;
	g->protected |= CLEAN;
	if (!(g->state & PAGE_ZERO))
		return;
	g->state |= PAGE_ANON;
	g->dirty = CLEAN_OR_DIRTY;
}

void enter_unmerge(struct ledger *l)
{
	each_page(l, unmerge_page);
}

/*
 * remove_migration_pte() keeps the soft-dirty bit. Before "mm/migrate: preserve exact soft-dirty
 * state" it also sets the bit together with the dirty bit, which a page of a large folio may have
 * got from the folio. Page cache that migration has unmapped is absent until a fault maps it again.
 */
static void migrate_page(struct ledger_page *g)
{
	if (g->state & (PAGE_ANON | PAGE_CACHE))
		g->dirty |= DIRTY;
	if (g->state & PAGE_CACHE)
		g->state |= PAGE_ABSENT;
}

void enter_shake(struct ledger *l)
{
	each_page(l, migrate_page);
	split_all(l, NULL);
}

/* See apply_mlockall_flags() in mm/mlock.c. */
static void unlock_page(struct ledger_page *g)
{
	g->flags &= (uint16_t) ~(PF_LOCKED | PF_MAY_UNLOCK);
}

void enter_unlock(struct ledger_process *p)
{
	p->locks_new = false;
	each_page_of(p, unlock_page);
}

/* A failed call may have stopped at any page, so the soft-dirty flag is adopted from maps. */
static void may_be_clean(struct ledger_page *g)
{
	g->flags |= PF_ADOPT_NEW;
	g->dirty |= CLEAN;
}

/*
 * move_present_ptes() and move_swap_pte() in mm/userfaultfd.c make the page soft-dirty at its new
 * place. A zero page or a huge page may become soft-dirty: move_zeropage_pte(),
 * move_pages_huge_pmd().
 */
static void uffd_move_page(struct ledger_page *from, struct ledger_page *to)
{
	bool is_sure = !(from->flags & PF_HUGE) && !(from->state & ~(PAGE_ANON | PAGE_SWAPPED));
	uint16_t kept = from->flags & (PF_HUGE | PF_FREED | PF_LOOSE);

	*to = (struct ledger_page) { .flags = PF_MAPPED | PF_READ | PF_WRITE | kept,
				     .state = from->state,
				     .dirty = is_sure ? DIRTY : CLEAN_OR_DIRTY,
				     .protected = CLEAN_OR_DIRTY,
				     .watch = from->watch & WATCH_MAY_BE_LOST };
	/*
	 * The moved page is not swap-backed until it is written, so the kernel may still drop it.
	 */
	if (is_droppable(from))
		to->flags |= PF_FREED;
	drop_page(from);
}

void enter_carry(struct entry *e)
{
	struct ledger_region *to = &e->p->regions[e->a->to];

	reach(to, e->r->top);
	split_neighbours(e);
	if (e->failed)
		each_page_of(e->p, may_be_clean);
	else
		enter_clean(e->p);
	for (uint32_t i = e->a->first; i < e->a->first + e->a->pages; i++) {
		if (!e->failed && to != e->r) {
			uffd_move_page(&e->r->pages[i], &to->pages[i]);
			continue;
		}
		lose_page(&e->r->pages[i]);
		lose_page(&to->pages[i]);
		e->r->pages[i].flags |= PF_LOOSE;
		to->pages[i].flags |= PF_LOOSE;
	}
	if (!e->failed)
		to->file = 0;
}

/*
 * Removes the file's pages `from` to `to` - 1 from every page table. Private copies are removed
 * only if the file became shorter (`copies`).
 */
static void cut_file(struct entry *e, uint16_t file, uint32_t from, uint32_t to, bool copies)
{
	for (unsigned i = 0; i < ACT_PROCESSES; i++)
		for (unsigned k = 0; k < ACT_REGIONS; k++)
			for (uint32_t n = 0; n < e->l->of[i].regions[k].top; n++) {
				struct ledger_page *g = &e->l->of[i].regions[k].pages[n];

				if (g->file != file)
					continue;
				/* The page's folio may have been large: see split_neighbours(). */
				if (g->state & PAGE_CACHE)
					g->state |= PAGE_ABSENT;
				if (n < from || n >= to)
					continue;
				/* The zero page (UFFDIO_ZEROPAGE, KSM) is not a private copy. */
				if (e->failed || g->state & PAGE_ZERO)
					g->state |= PAGE_ABSENT;
				if (e->failed)
					continue;
				if (copies || g->state == PAGE_CACHE)
					drop_page(g);
				else if (g->state & PAGE_CACHE)
					g->state = (uint8_t)((g->state & ~PAGE_CACHE) |
							     PAGE_ABSENT);
			}
}

void enter_punch(struct entry *e)
{
	if (e->v->run == verb_punch) {
		cut_file(e, e->r->file, e->a->first, e->a->first + e->a->pages, false);
		return;
	}
	for (uint32_t i = e->a->first; i < e->a->first + e->a->pages; i++)
		if (e->r->pages[i].file)
			cut_file(e, e->r->pages[i].file, i, i + 1, false);
}

void enter_truncate(struct entry *e)
{
	uint16_t file = e->r->file;

	if (!file || e->failed)
		return;
	if (e->a->first < e->l->file_pages[file])
		cut_file(e, file, e->a->first, ACT_REGION_PAGES, true);
	e->l->file_pages[file] = e->a->first;
}

void enter_extend(struct entry *e)
{
	uint16_t file = e->r->file;
	uint32_t end = e->a->first + e->a->pages;

	if (file && !e->failed && end > e->l->file_pages[file])
		e->l->file_pages[file] = end;
}

/* The probe faults the page in, which also maps neighbouring pages. */
static void probe_page(struct ledger_page *g, bool probed)
{
	if (g->state & PAGE_ABSENT)
		g->state |= PAGE_CACHE;
	if (!probed || g->flags & PF_SHARED)
		return;
	g->state |= PAGE_ABSENT | PAGE_CACHE | PAGE_ANON;
	g->dirty = CLEAN_OR_DIRTY;
}

/*
 * uprobe_write_opcode() copies the page in each private mapping that is not writable. When the
 * probe is removed, the file's page is restored, or the entry stays empty (__replace_page(),
 * __uprobe_write()).
 */
void enter_probe(struct entry *e)
{
	for (unsigned i = 0; i < ACT_PROCESSES; i++)
		for (unsigned k = 0; k < ACT_REGIONS; k++) {
			const struct ledger_region *r = &e->l->of[i].regions[k];

			for (uint32_t n = 0; e->r->file && n < r->top; n++)
				if (r->pages[n].file == e->r->file)
					probe_page(&r->pages[n], n == e->a->first);
		}
	split_neighbours(e);
}

static void fork_page(struct ledger_page *g)
{
	if (g->flags & PF_NOT_FORKED) {
		clear_page(g);
		return;
	}
	g->flags &= (uint16_t)~PF_LOCKED;
	if (g->flags & PF_WIPED)
		drop_page(g);
	/* copy_page_range() does not copy entries that faults can restore (vma_needs_copy()). */
	if (g->state & (PAGE_ZERO | PAGE_CACHE))
		g->state |= PAGE_ABSENT;
	if (g->state & PAGE_ABSENT)
		g->dirty |= CLEAN;
	g->protected = CLEAN_OR_DIRTY;
	g->flags &= (uint16_t)~PF_MAY_UNLOCK;
}

void enter_fork(struct ledger *l, const struct act *a)
{
	struct ledger_process *to = &l->of[a->to];

	forget_process(to);
	to->alive = true;
	for (unsigned i = 0; i < ACT_REGIONS; i++) {
		const struct ledger_region *from = &l->of[0].regions[i];

		if (!from->top)
			continue;
		reach(&to->regions[i], from->top);
		memcpy(to->regions[i].pages, from->pages, from->top * sizeof(*from->pages));
		to->regions[i].file = from->file;
		for (uint32_t n = 0; n < from->top; n++)
			fork_page(&to->regions[i].pages[n]);
	}
}

static void clean_page(struct ledger_page *g)
{
	g->flags &= (uint16_t)~PF_NEW;
	g->dirty = CLEAN;
}

void enter_clean(struct ledger_process *p)
{
	each_page_of(p, clean_page);
}

/* See try_to_unuse() in mm/swapfile.c. */
static void swap_page_in(struct ledger_page *g)
{
	if (g->state & PAGE_SWAPPED)
		g->state |= PAGE_ANON;
}

void enter_swapoff(struct ledger *l)
{
	each_page(l, swap_page_in);
}

static void loosen_page(struct ledger_page *g)
{
	lose_page(g);
	g->flags |= PF_LOOSE;
}

void ledger_loosen(struct ledger *l)
{
	each_page(l, loosen_page);
}

/* The child has every page that the parent had at the fork, even pages that were moved before. */
static void reach_as_parent(struct ledger *l, unsigned process)
{
	for (unsigned k = 0; k < ACT_REGIONS; k++)
		if (l->of[0].regions[k].top)
			reach(&l->of[process].regions[k], l->of[0].regions[k].top);
}

static int64_t count_in_huge(const struct ledger_process *p)
{
	int64_t n = 0;

	for (unsigned k = 0; k < ACT_REGIONS; k++)
		for (uint32_t g = 0; g < p->regions[k].top; g++)
			n += !!(p->regions[k].pages[g].flags & PF_HUGE);
	return n;
}

/*
 * Concurrent threads may lock memory just before MREMAP_DONTUNMAP moves it. They may also split a
 * huge page, unmap its zero or file pages, and then unmap the rest.
 */
void ledger_race(struct ledger *l, const struct act *acts, unsigned n)
{
	l->swapped_in = false;
	for (unsigned i = 0; i < n; i++) {
		struct ledger_process *p = &l->of[acts[i].process];
		enum effect effect = verbs[acts[i].verb].effect;

		p->unreferenced = false;
		p->dropped += count_in_huge(p);
		if (effect == EFFECT_MOVE || effect == EFFECT_MOVE_PAGES)
			race_for_watch(p);
		if (effect == EFFECT_MOVE_PAGES)
			p->lost_locks += p->regions[acts[i].region].top + acts[i].pages;
		if (effect == EFFECT_FORK && l->of[acts[i].to].alive)
			reach_as_parent(l, acts[i].to);
	}
}
