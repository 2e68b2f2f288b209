// SPDX-License-Identifier: MIT
/*
 * Keeps frames (by number), entries and ranges for observers that read a process again and again.
 */
#include "base/memory.h"
#include "base/number.h"
#include <rssck/source.h>
#include <stdlib.h>
#include <string.h>

/*
 * Returns the slot of a frame, or the free slot for it. The table is a hash table, so neighbouring
 * frames have distant slots.
 */
static size_t place(const struct frame_words *f, uint64_t pfn)
{
	size_t i = (size_t)(pfn * 0x9e3779b97f4a7c15u >> 20) % f->room;

	while (f->of[i].pfn && f->of[i].pfn != pfn)
		i = (i + 1) % f->room;
	return i;
}

static void grow(struct frame_words *f)
{
	struct frame_words wider = *f;

	wider.room = f->room ? 2 * f->room : 4096;
	wider.of = calloc(wider.room, sizeof(*wider.of));
	if (!wider.of)
		memory_gone("page frames");
	for (size_t i = 0; i < f->room; i++)
		if (f->of[i].pfn)
			wider.of[place(&wider, f->of[i].pfn)] = f->of[i];
	free(f->of);
	*f = wider;
}

void frame_words_add(struct frame_words *f, uint64_t pfn, uint64_t flags, uint64_t count)
{
	size_t at;

	if (2 * f->nr >= f->room)
		grow(f);
	at = place(f, pfn);
	f->nr += !f->of[at].pfn;
	f->of[at] = (struct frame_word) { pfn, flags, count };
}

const struct frame_word *frame_words_find(const struct frame_words *f, uint64_t pfn)
{
	const struct frame_word *w = f->room ? &f->of[place(f, pfn)] : NULL;

	return w && w->pfn ? w : NULL;
}

static void frame_words_clear(struct frame_words *f)
{
	if (f->nr)
		memset(f->of, 0, f->room * sizeof(*f->of));
	f->nr = 0;
}

static void frame_words_free(struct frame_words *f)
{
	free(f->of);
	*f = (struct frame_words) { .nr = 0 };
}

static void *make_room(void *of, size_t *room, size_t needed, size_t size)
{
	if (needed <= *room)
		return of;
	while (*room < needed)
		*room = *room ? 2 * *room : 1024;
	of = realloc(of, *room * size);
	if (!of)
		memory_gone("the page table entries that were read");
	return of;
}

void kept_clear(struct kept_tables *k)
{
	frame_words_clear(&k->frames);
	k->nr_words = k->nr_blocks = k->nr_ranges = 0;
}

void kept_free(struct kept_tables *k)
{
	frame_words_free(&k->frames);
	free(k->words);
	free(k->blocks);
	free(k->ranges);
	*k = (struct kept_tables) { .start = 0 };
}

void kept_add_words(struct kept_tables *k, uint64_t start, const uint64_t *words, size_t n)
{
	if (start < k->start || start >= k->end)
		return;
	k->words = make_room(k->words, &k->words_room, k->nr_words + n, sizeof(*k->words));
	k->blocks = make_room(k->blocks, &k->blocks_room, k->nr_blocks + 1, sizeof(*k->blocks));
	memcpy(k->words + k->nr_words, words, n * sizeof(*words));
	k->blocks[k->nr_blocks++] = (struct kept_block) { start, k->nr_words, n };
	k->nr_words += n;
}

void kept_add_range(struct kept_tables *k, const struct scan_region *r)
{
	k->ranges = make_room(k->ranges, &k->ranges_room, k->nr_ranges + 1, sizeof(*k->ranges));
	k->ranges[k->nr_ranges++] = *r;
}

const uint64_t *kept_words(const struct kept_tables *k, const struct mapping *m, size_t *n)
{
	size_t low = number_place(k->blocks, k->nr_blocks, sizeof(*k->blocks), m->start);

	*n = 0;
	for (size_t i = low; i < k->nr_blocks && k->blocks[i].start < m->end; i++)
		*n += k->blocks[i].nr;
	return *n ? k->words + k->blocks[low].first : NULL;
}

const struct mapping *kept_mapping(const struct kept_tables *k, const struct mapping *m)
{
	const struct mapping *before;

	if (!k->before || (m->start < k->end && m->end > k->start))
		return NULL;
	before = snapshot_mapping(k->before, m->start);
	if (!before || before->start != m->start || before->end != m->end ||
	    before->offset != m->offset || before->smaps_have != m->smaps_have ||
	    strcmp(before->flags, m->flags) != 0 ||
	    memcmp(before->smaps, m->smaps, sizeof(m->smaps)) != 0)
		return NULL;
	return before;
}
