// SPDX-License-Identifier: MIT
/* Which entries userfaultfd protects against writing: bit 57 of pagemap. */
#include "ledger_private.h"

/* Acts after which an entry that is protected is still protected. */
static bool keeps_protection(enum effect effect)
{
	return effect == EFFECT_NONE || effect == EFFECT_EXTEND || effect == EFFECT_READ ||
	       effect == EFFECT_PAGE_OUT || effect == EFFECT_COLD || effect == EFFECT_UNLOCK ||
	       effect == EFFECT_LOCK_LATER || effect == EFFECT_KEEP_FROM_FORK ||
	       effect == EFFECT_GIVE_TO_FORK || effect == EFFECT_SHAKE;
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

/* A page of the process's own memory, of which nobody but it decides: one of these states. */
static bool was_surely(const struct entry *e, const struct ledger_page *g, uint8_t states)
{
	return e->l->protection && g->there && !(g->there & ~states) && !g->file &&
	       !(g->flags & (PF_SHARED | PF_FREED | PF_HUGE));
}

/* change_pte_range(): each entry that is there, whatever the mapping's own protection is. */
static void mark_protected(const struct entry *e, struct ledger_page *g)
{
	if (!e->v->value)
		g->protected = CLEAN;
	else if (was_surely(e, g, PAGE_ZERO | PAGE_ANON | PAGE_SWAPPED))
		g->protected = DIRTY;
}

/* mfill_atomic_install_pte(): into a mapping that may not be written, too. */
static void mark_provided(const struct entry *e, struct ledger_page *g)
{
	if (was_surely(e, g, PAGE_ABSENT))
		g->protected = DIRTY;
}

/* pagemap_scan_pmd_entry(): what was written, which is all that is not protected. */
static void mark_scanned(const struct entry *e, struct ledger_page *g)
{
	if (g->flags & PF_ASYNC && was_surely(e, g, PAGE_ZERO | PAGE_ANON | PAGE_SWAPPED))
		g->protected = DIRTY;
}

/* The second word of the verb's options: it does not ask. */
static void note_watcher(const struct entry *e, struct ledger_page *g)
{
	g->flags = (uint16_t)(e->a->option ? g->flags | PF_ASYNC : g->flags & ~PF_ASYNC);
}

/* What was written without a signal userfaultfd does not protect any more, or never has. */
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
			g->protected = CLEAN;
	}
}
