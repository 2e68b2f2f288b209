// SPDX-License-Identifier: MIT
/* Iterates over the pages of the ledger, and resets pages. */
#include "base/memory.h"
#include "ledger_private.h"
#include <stdlib.h>
#include <string.h>

void forget_process(struct ledger_process *p)
{
	p->alive = p->outside_known = p->dontunmap_beside = false;
	p->locks_new = p->locked_droppable = false;
	p->highest_rss = p->highest_size = p->lost_locks = p->zeroed = p->dropped = 0;
	for (unsigned i = 0; i < ACT_REGIONS; i++) {
		if (p->regions[i].pages)
			memset(p->regions[i].pages, 0,
			       p->regions[i].top * sizeof(*p->regions[i].pages));
		p->regions[i].top = 0;
		p->regions[i].file = 0;
		p->regions[i].by_pmd = false;
	}
}

void reach(struct ledger_region *r, uint32_t top)
{
	if (!r->pages)
		r->pages = calloc(ACT_REGION_PAGES, sizeof(*r->pages));
	if (!r->pages)
		memory_gone("the pages of a program");
	if (top > ACT_REGION_PAGES)
		top = ACT_REGION_PAGES;
	for (uint32_t i = r->top; i < top; i++)
		r->pages[i] = (struct ledger_page) { .state = PAGE_ABSENT,
						     .dirty = CLEAN,
						     .protected = CLEAN };
	if (top > r->top)
		r->top = top;
}

void each_page_of(struct ledger_process *p, void (*fn)(struct ledger_page *g))
{
	for (unsigned k = 0; k < ACT_REGIONS; k++)
		for (uint32_t n = 0; n < p->regions[k].top; n++)
			fn(&p->regions[k].pages[n]);
}

void each_page(struct ledger *l, void (*fn)(struct ledger_page *g))
{
	for (unsigned i = 0; i < ACT_PROCESSES; i++)
		each_page_of(&l->of[i], fn);
}

void clear_page(struct ledger_page *g)
{
	*g = (struct ledger_page) { .state = PAGE_ABSENT, .dirty = CLEAN, .protected = CLEAN };
}

void drop_page(struct ledger_page *g)
{
	g->state = PAGE_ABSENT;
	g->dirty = CLEAN;
	g->flags &= (uint16_t)~PF_FREED;
}
