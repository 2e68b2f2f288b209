// SPDX-License-Identifier: MIT
/* Finds the cgroup that is charged for each page frame. */
#include "base/memory.h"
#include "base/number.h"
#include "frames.h"
#include "paid.h"
#include <linux/kernel-page-flags.h>
#include <rssck/pages.h>
#include <rssck/source.h>
#include <stdlib.h>

enum { AT_ONCE = 64 * 1024, FOLIO_MAX = 1 << 16 };

#define FLAG(bit) (1ULL << (bit))

/* The folio of the frame counted last. On older kernels only the head page has all flags. */
struct folio {
	uint64_t last; /* the last frame found in the folio; 0 for a single page */
	uint64_t flags, group;
};

#define UNKNOWN UINT64_MAX

static void find_head(const struct host *h, const struct group *g, struct folio *f)
{
	f->group = UNKNOWN;
	f->flags = 0;
	for (uint64_t span = 2; span <= FOLIO_MAX; span *= 2) {
		uint64_t flags, group, head = f->last / span * span;

		if (kpage_word(h->kpageflags, head, &flags))
			return;
		if (!(flags & FLAG(KPF_COMPOUND_HEAD)))
			continue;
		f->flags = flags;
		if (kpage_word(g->charged_to, head, &group) == 0)
			f->group = group;
		return;
	}
}

static bool is_ours(const struct group *g, const struct folio *f)
{
	return f->flags & FLAG(KPF_ANON) && f->group == g->inode;
}

/* Sets c->parts if the program's anonymous folio has more pages than were found. */
static void leave(const struct host *h, const struct group *g, const struct folio *f,
		  struct charged *c)
{
	uint64_t flags;

	if (f->last && is_ours(g, f) && kpage_word(h->kpageflags, f->last + 1, &flags) == 0)
		c->parts |= (flags & FLAG(KPF_COMPOUND_TAIL)) != 0;
}

static void enter(const struct host *h, const struct group *g, struct charged *c, struct folio *f,
		  uint64_t pfn, uint64_t flags, uint64_t group)
{
	bool tail = flags & FLAG(KPF_COMPOUND_TAIL);

	if (tail && f->last && pfn == f->last + 1) {
		f->last = pfn;
		return;
	}
	leave(h, g, f, c);
	*f = (struct folio) { .flags = flags, .group = group };
	if (tail || flags & FLAG(KPF_COMPOUND_HEAD))
		f->last = pfn;
	if (!tail)
		return;
	find_head(h, g, f);
	c->parts |= is_ours(g, f);
}

static void count(const struct host *h, const struct group *g, struct charged *c, struct folio *f,
		  uint64_t pfn, uint64_t flags, uint64_t group)
{
	bool anon = flags & FLAG(KPF_ANON);

	if (flags & (FLAG(KPF_NOPAGE) | FLAG(KPF_ZERO_PAGE) | FLAG(KPF_HUGE)) ||
	    !(flags & FLAG(KPF_MMAP)))
		return;
	enter(h, g, c, f, pfn, flags, group);
	c->nobodys += anon && !f->group;
	if (f->group != g->inode)
		return;
	c->all++;
	c->anon += anon;
	c->file += !anon;
	c->shmem += !anon && f->flags & FLAG(KPF_SWAPBACKED);
}

static int count_all(const struct host *h, const struct group *g, const uint64_t *pfns, size_t nr,
		     struct charged *c)
{
	uint64_t *words = malloc(2 * AT_ONCE * sizeof(*words)), *groups = words + AT_ONCE;
	struct folio f = { .last = 0 };
	int error = 0;

	if (!words)
		memory_gone("the page frames of a program");
	for (size_t i = 0; i < nr && !error; i += AT_ONCE) {
		size_t n = nr - i < AT_ONCE ? nr - i : AT_ONCE;

		error = kpage_words(h->kpageflags, pfns + i, n, FLAG(KPF_NOPAGE), words);
		if (!error)
			error = kpage_words(g->charged_to, pfns + i, n, 0, groups);
		for (size_t k = 0; k < n && !error; k++)
			count(h, g, c, &f, pfns[i + k], words[k], groups[k]);
	}
	leave(h, g, &f, c);
	free(words);
	return error;
}

int charged_count(const struct host *h, const struct group *g, struct snapshot *const *s, size_t nr,
		  struct charged *c)
{
	size_t n;
	uint64_t *pfns = frames_of(s, nr, &n);
	int error;

	*c = (struct charged) { .all = 0 };
	error = count_all(h, g, pfns, number_unique(pfns, n), c);
	free(pfns);
	return error;
}
