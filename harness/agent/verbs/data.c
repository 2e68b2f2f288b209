// SPDX-License-Identifier: MIT
#include "data.h"
#include <string.h>

enum fate {
	STAYS,    /* the data stays, whether the act succeeds or fails */
	LOST,     /* the data may be lost */
	PRIVATE,  /* the data of a private mapping may be lost; shared data stays */
	OF_FILE,  /* lost in all mappings of the file */
	TO_END,   /* lost from the range's start to the end of the file, in all mappings */
	NEW,      /* new memory */
	MOVED,    /* the data is at another place afterwards */
	NO_CHILD, /* the data stays, but a child does not have it */
};

/* Acts whose effect is not in this table keep all stamps, whatever they do to the pages. */
static const struct {
	enum effect effect;
	enum fate fate;
	const char *fact;
} fates[] = {
	{ EFFECT_MAP, NEW, "mmap(2) with MAP_FIXED replaces what was mapped" },
	{ EFFECT_MAP_AGAIN, NEW, "the second mapping replaces what was mapped at its place" },
	{ EFFECT_UNMAP, LOST,
	  "munmap(2) removes the pages, and so does mremap(2) to a smaller size" },
	{ EFFECT_DROP, PRIVATE,
	  "MADV_DONTNEED frees private pages; shared ones are faulted in again" },
	{ EFFECT_FREE, LOST, "after MADV_FREE the kernel frees pages when it needs memory" },
	{ EFFECT_PUNCH, OF_FILE, "a hole in a file reads as zeroes" },
	{ EFFECT_TRUNCATE, TO_END, "truncation frees the file's pages and their private copies" },
	{ EFFECT_GUARD, LOST, "MADV_GUARD_INSTALL removes the pages" },
	{ EFFECT_UFFD_MOVE, MOVED, "UFFDIO_MOVE moves the pages" },
	{ EFFECT_MOVE, MOVED, "mremap(2) moves the pages" },
	{ EFFECT_MOVE_PAGES, MOVED, "mremap(2) with MREMAP_DONTUNMAP moves the pages" },
	{ EFFECT_WIPE_ON_FORK, NO_CHILD, "MADV_WIPEONFORK: a child reads zeroes" },
	{ EFFECT_KEEP_FROM_FORK, NO_CHILD, "MADV_DONTFORK: a child has no such mapping" },
};

static enum fate fate_of(enum effect effect)
{
	for (size_t i = 0; i < sizeof(fates) / sizeof(*fates); i++)
		if (fates[i].effect == effect)
			return fates[i].fate;
	return STAYS;
}

static uint64_t stamp_of(const struct data *d, unsigned page)
{
	static const uint64_t mark = (uint64_t)0x7273736b << 32;

	return d->equal ? mark : mark | (uint64_t)d->window << 16 | page;
}

void data_begin(struct data *d, uint16_t window)
{
	for (unsigned i = 0; i < DATA_REGIONS; i++) {
		struct data_region *r = &d->of[i];

		memset(r->stamp, 0, r->used * sizeof(*r->stamp));
		r->used = 0;
		r->stays = r->loses = r->not_forked = false;
	}
	d->window = window;
	d->equal = false;
}

/*
 * If base pages are large (64 kB), regions are less than DATA_PAGES pages apart. The page belongs
 * to the region that begins closest below it.
 */
void data_stamp(struct worker *k, volatile char *page)
{
	struct data *d = k->data;
	struct data_region *r = NULL;
	size_t at = DATA_PAGES;

	for (unsigned i = 0; i < DATA_REGIONS; i++) {
		size_t pages = (size_t)((char *)page - k->regions[i].at) / k->page;

		if ((char *)page < k->regions[i].at || pages >= at)
			continue;
		r = &d->of[i];
		at = pages;
	}
	if (!r || r->loses)
		return;
	*(volatile uint64_t *)(page + DATA_AT) = stamp_of(d, (unsigned)at + 1);
	r->stamp[at] = (uint16_t)(at + 1);
	r->used = r->used > at ? r->used : (uint32_t)at + 1;
}

static void lose(struct data_region *r, uint32_t first, uint32_t until)
{
	for (uint32_t i = first; i < until && i < r->used; i++)
		r->stamp[i] = 0;
}

void data_forget(struct data *d)
{
	for (unsigned i = 0; i < DATA_REGIONS; i++)
		lose(&d->of[i], 0, DATA_PAGES);
}

static void begin_region(struct data_region *r, const struct worker *k, const struct act *a)
{
	const struct verb *v = k->verb;

	lose(r, a->first, a->first + a->pages);
	r->stays = v->shared;
	r->loses = v->flags == MAP_DROPPABLE || v->run == verb_mmap_ring;
	r->not_forked = false;
}

/*
 * Moves the stamps of the range to the same place of another region, or to the pages directly after
 * the range.
 */
static void move(struct data *d, const struct act *a, bool beside)
{
	struct data_region *from = &d->of[a->region], *to = beside ? from : &d->of[a->to];
	uint32_t by = beside ? a->pages : 0;

	/*
	 * Stamps outside the range are dropped, too: the rest of that region may be other memory.
	 */
	if (!beside)
		lose(to, 0, DATA_PAGES);
	for (uint32_t i = a->first; i < a->first + a->pages; i++) {
		uint16_t stamp = i < from->used ? from->stamp[i] : 0;

		if (i < from->used)
			from->stamp[i] = 0;
		if (i + by >= DATA_PAGES)
			break;
		to->stamp[i + by] = stamp;
		if (stamp && to->used <= i + by)
			to->used = i + by + 1;
	}
	to->stays = from->stays;
	to->loses = from->loses;
	to->not_forked |= from->not_forked;
}

void data_follow(struct data *d, const struct worker *k, const struct act *a)
{
	struct data_region *r = &d->of[a->region];
	uint32_t until = a->first + a->pages;
	enum fate fate = fate_of(k->verb->effect);

	if (!(k->verb->operands & OPERAND_RANGE))
		return;
	/*
	 * A failed act may have moved or replaced a part of its range, so the data of the range
	 * counts as lost.
	 */
	if (k->outcome.error && (fate == MOVED || fate == NEW))
		fate = LOST;
	switch (fate) {
	case LOST:
		lose(r, a->first, until);
		break;
	case PRIVATE:
		if (!r->stays)
			lose(r, a->first, until);
		break;
	case OF_FILE:
	case TO_END:
		for (unsigned i = 0; i < DATA_REGIONS; i++)
			lose(&d->of[i], a->first, fate == TO_END ? DATA_PAGES : until);
		break;
	case NEW:
		begin_region(k->verb->effect == EFFECT_MAP ? r : &d->of[a->to], k, a);
		break;
	case MOVED:
		move(d, a, act_is_beside(a));
		break;
	case NO_CHILD:
		r->not_forked = true;
		break;
	case STAYS:
		break;
	}
	if (k->outcome.error && k->verb->operands & OPERAND_REGION)
		lose(&d->of[a->to], 0, DATA_PAGES);
}

void data_forked(struct data *d, const struct worker *k)
{
	for (unsigned i = 0; i < DATA_REGIONS; i++) {
		struct data_region *r = &d->of[i];

		r->loses |= r->stays || k->regions[i].file;
		if (r->loses || r->not_forked)
			lose(r, 0, DATA_PAGES);
	}
}

uint64_t data_expected(const struct data *d, unsigned region, uint32_t page)
{
	uint16_t stamp = page < d->of[region].used ? d->of[region].stamp[page] : 0;

	return stamp ? stamp_of(d, stamp) : 0;
}
