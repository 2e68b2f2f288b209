// SPDX-License-Identifier: MIT
/* Classifies each page frame by its flags. */
#include "frames.h"
#include <linux/kernel-page-flags.h>

enum { KPF_RESERVED = 32, KPF_MLOCKED = 33 };

#ifndef KPF_PGTABLE
enum { KPF_PGTABLE = 26 };
#endif

#define FLAG(bit) (1ULL << (bit))
/*
 * Flags of a folio's head that also apply to its tails. Up to 6.9 kpageflags shows some of them
 * only for the head.
 */
#define FOLIO                                                                              \
	(FLAG(KPF_LRU) | FLAG(KPF_ACTIVE) | FLAG(KPF_UNEVICTABLE) | FLAG(KPF_SWAPBACKED) | \
	 FLAG(KPF_DIRTY) | FLAG(KPF_WRITEBACK) | FLAG(KPF_SWAPCACHE) | FLAG(KPF_MLOCKED) | \
	 FLAG(KPF_ANON) | FLAG(KPF_SLAB) | FLAG(KPF_HUGE) | FLAG(KPF_UPTODATE))

static void add(struct machine_values *v, enum machine_number n, int64_t kb)
{
	v->of[n] += kb;
}

void frames_begin(struct machine_values *v, struct frames_run *r)
{
	for (int n = 1; n < MACHINE_NUMBERS; n++)
		if (machine_row(n)->source == MACHINE_FRAMES)
			machine_set(v, n, 0);
	v->have[MACHINE_FRAMES_INACTIVE_ANON] = v->have[MACHINE_FRAMES_INACTIVE_FILE] = r->by_age;
	r->head = 0;
	r->length = 0;
}

void frames_end(struct machine_values *v, struct frames_run *r)
{
	bool whole = r->huge && r->length >= r->huge;
	int64_t kb = r->length * r->page_kb;

	if (whole && !(r->head & (FLAG(KPF_SLAB) | FLAG(KPF_HUGE)))) {
		if (r->head & FLAG(KPF_ANON))
			add(v, MACHINE_FRAMES_ANON_HUGE, kb);
		else if (r->head & FLAG(KPF_LRU))
			add(v,
			    r->head & FLAG(KPF_SWAPBACKED) ? MACHINE_FRAMES_SHMEM_HUGE
							   : MACHINE_FRAMES_FILE_HUGE,
			    kb);
	}
	r->head = 0;
	r->length = 0;
}

static void add_lru(struct machine_values *v, uint64_t flags, int64_t kb)
{
	bool anon = flags & FLAG(KPF_SWAPBACKED), active = flags & FLAG(KPF_ACTIVE);

	if (flags & FLAG(KPF_UNEVICTABLE)) {
		add(v, MACHINE_FRAMES_UNEVICTABLE, kb);
		return;
	}
	add(v, anon ? MACHINE_FRAMES_LRU_ANON : MACHINE_FRAMES_LRU_FILE, kb);
	if (!active)
		add(v, anon ? MACHINE_FRAMES_INACTIVE_ANON : MACHINE_FRAMES_INACTIVE_FILE, kb);
}

static void add_cache(struct machine_values *v, uint64_t flags, bool mapped, int64_t kb)
{
	/* A page of shmem in the swap cache is not in the page cache. */
	if (flags & FLAG(KPF_SWAPCACHE)) {
		add(v, MACHINE_FRAMES_ANON_UNMAPPED, kb);
		return;
	}
	add(v, MACHINE_FRAMES_CACHE, kb);
	if (flags & FLAG(KPF_SWAPBACKED)) {
		add(v, MACHINE_FRAMES_SHMEM, kb);
		if (!mapped)
			add(v, MACHINE_FRAMES_SHMEM_UNMAPPED, kb);
		return;
	}
	if (mapped)
		add(v, MACHINE_FRAMES_CACHE_MAPPED, kb);
	if (flags & FLAG(KPF_DIRTY))
		add(v, MACHINE_FRAMES_DIRTY, kb);
	if (flags & FLAG(KPF_UNEVICTABLE))
		add(v, MACHINE_FRAMES_CACHE_UNEVICTABLE, kb);
	else if (flags & FLAG(KPF_DIRTY))
		add(v, MACHINE_FRAMES_DIRTY_EVICTABLE, kb);
}

