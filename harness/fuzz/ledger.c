// SPDX-License-Identifier: MIT
/* Applies each operation to the pages of the ledger, page by page. */
#include "ledger_private.h"
#include <stdlib.h>
#include <string.h>

void ledger_open(struct ledger *l, uint32_t huge)
{
	*l = (struct ledger) { .huge = huge };
}

void ledger_close(struct ledger *l)
{
	for (unsigned i = 0; i < ACT_PROCESSES; i++)
		for (unsigned k = 0; k < ACT_REGIONS; k++)
			free(l->of[i].regions[k].pages);
	memset(l->of, 0, sizeof(l->of));
}

void ledger_begin(struct ledger *l)
{
	for (unsigned i = 0; i < ACT_PROCESSES; i++)
		forget_process(&l->of[i]);
	memset(l->file_pages, 0, sizeof(l->file_pages));
	l->merged = false;
	l->of[0].alive = true;
}

/*
 * mfill_atomic_install_pte() fills only absent pages; for a shared file, the cached page exists
 * already. If the kernel does not use zero pages, mfill_atomic_pte_zeropage() may allocate a page
 * in a private mapping.
 */
static void provide_page(struct ledger_page *g, uint8_t of_private)
{
	if (!(g->state & PAGE_ABSENT))
		return;
	g->state |= g->flags & PF_SHARED ? PAGE_CACHE : of_private;
	if (!(g->flags & PF_SHARED))
		g->state &= (uint8_t)~PAGE_ABSENT;
	g->dirty = CLEAN_OR_DIRTY;
}

/* mfill_atomic_pte_continue() succeeds if the page cache has the page. */
static void continue_page(struct ledger_page *g)
{
	if (!(g->state & PAGE_ABSENT))
		return;
	g->state |= PAGE_CACHE;
	g->dirty = CLEAN_OR_DIRTY;
}

static void enter_page(struct entry *e, struct ledger_page *g)
{
	switch (e->v->effect) {
	case EFFECT_UNMAP:
		clear_page(g);
		break;
	case EFFECT_PROTECT:
		protect_page(e, g);
		break;
	case EFFECT_LOCK:
		lock_page(e->l, g);
		break;
	case EFFECT_LOCK_LATER:
	case EFFECT_UNLOCK:
		/*
		 * mlock populates the range. MLOCK_ONFAULT prevents this only for pages that get
		 * locked, and droppable pages do not get locked.
		 */
		if (!is_droppable(g))
			set_flag(g, PF_LOCKED, e->v->effect == EFFECT_LOCK_LATER);
		else if (e->v->effect == EFFECT_LOCK_LATER)
			populate_page(e->l, g);
		break;
	case EFFECT_DROP:
		drop_page(g);
		break;
	case EFFECT_FREE:
		g->flags |= PF_FREED;
		if (g->state & PAGE_SWAPPED) {
			g->state = (uint8_t)((g->state & ~PAGE_SWAPPED) | PAGE_ABSENT);
			g->dirty |= CLEAN;
		}
		break;
	case EFFECT_HUGE:
		g->flags |= PF_HUGE;
		/*
		 * khugepaged may collapse memory that was advised with MADV_HUGEPAGE; absent pages
		 * are then anonymous.
		 */
		if (!g->file && g->flags & PF_MAPPED)
			g->state |= PAGE_ANON;
		g->dirty = CLEAN_OR_DIRTY;
		break;
	case EFFECT_PIN:
		pin_page(g);
		break;
	case EFFECT_PROVIDE:
		provide_page(g, PAGE_ANON);
		break;
	case EFFECT_PROVIDE_ZERO:
		provide_page(g, PAGE_ZERO | PAGE_ANON);
		break;
	case EFFECT_CONTINUE:
		continue_page(g);
		break;
	case EFFECT_GUARD:
	case EFFECT_UNGUARD:
	case EFFECT_WATCH:
	case EFFECT_PROTECT_BY_WATCH:
	case EFFECT_PROVIDE_PROTECTED:
		g->flags |= PF_LOOSE;
		break;
	case EFFECT_KEEP_FROM_FORK:
	case EFFECT_GIVE_TO_FORK:
		set_flag(g, PF_NOT_FORKED, e->v->effect == EFFECT_KEEP_FROM_FORK);
		break;
	case EFFECT_WIPE_ON_FORK:
	case EFFECT_KEEP_ON_FORK:
		set_flag(g, PF_WIPED, e->v->effect == EFFECT_WIPE_ON_FORK);
		break;
	default:
		break;
	}
}

