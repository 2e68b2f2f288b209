// SPDX-License-Identifier: MIT
/* Frames that have been looked up, by their number. */
#include "base/memory.h"
#include <rssck/source.h>
#include <stdlib.h>
#include <string.h>

/* Where the frame is, or would be: neighbours in memory are no neighbours here. */
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

void frame_words_clear(struct frame_words *f)
{
	if (f->nr)
		memset(f->of, 0, f->room * sizeof(*f->of));
	f->nr = 0;
}

void frame_words_free(struct frame_words *f)
{
	free(f->of);
	*f = (struct frame_words) { .nr = 0 };
}
