// SPDX-License-Identifier: MIT
/* The effect of accesses on pages: the process's own accesses, and those that calls make for it. */
#include "ledger_private.h"

/* Its state is unknown from now on. */
void lose_page(struct ledger_page *g)
{
	g->state = PAGE_ANY;
	g->dirty = g->protected = CLEAN_OR_DIRTY;
	g->flags |= PF_ADOPT;
}

/* Pages beyond a file's end do not exist, and an access raises SIGBUS. */
bool has_memory(const struct ledger *l, const struct ledger_page *g, uint32_t i)
{
	return !g->file || i < l->file_pages[g->file];
}

/* The state after a read fault: filemap_fault(), do_anonymous_page(), do_swap_page(). */
static void fault_for_read(struct ledger_page *g)
{
	uint8_t state = g->state & (PAGE_ZERO | PAGE_ANON | PAGE_CACHE);

	if (g->state & PAGE_SWAPPED)
		state |= PAGE_ANON;
	if (g->state & PAGE_ABSENT && g->file)
		state |= PAGE_CACHE;
	else if (g->state & PAGE_ABSENT)
		state |= g->flags & PF_HUGE ? PAGE_ZERO | PAGE_ANON : PAGE_ZERO;
	/* A huge page may be mapped, or the huge zero page, and may be soft-dirty. */
	if (g->state & PAGE_ABSENT && g->flags & PF_HUGE)
		g->dirty = CLEAN_OR_DIRTY;
	g->state = state;
}

/*
 * do_wp_page(), do_cow_fault(), do_shared_fault(): the process's own page, or the file's;
 * soft-dirty.
 */
static void fault_for_write(struct ledger_page *g)
{
	g->state = g->flags & PF_SHARED ? PAGE_CACHE : PAGE_ANON;
	g->dirty = DIRTY;
	g->flags &= (uint16_t)~PF_FREED;
}

/* 1: the access succeeds; 0: it raises a signal; -1: the ledger cannot tell. */
static int access_works(const struct ledger *l, const struct ledger_page *g, uint32_t i,
			bool writes)
{
	if (g->flags & (PF_ADOPT | PF_LOOSE) || g->state & PAGE_MARKER)
		return -1;
	if (!(g->flags & PF_MAPPED) || !(g->flags & (writes ? PF_WRITE : PF_READ)))
		return 0;
	/* An existing entry needs no file behind it; if it may exist, the access may succeed. */
	if (has_memory(l, g, i) || !(g->state & PAGE_ABSENT))
		return 1;
	return g->state == PAGE_ABSENT ? 0 : -1;
}

/* do_fault_around() maps cached pages; a huge page maps its neighbours, too. */
void touch_neighbours(struct entry *e, bool writes)
{
	uint32_t huge = e->l->huge ? e->l->huge : 1;
	uint32_t from = e->a->first / huge * huge;
	uint32_t to = (e->a->first + e->a->pages + huge - 1) / huge * huge;

	for (uint32_t i = 0; i < e->r->top; i++) {
		struct ledger_page *g = &e->r->pages[i];

		if (!(g->flags & PF_MAPPED))
			continue;
		/*
		 * finish_fault() maps all of a large folio; a write fault makes each entry dirty.
		 */
		if (g->file && g->state & PAGE_ABSENT) {
			g->state |= PAGE_CACHE;
			g->dirty |= writes && g->flags & PF_SHARED ? DIRTY : 0;
		}
		if (!(g->flags & PF_HUGE) || i < from || i >= to)
			continue;
		if (g->state & (PAGE_ABSENT | PAGE_ZERO | PAGE_SWAPPED))
			g->state |= (g->state & PAGE_ABSENT ? PAGE_ZERO : 0) | PAGE_ANON;
		/* One entry holds the bit for all of a huge page. */
		if (writes || g->state & PAGE_ABSENT)
			g->dirty = CLEAN_OR_DIRTY;
	}
}

/*
 * If huge pages are allowed, khugepaged runs, too, and empties page tables of shmem
 * (collapse_file()).
 */
static void let_khugepaged(struct ledger_page *g)
{
	if (g->flags & PF_HUGE && g->file && g->state & (PAGE_CACHE | PAGE_ZERO))
		g->state |= PAGE_ABSENT;
	if (g->flags & PF_HUGE)
		g->dirty |= g->file ? CLEAN : DIRTY;
}

void enter_access(struct entry *e, bool writes)
{
	struct ledger *l = e->l;

	touch_neighbours(e, writes);
	for (uint32_t i = e->a->first; i < e->a->first + e->a->pages; i++) {
		struct ledger_page *g = &e->r->pages[i];
		int works;

		if (!act_touches(e->a, i - e->a->first))
			continue;
		works = access_works(l, g, i, writes);
		/* A populating madvise(2) returns an error instead. */
		l->faulted += works == 0 && e->v->run != verb_madvise;
		l->faulted_known &= works >= 0;
		if (works < 0)
			lose_page(g);
		else if (works && writes)
			fault_for_write(g);
		else if (works)
			fault_for_read(g);
		let_khugepaged(g);
	}
}

/*
 * mm/mlock.c, __mm_populate(): writable memory is populated by writes, as far as there are page
 * tables.
 */
void populate_page(struct ledger_page *g)
{
	uint8_t dirty = g->dirty, state = g->state;

	if (!(g->flags & PF_READ))
		return;
	if ((g->flags & (PF_WRITE | PF_SHARED)) != PF_WRITE) {
		fault_for_read(g);
		return;
	}
	fault_for_write(g);
	/* No fault if it could be written already. */
	if (state & PAGE_ANON)
		g->dirty = dirty | DIRTY;
}

/*
 * Faults as for a write, also in shared memory. A page that is present and writable stays as it is:
 * pin_user_pages() does not make it dirty, so a MADV_FREE page stays one.
 */
void pin_page(struct ledger_page *g)
{
	struct ledger_page before = *g;
	bool is_there = before.state & (g->flags & PF_SHARED ? PAGE_CACHE : PAGE_ANON);

	if (!(g->flags & PF_WRITE))
		return;
	fault_for_write(g);
	if (!is_there)
		return;
	g->dirty = before.dirty | DIRTY;
	g->flags |= before.flags & PF_FREED;
}

/* FOLL_FORCE: a private copy, which still is not writable (do_wp_page(), do_cow_fault()). */
static void force_page(struct ledger_page *g)
{
	if ((g->flags & (PF_MAPPED | PF_SHARED | PF_WRITE)) != PF_MAPPED)
		return;
	g->state |= PAGE_ANON;
	g->dirty |= DIRTY;
}

/* Page by page, as far as possible; a refused caller gets no signal. */
void enter_remote_write(struct entry *e, bool forced)
{
	touch_neighbours(e, true);
	for (uint32_t i = e->a->first; i < e->a->first + e->a->pages; i++) {
		struct ledger_page *g = &e->r->pages[i];
		int works = access_works(e->l, g, i, true);

		if (works < 0 || e->failed)
			lose_page(g);
		else if (works)
			pin_page(g);
		else if (forced)
			force_page(g);
		let_khugepaged(g);
	}
}
