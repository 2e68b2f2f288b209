// SPDX-License-Identifier: MIT
/* The effect on pages when mappings are created, moved, extended, locked or protected. */
#include "ledger_private.h"

void set_flag(struct ledger_page *g, uint16_t flag, bool is)
{
	g->flags = (uint16_t)(is ? g->flags | flag : g->flags & ~flag);
}

/*
 * The file now has two mappings. An operation on one mapping may map or unmap pages of the second.
 */
void enter_map_again(struct entry *e)
{
	struct ledger_region *to = &e->p->regions[e->a->to];
	uint16_t shared = e->v->shared ? PF_SHARED : 0;

	reach(to, e->a->first + e->a->pages);
	for (uint32_t i = e->a->first; i < e->a->first + e->a->pages; i++) {
		struct ledger_page *g = &to->pages[i];

		if (e->failed && e->r->file)
			g->flags |= PF_LOOSE;
		if (!e->failed)
			*g = (struct ledger_page) {
				.flags = PF_MAPPED | PF_NEW | PF_READ | PF_WRITE | PF_LOOSE |
					 shared | (e->r->pages[i].flags & PF_HUGE),
				.state = PAGE_ABSENT,
				.dirty = CLEAN,
				.protected = CLEAN,
				.file = e->r->file,
			};
	}
	if (!e->failed)
		to->file = e->r->file;
}

void lock_page(const struct ledger *l, struct ledger_page *g)
{
	if (!is_droppable(g))
		g->flags |= PF_LOCKED;
	populate_page(l, g);
}

static uint8_t kind_of(const struct entry *e)
{
	if (e->v->flags == MAP_GROWSDOWN)
		return KIND_STACK;
	if (e->v->flags != MAP_DROPPABLE)
		return KIND_ORDINARY;
	return e->p->locks_new ? KIND_DROPPABLE_LOCKED : KIND_DROPPABLE;
}

/*
 * do_mmap() takes VM_LOCKED from mm->def_flags; vm_mmap_pgoff() then populates the whole mapping.
 */
static void lock_new_pages(struct entry *e)
{
	for (uint32_t i = e->a->first; i < e->a->first + e->a->pages; i++)
		lock_page(e->l, &e->r->pages[i]);
	split_neighbours(e);
	touch_neighbours(e, true);
}

void enter_map(struct entry *e)
{
	const struct verb *v = e->v;
	int prot = act_protection(e->a);
	bool of_file = v->shared || v->backing != BACKED_BY_NOTHING;
	uint16_t flags = PF_MAPPED | PF_NEW | (prot & PROT_READ ? PF_READ : 0) |
			 (prot & PROT_WRITE ? PF_WRITE : 0) | (v->shared ? PF_SHARED : 0) |
			 (v->huge ? PF_HUGE : 0) |
			 (v->backing == BACKED_BY_HUGETLB ? PF_LOOSE : 0) |
			 (v->flags == MAP_DROPPABLE ? PF_WIPED : 0);
	uint8_t kind = kind_of(e);

	for (uint32_t i = e->a->first; i < e->a->first + e->a->pages; i++)
		e->r->pages[i] = (struct ledger_page) { .flags = flags,
							.state = PAGE_ABSENT,
							.kind = kind,
							.dirty = CLEAN,
							.protected = CLEAN,
							.file = of_file ? e->a->serial : 0 };
	e->l->file_pages[e->a->serial] = e->a->first + e->a->pages;
	e->r->file = v->backing == BACKED_BY_FILE || v->backing == BACKED_BY_MEMFD ? e->a->serial
										   : 0;
	if (e->p->locks_new)
		lock_new_pages(e);
}

/*
 * If a locked private mapping becomes writable, mprotect_fixup() populates as much of it as
 * possible.
 */
void protect_page(struct entry *e, struct ledger_page *g)
{
	int prot = act_protection(e->a);
	bool was_writable = g->flags & PF_WRITE;
	uint8_t state = g->state, dirty = g->dirty;

	set_flag(g, PF_READ, prot & PROT_READ);
	set_flag(g, PF_WRITE, prot & PROT_WRITE);
	/*
	 * One dirty entry makes all entries of a large folio dirty (get_and_clear_full_ptes();
	 * FINDINGS 38).
	 */
	if ((g->file || g->flags & PF_HUGE) && g->state != PAGE_ABSENT)
		g->dirty |= DIRTY;
	if (!(g->flags & PF_LOCKED) || g->flags & PF_SHARED || was_writable || !(prot & PROT_WRITE))
		return;
	lock_page(e->l, g);
	g->state |= state;
	g->dirty |= dirty;
}

