// SPDX-License-Identifier: MIT
/*
 * The effect on pages of the process's own accesses, and of accesses that system calls make for it.
 */
#include "ledger_private.h"

void lose_page(struct ledger_page *g)
{
	g->state = PAGE_ANY;
	g->dirty = g->protected = CLEAN_OR_DIRTY;
	g->flags |= PF_ADOPT;
}

/* A page beyond the end of its file does not exist, and an access to it raises SIGBUS. */
bool has_memory(const struct ledger *l, const struct ledger_page *g, uint32_t i)
{
	return !g->file || i < l->file_pages[g->file];
}

/* The state after a read fault: see filemap_fault(), do_anonymous_page(), do_swap_page(). */
static void fault_for_read(const struct ledger *l, struct ledger_page *g)
{
	uint8_t state = g->state & (PAGE_ZERO | PAGE_ANON | PAGE_CACHE);

	if (g->state & PAGE_SWAPPED)
		state |= PAGE_ANON;
	if (g->state & PAGE_ABSENT && g->file)
		state |= PAGE_CACHE;
	else if (g->state & PAGE_ABSENT && l->reads_own_pages)
		state |= PAGE_ANON;
	else if (g->state & PAGE_ABSENT)
		state |= g->flags & PF_HUGE ? PAGE_ZERO | PAGE_ANON : PAGE_ZERO;
	/* The fault may map a huge page or the huge zero page, and either may be soft-dirty. */
	if (g->state & PAGE_ABSENT && (g->flags & PF_HUGE || l->reads_own_pages))
		g->dirty = CLEAN_OR_DIRTY;
	g->state = state;
}

/*
 * After a write fault a private mapping has its own page, and a shared mapping has the file's page.
 * The page is soft-dirty (do_wp_page(), do_cow_fault(), do_shared_fault()).
 */
static void fault_for_write(struct ledger_page *g)
{
	g->state = g->flags & PF_SHARED ? PAGE_CACHE : PAGE_ANON;
	g->dirty = DIRTY;
	g->flags &= (uint16_t)~PF_FREED;
}

/* Returns 1 if the access succeeds, 0 if it raises a signal, or -1 if the ledger cannot tell. */
static int access_works(const struct ledger *l, const struct ledger_page *g, uint32_t i,
			bool writes)
{
	if (g->flags & (PF_ADOPT | PF_LOOSE) || g->state & PAGE_MARKER)
		return -1;
	if (!(g->flags & PF_MAPPED) || !(g->flags & (writes ? PF_WRITE : PF_READ)))
		return 0;
	/*
	 * An access succeeds if the entry exists, even beyond the end of the file. If the entry may
	 * exist, the access may succeed.
	 */
	if (has_memory(l, g, i) || !(g->state & PAGE_ABSENT))
		return 1;
	return g->state == PAGE_ABSENT ? 0 : -1;
}

/* do_fault_around() also maps neighbouring cached pages. A huge page maps its other pages, too. */
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
		 * finish_fault() maps all of a large folio, and a write fault makes each of its
		 * entries dirty.
		 */
		if (g->file && g->state & PAGE_ABSENT) {
			g->state |= PAGE_CACHE;
			g->dirty |= writes && g->flags & PF_SHARED ? DIRTY : 0;
		}
		if (!(g->flags & PF_HUGE) || i < from || i >= to)
			continue;
		if (g->state & (PAGE_ABSENT | PAGE_ZERO | PAGE_SWAPPED))
			g->state |= (g->state & PAGE_ABSENT ? PAGE_ZERO : 0) | PAGE_ANON;
		/*
		 * An entry that maps a huge page has a single soft-dirty bit for all of its pages.
		 */
		if (writes || g->state & PAGE_ABSENT)
			g->dirty = CLEAN_OR_DIRTY;
	}
}

/* If huge pages are allowed, khugepaged may empty page tables of shmem (collapse_file()). */
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
		/* madvise(2) that populates returns an error instead of raising a signal. */
		l->faulted += works == 0 && e->v->run != verb_madvise;
		l->faulted_known &= works >= 0;
		if (works < 0)
			lose_page(g);
		else if (works && writes)
			fault_for_write(g);
		else if (works)
			fault_for_read(l, g);
		let_khugepaged(g);
	}
}

/*
 * __mm_populate() (mm/gup.c) populates private writable memory as writes would, and other readable
 * memory as reads would.
 */
void populate_page(const struct ledger *l, struct ledger_page *g)
{
	uint8_t dirty = g->dirty, state = g->state;

	if (!(g->flags & PF_READ))
		return;
	if ((g->flags & (PF_WRITE | PF_SHARED)) != PF_WRITE) {
		fault_for_read(l, g);
		return;
	}
	fault_for_write(g);
	/* An anonymous page that was writable already causes no fault and keeps its bit. */
	if (state & PAGE_ANON)
		g->dirty = dirty | DIRTY;
}

/*
 * Pinning faults as a write does, in shared memory, too. A page that is present and writable does
 * not change: pin_user_pages() does not make it dirty, so the kernel may still free a MADV_FREE
 * page.
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

/* FOLL_FORCE makes a private copy that is still not writable (do_wp_page(), do_cow_fault()). */
static void force_page(struct ledger_page *g)
{
	if ((g->flags & (PF_MAPPED | PF_SHARED | PF_WRITE)) != PF_MAPPED)
		return;
	g->state |= PAGE_ANON;
	g->dirty |= DIRTY;
}

/*
 * The kernel writes page by page until a page fails. The calling process gets an error instead of a
 * signal.
 */
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
