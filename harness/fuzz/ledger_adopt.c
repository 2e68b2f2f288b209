// SPDX-License-Identifier: MIT
/*
 * If the ledger cannot predict a value, it adopts the value from one source. All other sources must
 * then agree with it.
 */
#include "ledger_private.h"

/*
 * Adopts the mapping's properties that the ledger cannot predict: its permissions from maps, and
 * its VmFlags from smaps.
 */
void adopt(struct ledger_page *g, const struct mapping *map)
{
	uint16_t kept = g->flags & (PF_HUGE | PF_NOT_FORKED | PF_WIPED | PF_FREED | PF_LOOSE);

	if (!map) {
		*g = (struct ledger_page) { .state = PAGE_ABSENT,
					    .dirty = CLEAN,
					    .protected = CLEAN,
					    .seen = PAGE_ABSENT,
					    .seen_protected = CLEAN,
					    .seen_dirty = CLEAN };
		return;
	}
	/* Memory that was moved or forked may have lost its userfaultfd registration. */
	if (mapping_has_flag(map, "uw"))
		kept |= g->flags & PF_ASYNC;
	if (map->shared)
		kept |= PF_SHARED;
	if (map->readable)
		kept |= PF_READ;
	if (map->writable)
		kept |= PF_WRITE;
	if (mapping_has_flag(map, "lo"))
		kept |= PF_LOCKED;
	if (mapping_has_flag(map, "sd"))
		kept |= PF_NEW;
	kept &= (uint16_t) ~(PF_NOT_FORKED | PF_WIPED);
	if (mapping_has_flag(map, "dc"))
		kept |= PF_NOT_FORKED;
	if (mapping_has_flag(map, "wf"))
		kept |= PF_WIPED;
	g->flags = kept | PF_MAPPED;
	if (mapping_has_flag(map, "gd"))
		g->kind = KIND_STACK;
	else if (g->kind == KIND_STACK)
		g->kind = KIND_ORDINARY;
	if (mapping_has_flag(map, "dp") && !is_droppable(g))
		g->kind = KIND_DROPPABLE_LOCKED;
	else if (!mapping_has_flag(map, "dp") && is_droppable(g))
		g->kind = KIND_ORDINARY;
}

/*
 * A droppable page that was locked stays locked, because mlock_fixup() skips its mapping
 * (d239462787b0).
 */
void adopt_droppable(struct ledger_process *p, struct ledger_page *g, const struct mapping *map)
{
	if (g->kind != KIND_DROPPABLE_LOCKED || !map || !mapping_has_flag(map, "lo"))
		return;
	g->flags |= PF_LOCKED;
	p->locked_droppable = true;
}

/* Adopts the mapping's lock. Counts the unlocked pages that VmLck may still count. */
void adopt_lock(struct ledger_page *g, const struct mapping *map, int64_t *lost)
{
	g->flags &= (uint16_t)~PF_MAY_UNLOCK;
	if (!map || mapping_has_flag(map, "lo"))
		return;
	g->flags &= (uint16_t)~PF_LOCKED;
	++*lost;
}

int64_t ledger_lost_locks(const struct ledger *l, unsigned process, const struct snapshot *s,
			  const struct ledger_place *place)
{
	int64_t lost = l->of[process].lost_locks;

	for (unsigned r = 0; r < ACT_REGIONS; r++)
		for (uint32_t i = 0; i < l->of[process].regions[r].top; i++) {
			struct ledger_page g = l->of[process].regions[r].pages[i];
			uint64_t at = place->arena + r * place->stride +
				      i * (uint64_t)place->page_size;

			if (g.flags & PF_MAY_UNLOCK)
				adopt_lock(&g, snapshot_mapping(s, at), &lost);
		}
	return lost;
}