/*
 * move_soft_dirty_pte() in mm/mremap.c makes moved pages soft-dirty. A whole page table keeps its
 * bits when it moves, even if the range covers only its end (try_realign_addr(), 6.7).
 */
static void move_page(const struct entry *e, struct ledger_page *from, struct ledger_page *to)
{
	bool whole = e->l->huge && e->a->first % e->l->huge + e->a->pages >= e->l->huge;

	*to = *from;
	to->flags |= PF_ADOPT_NEW;
	to->flags &= (uint16_t)~PF_MAY_UNLOCK;
	/*
	 * If the entry of a huge page moves as a whole, it keeps its soft-dirty bit. If the entry
	 * is split first, each of its pages becomes soft-dirty.
	 */
	if (e->r->by_pmd && from->state == PAGE_ANON)
		to->dirty = DIRTY;
	else if (from->state != PAGE_ABSENT)
		to->dirty = whole || from->state & PAGE_ABSENT || from->flags & PF_HUGE
				    ? from->dirty | DIRTY
				    : DIRTY;
	if (e->v->effect == EFFECT_MOVE) {
		clear_page(from);
		return;
	}
	drop_page(from);
}

/*
 * dontunmap_complete() in mm/mremap.c unlocks the whole old mapping, even if only a part of it has
 * moved. The rest keeps its lock only if the mapping was split before (needs_pre_split(); not on
 * 5.10, and not from 6.16 to 7.1). If the old mapping merged with the new one, both lose the lock
 * (838bb60dc215).
 */
static void unlock_source(struct entry *e)
{
	for (uint32_t i = 0; i < e->r->top; i++)
		if (e->r->pages[i].flags & PF_LOCKED)
			e->r->pages[i].flags |= PF_MAY_UNLOCK;
}

void enter_move(struct entry *e)
{
	bool beside = act_is_beside(e->a);
	struct ledger_region *to = beside ? e->r : &e->p->regions[e->a->to];
	uint32_t by = beside ? e->a->pages : 0;
	struct page_run merged = watched_beside(e, to, e->a->first + by);

	if (beside && !act_has_room_beside(e->a))
		return;
	reach(to, e->r->top > e->a->first + e->a->pages + by ? e->r->top
							     : e->a->first + e->a->pages + by);
	for (uint32_t i = e->a->first; i < e->a->first + e->a->pages; i++) {
		/* mremap unmerges KSM pages before it moves them (ksm_madvise()). */
		if (e->l->merged)
			unmerge_page(&e->r->pages[i]);
		if (e->failed) {
			/*
			 * Some pages may have moved already; the target then maps the source's
			 * file.
			 */
			lose_page(&e->r->pages[i]);
			lose_page(&to->pages[i + by]);
			e->r->pages[i].flags |= PF_LOOSE;
			to->pages[i + by].flags |= PF_LOOSE;
		} else if ((to != e->r || by) && e->r->pages[i].flags & PF_MAPPED) {
			/*
			 * Where the source is not mapped, the target does not change (remap_move(),
			 * 6.17).
			 */
			move_page(e, &e->r->pages[i], &to->pages[i + by]);
		}
	}
	if (!e->failed)
		to->file = e->r->file;
	if (e->v->effect == EFFECT_MOVE_PAGES && (to != e->r || by))
		unlock_source(e);
	if (e->v->options && !e->failed && to != e->r)
		enter_growth(&(struct entry) { e->l, e->a, e->v, false, e->p, to });
	if (to != e->r || by)
		may_lose_watch(to, merged);
	e->p->dontunmap_beside |= e->v->effect == EFFECT_MOVE_PAGES && by;
}

/*
 * The new part of the mapping has the properties of its last page and is empty. If the mapping is
 * locked, the new part is populated.
 */
void enter_growth(struct entry *e)
{
	uint32_t end = e->a->first + e->a->pages, more = act_growth(e->a);
	const struct ledger_page *last = &e->r->pages[end - 1];

	reach(e->r, end + more);
	/* A fault beyond the end of the file also maps neighbouring pages. */
	if (last->flags & PF_LOCKED && !e->failed)
		touch_neighbours(e, last->flags & PF_WRITE);
	for (uint32_t i = end; i < end + more; i++) {
		struct ledger_page *g = &e->r->pages[i];

		if (e->failed)
			continue;
		*g = *last;
		g->state = PAGE_ABSENT;
		g->dirty = CLEAN;
		g->flags &= (uint16_t)~PF_FREED;
		if (!(g->flags & PF_LOCKED) || !has_memory(e->l, g, i))
			continue;
		lock_page(e->l, g);
		g->state |= PAGE_ABSENT;
		g->dirty |= CLEAN;
	}
}