static void add_used(struct machine_values *v, uint64_t flags, bool mapped, int64_t kb)
{
	bool anon = flags & FLAG(KPF_ANON), lru = flags & FLAG(KPF_LRU);

	if (mapped && !anon)
		add(v, MACHINE_FRAMES_MAPPED, kb);
	if (flags & FLAG(KPF_SWAPCACHE))
		add(v, MACHINE_FRAMES_SWAPCACHE, kb);
	if (flags & FLAG(KPF_WRITEBACK))
		add(v, MACHINE_FRAMES_WRITEBACK, kb);
	if (flags & FLAG(KPF_MLOCKED))
		add(v, MACHINE_FRAMES_MLOCKED, kb);
	if (lru)
		add_lru(v, flags, kb);
	if (anon)
		add(v, mapped ? MACHINE_FRAMES_ANON : MACHINE_FRAMES_ANON_UNMAPPED, kb);
	else if (lru)
		add_cache(v, flags, mapped, kb);
	else if (mapped)
		add(v, MACHINE_FRAMES_OTHER_MAPPED, kb);
	if (!lru && flags & (FLAG(KPF_SWAPBACKED) | FLAG(KPF_UPTODATE)))
		add(v, MACHINE_FRAMES_BATCH, kb);
	else if (!lru && !anon && !mapped)
		add(v,
		    flags & (FLAG(KPF_COMPOUND_HEAD) | FLAG(KPF_COMPOUND_TAIL))
			    ? MACHINE_FRAMES_LARGE
			    : MACHINE_FRAMES_PLAIN,
		    kb);
}

/* Kinds of frames that one flag decides. The first flag that matches applies. */
static const struct {
	int bit;
	enum machine_number n;
} kinds[] = {
	{ KPF_NOPAGE, MACHINE_NONE },
	{ KPF_HWPOISON, MACHINE_FRAMES_POISON },
	{ KPF_BUDDY, MACHINE_FRAMES_FREE },
	{ KPF_ZERO_PAGE, MACHINE_FRAMES_RESERVED },
	{ KPF_OFFLINE, MACHINE_FRAMES_OFFLINE },
	/*
	 * 6.18 sets KPF_ANON and KPF_KSM for slabs too, because it reads page->mapping, which has
	 * another meaning in a slab.
	 */
	{ KPF_SLAB, MACHINE_FRAMES_SLAB },
	{ KPF_PGTABLE, MACHINE_FRAMES_PGTABLE },
	{ KPF_HUGE, MACHINE_FRAMES_HUGETLB },
	{ KPF_RESERVED, MACHINE_FRAMES_RESERVED },
};

void frames_count(struct machine_values *v, struct frames_run *r, uint64_t flags, bool mapped,
		  int64_t n)
{
	int64_t kb = n * r->page_kb;

	if (flags & FLAG(KPF_COMPOUND_TAIL) && r->length) {
		r->length += n;
		flags |= r->head & FOLIO;
	} else if (r->length) {
		frames_end(v, r);
	}
	if (flags & FLAG(KPF_COMPOUND_HEAD)) {
		r->head = flags;
		r->length = 1;
	}
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (!(flags & FLAG(kinds[i].bit)))
			continue;
		if (kinds[i].n)
			add(v, kinds[i].n, kb);
		if (kinds[i].bit == KPF_RESERVED && mapped)
			add(v, MACHINE_FRAMES_MAPPED, kb);
		return;
	}
	add_used(v, flags, mapped, kb);
}
