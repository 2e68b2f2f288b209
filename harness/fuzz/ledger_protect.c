// SPDX-License-Identifier: MIT
/* Tracks which entries userfaultfd write-protects: bit 57 of pagemap. */
#include "ledger_private.h"

static bool keeps_protection(enum effect effect)
{
	return effect == EFFECT_NONE || effect == EFFECT_EXTEND || effect == EFFECT_READ ||
	       effect == EFFECT_PAGE_OUT || effect == EFFECT_COLD || effect == EFFECT_UNLOCK ||
	       effect == EFFECT_LOCK_LATER || effect == EFFECT_KEEP_FROM_FORK ||
	       effect == EFFECT_GIVE_TO_FORK || effect == EFFECT_MIGRATE;
}

static void may_be_protected(struct ledger_page *g)
{
	g->protected = CLEAN_OR_DIRTY;
}

void lose_protection(struct entry *e)
{
	if (e->failed || !keeps_protection(e->v->effect))
		each_page_of(e->p, may_be_protected);
}

/*
 * True for a page of private memory without a file that certainly was in one of these states. False
 * for MADV_FREE and PF_HUGE pages.
 */
static bool was_surely(const struct entry *e, const struct ledger_page *g, uint8_t states)
{
	return e->l->protection && g->there && !(g->there & ~states) && !g->file &&
	       !(g->flags & (PF_SHARED | PF_FREED | PF_HUGE));
}

/*
 * change_pte_range() marks each entry of a page and each swap entry, even if the mapping is not
 * writable.
 */
static void mark_protected(const struct entry *e, struct ledger_page *g)
{
	if (!e->v->value)
		g->protected = CLEAN;
	else if (was_surely(e, g, PAGE_ZERO | PAGE_ANON | PAGE_SWAPPED))
		g->protected = DIRTY;
}

/* mfill_atomic_install_pte() marks the entry even in a mapping that is not writable. */
static void mark_provided(const struct entry *e, struct ledger_page *g)
{
	if (was_surely(e, g, PAGE_ABSENT))
		g->protected = DIRTY;
}

/* pagemap_scan_pmd_entry() protects the written pages, i.e. all pages that were not protected. */
static void mark_scanned(const struct entry *e, struct ledger_page *g)
{
	if (g->flags & PF_ASYNC && was_surely(e, g, PAGE_ZERO | PAGE_ANON | PAGE_SWAPPED))
		g->protected = DIRTY;
}

/* The verb's second option requests asynchronous write protection. */
static void note_watcher(const struct entry *e, struct ledger_page *g)
{
	g->watch |= WATCH_SEEN;
	g->flags = (uint16_t)(e->a->option ? g->flags | PF_ASYNC : g->flags & ~PF_ASYNC);
}

/*
 * True if all writes of the operation succeeded. Then userfaultfd protects none of the written
 * pages.
 */
static bool writes_all(const struct entry *e, const struct act_outcome *o)
{
	return e->v->run == verb_write && !o->faulted;
}

void enter_protection(struct entry *e, const struct act_outcome *o)
{
	for (uint32_t i = e->a->first; !e->failed && i < e->a->first + e->a->pages; i++) {
		struct ledger_page *g = &e->r->pages[i];

		if (e->v->effect == EFFECT_WATCH || e->v->effect == EFFECT_PROVIDE_PROTECTED)
			note_watcher(e, g);
		if (e->v->run == verb_watch_protect)
			mark_protected(e, g);
		else if (e->v->run == verb_scan_protect)
			mark_scanned(e, g);
		else if (e->v->effect == EFFECT_PROVIDE_PROTECTED)
			mark_provided(e, g);
		else if (writes_all(e, o) && act_touches(e->a, i - e->a->first))
			g->protected = g->watch & WATCH_MAY_BE_LOST ? CLEAN_OR_DIRTY : CLEAN;
	}
}

static bool is_watched(const struct ledger_region *r, uint32_t i)
{
	return i < r->top && r->pages[i].watch & WATCH_SEEN;
}

/*
 * mremap_userfaultfd_prep() removes the userfaultfd from the mapping that copy_vma() returns. If
 * that mapping has merged with its neighbours (FINDINGS 45) and they are registered, too, all of
 * them lose their registration.
 */
struct page_run watched_beside(const struct entry *e, const struct ledger_region *to,
			       uint32_t first)
{
	uint32_t moved = e->a->pages + (e->v->options ? act_growth(e->a) : 0);
	struct page_run run = { first, first + moved };
	bool moves = false;

	for (uint32_t i = e->a->first; i < e->a->first + e->a->pages; i++)
		moves |= is_watched(e->r, i);
	while (moves && run.begin && is_watched(to, run.begin - 1))
		run.begin--;
	while (moves && is_watched(to, run.end))
		run.end++;
	return run.end - run.begin > moved ? run : (struct page_run) { 0 };
}

void may_lose_watch(struct ledger_region *to, struct page_run run)
{
	for (uint32_t i = run.begin; i < run.end && i < to->top; i++)
		if (to->pages[i].flags & PF_MAPPED)
			to->pages[i].watch |= WATCH_MAY_BE_LOST;
}

static void may_have_lost_watch(struct ledger_page *g)
{
	if (g->watch & WATCH_SEEN)
		g->watch |= WATCH_MAY_BE_LOST;
}

/* The order of concurrent threads is unknown, so any page may have lost its registration. */
void race_for_watch(struct ledger_process *p)
{
	each_page_of(p, may_have_lost_watch);
}

void see_watch(struct ledger_page *g, const struct mapping *map)
{
	if (map && mapping_has_flag(map, "uw"))
		g->watch = WATCH_SEEN;
	else
		g->watch &= (uint8_t)~WATCH_SEEN;
}

/* Counts entries with the uffd-wp bit whose mapping may have lost its userfaultfd. */
static int64_t marks_left_over(const struct ledger_process *p, const struct mapping *m,
			       const struct ledger_place *place)
{
	int64_t marks = 0;

	for (uint64_t at = m->start; at < m->end; at += (uint64_t)place->page_size) {
		uint64_t region = (at - place->arena) / place->stride;
		uint64_t i = (at - place->arena) % place->stride / (uint64_t)place->page_size;

		if (at < place->arena || region >= ACT_REGIONS || i >= p->regions[region].top)
			break;
		marks += p->regions[region].pages[i].watch & WATCH_MAY_BE_LOST &&
			 p->regions[region].pages[i].seen_protected == DIRTY;
	}
	return marks;
}

bool ledger_has_lost_watch(const struct ledger *l, unsigned process, const struct snapshot *s,
			   const struct ledger_place *place)
{
	for (size_t k = 0; k < s->nr_maps; k++) {
		const struct mapping *m = &s->maps[k];

		if (m->pagemap.uffd_wp && !mapping_has_flag(m, "uw") &&
		    m->pagemap.uffd_wp != marks_left_over(&l->of[process], m, place))
			return false;
	}
	return true;
}