static void enter_range(struct entry *e)
{
	for (uint32_t i = e->a->first; i < e->a->first + e->a->pages; i++) {
		/*
		 * A MADV_FREE that failed because of a hole may have advised any of the mapped
		 * pages.
		 */
		if (e->failed && e->v->effect == EFFECT_FREE)
			e->r->pages[i].flags |= PF_FREED;
		/* userfaultfd is registered for the mapped parts of a range that has a hole. */
		if (e->failed && e->v->effect == EFFECT_PROVIDE_PROTECTED)
			e->r->pages[i].flags |= PF_LOOSE;
		if (e->failed && e->v->effect != EFFECT_NONE)
			lose_page(&e->r->pages[i]);
		else
			enter_page(e, &e->r->pages[i]);
	}
	/*
	 * The verb allows huge pages for the whole region, so large folios smaller than a PMD may
	 * appear, too (since 6.8).
	 */
	for (uint32_t i = 0; e->v->effect == EFFECT_HUGE && i < e->r->top; i++)
		e->r->pages[i].flags |= PF_HUGE;
	if (e->v->effect == EFFECT_FREE || e->v->effect == EFFECT_NONE ||
	    e->v->effect == EFFECT_COLD || e->v->effect == EFFECT_LOCK ||
	    e->v->effect == EFFECT_PIN)
		split_neighbours(e);
	if (e->v->effect == EFFECT_LOCK || e->v->effect == EFFECT_PIN || e->failed)
		touch_neighbours(e, true);
}

static void enter(struct entry *e)
{
	lose_protection(e);
	switch (e->v->effect) {
	case EFFECT_MAP:
		if (e->failed)
			enter_range(e);
		else
			enter_map(e);
		break;
	case EFFECT_READ:
	case EFFECT_WRITE:
		/*
		 * After a failed call, the pages that it did not reach are as they were; e.g.
		 * MADV_FREE pages may still be freed.
		 */
		if (e->failed)
			enter_range(e);
		else
			enter_access(e, e->v->effect == EFFECT_WRITE);
		break;
	case EFFECT_MAP_AGAIN:
		enter_map_again(e);
		break;
	case EFFECT_MOVE:
	case EFFECT_MOVE_PAGES:
		enter_move(e);
		break;
	case EFFECT_PAGE_OUT:
		enter_page_out(e);
		break;
	case EFFECT_COLLAPSE:
		enter_collapse(e);
		break;
	case EFFECT_PUNCH:
		enter_punch(e);
		break;
	case EFFECT_TRUNCATE:
		enter_truncate(e);
		break;
	case EFFECT_PROBE:
		enter_probe(e);
		break;
	case EFFECT_EXTEND:
		enter_extend(e);
		split_neighbours(e);
		break;
	case EFFECT_GROW:
		enter_growth(e);
		break;
	case EFFECT_MERGE:
	case EFFECT_MERGE_ZEROES:
		enter_merge(e);
		break;
	case EFFECT_UFFD_MOVE:
		enter_carry(e);
		break;
	case EFFECT_REMOTE_WRITE:
	case EFFECT_REMOTE_FORCE:
		enter_remote_write(e, e->v->effect == EFFECT_REMOTE_FORCE);
		break;
	default:
		enter_range(e);
	}
}

void ledger_act(struct ledger *l, const struct act *a, const struct act_outcome *o)
{
	struct entry e = { l, a, &verbs[a->verb], o->error != 0, &l->of[a->process], NULL };

	for (unsigned i = 0; i < ACT_PROCESSES; i++)
		l->of[i].unreferenced = l->of[i].lost_marks = false;
	l->swapped_in = e.v->effect == EFFECT_SWAP_IN;
	e.p->unreferenced = e.v->effect == EFFECT_UNREFERENCE && !e.failed;
	l->faulted = 0;
	l->faulted_known = true;
	if (e.v->effect == EFFECT_FORK && !e.failed)
		enter_fork(l, a);
	else if (e.v->effect == EFFECT_EXIT && !e.failed)
		forget_process(&l->of[a->to]);
	else if (e.v->effect == EFFECT_CLEAN && !e.failed)
		enter_clean(e.p);
	else if (e.v->effect == EFFECT_SWAP_IN)
		enter_swapoff(l);
	else if (e.v->effect == EFFECT_MERGE_ALL_ZEROES)
		enter_merge_all_zeroes(l);
	else if (e.v->effect == EFFECT_UNMERGE)
		enter_unmerge(l);
	else if (e.v->effect == EFFECT_MIGRATE)
		enter_shake(l);
	else if (e.v->effect == EFFECT_LOCK_NEW && !e.failed)
		e.p->locks_new = true;
	else if (e.v->effect == EFFECT_UNLOCK_ALL)
		enter_unlock(e.p);
	if (!(e.v->operands & OPERAND_RANGE))
		return;
	if (e.v->operands & OPERAND_PROCESS)
		e.p = &l->of[a->to];
	if (!e.p->alive)
		return;
	e.r = &e.p->regions[a->region];
	reach(e.r, a->first + a->pages);
	count_split(&e);
	enter(&e);
	enter_protection(&e, o);
	let_splits_mark(l);
	let_merge(e.r);
	if (e.v->operands & OPERAND_REGION)
		let_merge(&e.p->regions[a->to]);
}
