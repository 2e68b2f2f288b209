// SPDX-License-Identifier: MIT
/* Compares the ledger with the kernel's numbers. */
#include "ledger_private.h"
#include <rssck/source.h>
#include <stdio.h>
#include <string.h>

static const char *const state_names[] = { "absent",     "the zero page", "anonymous",
					   "page cache", "on swap",       "a marker" };

/* The states that a word of pagemap may mean. */
static uint8_t seen_state(const struct ledger_page *g, uint64_t word, bool sees_pfns)
{
	if (word & PAGEMAP_GUARD)
		return PAGE_MARKER;
	if (word & PAGEMAP_SWAP && sees_pfns && PAGEMAP_SWAP_TYPE(word) >= PAGEMAP_RESERVED_TYPE)
		return PAGE_MARKER;
	/*
	 * If the kernel hides frame numbers, it hides the type of a swap entry, too, and no other
	 * bit shows poison.
	 */
	if (word & PAGEMAP_SWAP && !sees_pfns &&
	    (word & PAGEMAP_UFFD_WP || g->flags & (PF_LOOSE | PF_ADOPT)))
		return PAGE_SWAPPED | PAGE_MARKER;
	if (word & PAGEMAP_SWAP)
		return PAGE_SWAPPED;
	if (!(word & PAGEMAP_PRESENT))
		return PAGE_ABSENT;
	if (g->flags & PF_SHARED)
		return PAGE_CACHE;
	/* From 6.11 to 7.2 the huge zero page has the file bit. */
	if (word & PAGEMAP_FILE)
		return g->file ? PAGE_CACHE : PAGE_ZERO;
	/* Before 6.11, pagemap had no file bit for a private file's page cache that a PMD maps. */
	return PAGE_ZERO | PAGE_ANON | (g->file && g->flags & PF_HUGE ? PAGE_CACHE : 0);
}

static const char *states_words(uint8_t states, char *buf, size_t size)
{
	size_t len = 0;

	*buf = '\0';
	for (unsigned i = 0; i < sizeof(state_names) / sizeof(*state_names); i++)
		if (states & 1u << i && len < size)
			len += (size_t)snprintf(buf + len, size - len, "%s%s", len ? " or " : "",
						state_names[i]);
	return buf;
}

static bool state_differs(struct discrepancy *d, unsigned region, uint32_t i, uint8_t seen,
			  const struct ledger_page *g)
{
	char is[80], was_to[80];

	discrepancy_set(d, RULE_PAGE_STATE, "", seen, g->state, "pagemap of r%u page %u", region,
			i);
	discrepancy_describe(d, "the page is %s; after this step it can only be %s",
			     states_words(seen, is, sizeof(is)),
			     states_words(g->state, was_to, sizeof(was_to)));
	return false;
}

static bool dirty_differs(struct discrepancy *d, unsigned region, uint32_t i, bool seen,
			  bool is_new)
{
	discrepancy_set(d, RULE_PAGE_SOFT_DIRTY, "", seen, !seen, "soft-dirty of r%u page %u",
			region, i);
	discrepancy_describe(
		d, "%s",
		is_new ? "the mapping is newer than the last clear_refs, so all of it must be soft-dirty"
		: seen ? "the page has not been written since the last clear_refs"
		       : "the page has been written since the last clear_refs");
	return false;
}

static bool protection_differs(struct discrepancy *d, unsigned region, uint32_t i, bool seen)
{
	discrepancy_set(d, RULE_PAGE_UFFD_WP, "", seen, !seen, "uffd-wp of r%u page %u", region, i);
	discrepancy_describe(
		d, "%s",
		seen ? "the page was written, or its protection was removed"
		     : "the page was protected, and nothing has removed the protection");
	return false;
}

/*
 * Up to 5.18, unuse_pte() makes a new entry, so swapoff clears the soft-dirty and uffd-wp bits of a
 * swapped page.
 */
static bool loses_mark(struct ledger *l, unsigned process, const struct ledger_page *g, bool marked)
{
	bool loses = l->swapped_in && g->state & PAGE_SWAPPED && g->there & PAGE_ANON && !marked;

	l->of[process].lost_marks |= loses;
	return loses;
}

/*
 * For hugetlb, pagemap sets only the uffd-wp bit of an entry without a page
 * (pagemap_hugetlb_range()).
 */
static bool is_hugetlb_marker(uint64_t word)
{
	return word & PAGEMAP_UFFD_WP && !(word & (PAGEMAP_PRESENT | PAGEMAP_SWAP | PAGEMAP_GUARD));
}

/* Counts all markers even if a page is wrong, because known_excuses() needs the counts. */
static void count_markers(struct ledger_region *r, const uint64_t *words, bool sees_pfns)
{
	r->markers = r->protected_guards = 0;
	for (uint32_t i = 0; i < r->top; i++) {
		uint8_t seen = seen_state(&r->pages[i], words[i], sees_pfns);

		r->markers += (seen & PAGE_MARKER && !(words[i] & PAGEMAP_GUARD)) ||
			      is_hugetlb_marker(words[i]);
		r->protected_guards += words[i] & PAGEMAP_GUARD && words[i] & PAGEMAP_UFFD_WP;
	}
}

bool ledger_check_pages(struct ledger *l, unsigned process, unsigned region, const uint64_t *words,
			bool sees_pfns, struct discrepancy *d)
{
	struct ledger_region *r = &l->of[process].regions[region];

	count_markers(r, words, sees_pfns);
	for (uint32_t i = 0; i < r->top; i++) {
		struct ledger_page *g = &r->pages[i];
		uint8_t seen = seen_state(g, words[i], sees_pfns);
		bool dirty = words[i] & PAGEMAP_SOFT_DIRTY;
		uint8_t may;

		if (!(seen & g->state) && !(g->flags & PF_LOOSE))
			return state_differs(d, region, i, seen, g);
		g->seen = g->flags & PF_LOOSE ? PAGE_ANY : seen & g->state;
		g->there = seen;
		g->seen_protected = words[i] & PAGEMAP_UFFD_WP ? DIRTY : CLEAN;
		l->protection |= words[i] & PAGEMAP_UFFD_WP;
		/* A page that the kernel freed after MADV_FREE has lost its uffd-wp bit. */
		if (!(g->protected & g->seen_protected) &&
		    !loses_mark(l, process, g, g->seen_protected & DIRTY) &&
		    (seen != PAGE_ABSENT || !(g->flags & PF_FREED || is_droppable(g))))
			return protection_differs(d, region, i, words[i] & PAGEMAP_UFFD_WP);
		/*
		 * While the mapping has VM_SOFTDIRTY, pagemap does not show the page's own
		 * soft-dirty bit.
		 */
		g->seen_dirty = g->seen == PAGE_ABSENT ? CLEAN
				: g->flags & PF_NEW    ? g->dirty
				: dirty                ? DIRTY
						       : CLEAN;
		if (g->flags & PF_ADOPT_NEW && g->seen != PAGE_ABSENT)
			g->seen_dirty = dirty ? DIRTY : CLEAN;
		if (!l->soft_dirty || g->flags & (PF_ADOPT | PF_ADOPT_NEW | PF_LOOSE))
			continue;
		/* An absent entry has no soft-dirty bit. */
		may = g->flags & PF_NEW ? DIRTY : seen == PAGE_ABSENT ? CLEAN : g->dirty;
		if (!(may & (dirty ? DIRTY : CLEAN)) && !loses_mark(l, process, g, dirty))
			return dirty_differs(d, region, i, dirty, g->flags & PF_NEW);
	}
	return true;
}

static void take_page(const struct ledger_region *r, struct ledger_page *g)
{
	g->state = g->seen;
	g->dirty = g->flags & PF_LOOSE ? CLEAN_OR_DIRTY : g->seen_dirty;
	/* A fault in memory without a userfaultfd may clear the uffd-wp bit. */
	g->protected = g->watch & WATCH_MAY_BE_LOST ? CLEAN_OR_DIRTY : g->seen_protected;
	/* A marker shows that a guard or userfaultfd decides the state of this page. */
	if (g->seen & PAGE_MARKER)
		g->flags |= PF_LOOSE;
	/* If all unclear pages of the region are of one kind, this page is of that kind. */
	if (g->state == (PAGE_ANON | PAGE_ZERO) && r->unclear && !r->zeroes)
		g->state = PAGE_ANON;
	else if (g->state == (PAGE_ANON | PAGE_ZERO) && r->unclear && r->zeroes == r->unclear)
		g->state = PAGE_ZERO;
	if (!(g->state & (PAGE_ANON | PAGE_SWAPPED)))
		g->flags &= (uint16_t)~PF_FREED;
}

/* True for a file's page that was present, may have been in a huge page, and is now absent. */
static bool is_dropped(const struct ledger_page *g)
{
	return g->flags & PF_HUGE && g->state & PAGE_CACHE && g->there == PAGE_ABSENT;
}

static int64_t count_dropped(const struct ledger_process *p)
{
	int64_t dropped = p->dropped;

	for (unsigned k = 0; k < ACT_REGIONS; k++)
		for (uint32_t i = 0; i < p->regions[k].top; i++)
			dropped += is_dropped(&p->regions[k].pages[i]);
	return dropped;
}

void ledger_take(struct ledger *l, unsigned process)
{
	struct ledger_process *p = &l->of[process];
	int64_t zeroes = 0;

	p->dropped = count_dropped(p);
	for (unsigned k = 0; k < ACT_REGIONS; k++) {
		for (uint32_t i = 0; i < p->regions[k].top; i++)
			take_page(&p->regions[k], &p->regions[k].pages[i]);
		zeroes += p->regions[k].zeroes;
	}
	if (zeroes > p->zeroed)
		p->zeroed = zeroes;
}

/*
 * Adopts VM_SOFTDIRTY from the mapping. Without it, pagemap shows the page's own soft-dirty bit.
 * False if that bit differs from the ledger.
 */
static bool adopt_new(struct ledger_page *g, const struct mapping *map)
{
	g->flags &= (uint16_t) ~(PF_ADOPT_NEW | PF_NEW);
	if (map && mapping_has_flag(map, "sd")) {
		g->flags |= PF_NEW;
		g->seen_dirty = g->dirty;
	}
	return g->seen == PAGE_ABSENT || g->dirty & g->seen_dirty;
}

static bool map_differs(struct discrepancy *d, unsigned region, uint32_t i, const char *what,
			bool is)
{
	discrepancy_set(d, RULE_PAGE_MAPPED, "", is, !is, "maps of r%u page %u", region, i);
	discrepancy_describe(d, "the page is %s%s", is ? "" : "not ", what);
	return false;
}

static bool check_page_map(const struct ledger_page *g, const struct mapping *map, unsigned region,
			   uint32_t i, bool soft_dirty, struct discrepancy *d)
{
	const struct {
		const char *what;
		bool is, shall;
	} of[] = {
		{ "mapped", map, g->flags & PF_MAPPED },
		{ "readable", map && map->readable, g->flags & PF_READ },
		{ "writable", map && map->writable, g->flags & PF_WRITE },
		{ "shared", map && map->shared, g->flags & PF_SHARED },
		{ "locked (lo)", map && mapping_has_flag(map, "lo"), g->flags & PF_LOCKED },
		{ "soft-dirty as a whole (sd)", map && mapping_has_flag(map, "sd"),
		  soft_dirty && g->flags & PF_NEW },
	};

	for (size_t k = 0; k < sizeof(of) / sizeof(*of); k++) {
		bool is_marked_by_merging = k == 5 && !of[k].shall;

		if (of[k].is != of[k].shall && !(is_marked_by_merging && !soft_dirty))
			return map_differs(d, region, i, of[k].what, of[k].is);
	}
	return true;
}

bool ledger_check_maps(struct ledger *l, unsigned process, const struct snapshot *s,
		       const struct ledger_place *place, struct discrepancy *d)
{
	for (unsigned r = 0; r < ACT_REGIONS; r++) {
		struct ledger_region *region = &l->of[process].regions[r];
		uint64_t at = place->arena + r * place->stride;
		const struct mapping *map = NULL;

		for (uint32_t i = 0; i < region->top; i++, at += (uint64_t)place->page_size) {
			struct ledger_page *g = &region->pages[i];

			if (!map || at >= map->end || at < map->start)
				map = snapshot_mapping(s, at);
			if (g->flags & PF_MAY_UNLOCK)
				adopt_lock(g, map, &l->of[process].lost_locks);
			if (g->flags & (PF_ADOPT | PF_LOOSE))
				adopt(g, map);
			else if (g->flags & PF_ADOPT_NEW && !adopt_new(g, map) && l->soft_dirty)
				return dirty_differs(d, r, i, g->seen_dirty & DIRTY, false);
			adopt_droppable(&l->of[process], g, map);
			see_watch(g, map);
			if (!check_page_map(g, map, r, i, l->soft_dirty, d))
				return false;
		}
	}
	return true;
}

static void count_process(const struct ledger_process *p, int64_t of[4])
{
	memset(of, 0, 4 * sizeof(*of));
	for (unsigned r = 0; r < ACT_REGIONS; r++)
		for (uint32_t i = 0; i < p->regions[r].top; i++) {
			uint16_t flags = p->regions[r].pages[i].flags;

			of[0] += !!(flags & PF_MAPPED);
			/*
			 * is_data_mapping() counts private, writable mappings that are not stacks.
			 */
			of[1] += (flags & (PF_MAPPED | PF_WRITE | PF_SHARED)) ==
					 (PF_MAPPED | PF_WRITE) &&
				 p->regions[r].pages[i].kind != KIND_STACK;
			of[2] += !!(flags & PF_LOCKED);
		}
}

static bool counts_differ(struct discrepancy *d, enum rule_id rule, enum metric_id id, int64_t seen,
			  int64_t expected)
{
	discrepancy_set(d, rule, "pages", seen, expected, "%s", metric(id)->name);
	return false;
}

/* Number of anonymous pages that splits of huge pages may have replaced by the zero page. */
static int64_t zeroes_of(const struct ledger_process *p)
{
	int64_t zeroes = 0;

	for (unsigned k = 0; k < ACT_REGIONS; k++)
		zeroes += p->regions[k].zeroes;
	return zeroes > p->zeroed ? zeroes : p->zeroed;
}

static bool check_peaks(struct ledger_process *p, const struct snapshot *s, long page_size,
			int64_t lag, struct discrepancy *d)
{
	int64_t hwm = snapshot_pages(s, METRIC_STATUS_VMHWM, page_size);
	int64_t peak = snapshot_pages(s, METRIC_STATUS_VMPEAK, page_size);

	p->forgot_peak = hwm >= 0 && lag >= 0 && hwm + lag < p->highest_rss;
	/*
	 * Two functions lower the count and do not record a peak (see known.h):
	 * try_to_map_unused_to_zeropage(), and __split_huge_pmd_locked() for a file's huge page.
	 * Later faults map the file's pages again.
	 */
	if (p->forgot_peak && hwm + lag + zeroes_of(p) + count_dropped(p) < p->highest_rss)
		return counts_differ(d, RULE_LEDGER_PEAK_RSS, METRIC_STATUS_VMHWM, hwm,
				     p->highest_rss);
	if (peak >= 0 && peak < p->highest_size)
		return counts_differ(d, RULE_LEDGER_PEAK_SIZE, METRIC_STATUS_VMPEAK, peak,
				     p->highest_size);
	return true;
}

bool ledger_check_counts(struct ledger *l, unsigned process, const struct snapshot *s,
			 long page_size, int64_t lag, struct discrepancy *d)
{
	/*
	 * No page stays pinned, because a verb that pins pages unpins them in the same operation.
	 */
	static const enum metric_id ids[] = { METRIC_STATUS_VMSIZE, METRIC_STATUS_VMDATA,
					      METRIC_STATUS_VMLCK, METRIC_STATUS_VMPIN };
	struct ledger_process *p = &l->of[process];
	int64_t of[4], rss = snapshot_pages(s, METRIC_SMAPS_RSS, page_size);
	int64_t size = snapshot_pages(s, METRIC_STATUS_VMSIZE, page_size);

	count_process(p, of);
	for (size_t i = 0; i < 4; i++) {
		int64_t seen = snapshot_pages(s, ids[i], page_size);

		if (seen < 0)
			continue;
		if (!p->outside_known)
			p->outside[i] = seen - of[i];
		/* A known bug, which is_lost_lock() in known.c has counted already. */
		if (ids[i] == METRIC_STATUS_VMLCK && seen - p->outside[i] > of[i] &&
		    seen - p->outside[i] <= of[i] + p->lost_locks)
			continue;
		if (seen - p->outside[i] != of[i])
			return counts_differ(d, RULE_LEDGER_COUNT, ids[i], seen,
					     p->outside[i] + of[i]);
	}
	p->outside_known = true;
	if (!check_peaks(p, s, page_size, lag, d))
		return false;
	if (rss > p->highest_rss)
		p->highest_rss = rss;
	if (size > p->highest_size)
		p->highest_size = size;
	return true;
}

/*
 * clear_refs_pte_range() clears the accessed bit of each entry and of each page. Another process
 * may set a file page's bit again when it unmaps the page.
 */
bool ledger_check_referenced(const struct ledger *l, unsigned process, const struct snapshot *s,
			     const struct ledger_place *place, struct discrepancy *d)
{
	uint64_t end = place->arena + ACT_REGIONS * place->stride;

	for (size_t i = 0; i < s->nr_maps && l->of[process].unreferenced; i++) {
		const struct mapping *map = &s->maps[i];
		int64_t kb = mapping_smaps(map, METRIC_SMAPS_REFERENCED);

		if (map->start < place->arena || map->start >= end || mapping_has_file(map) || !kb)
			continue;
		discrepancy_set(d, RULE_REGION_REFERENCED, "kB", kb, 0, "Referenced of r%u",
				(unsigned)((map->start - place->arena) / place->stride));
		return false;
	}
	return true;
}

static bool class_differs(struct discrepancy *d, unsigned region, const char *class, int64_t seen,
			  int64_t least, int64_t most)
{
	discrepancy_set(d, RULE_REGION_CLASSES, "pages", seen, seen < least ? least : most,
			"%s pages of r%u", class, region);
	return false;
}

/*
 * Counts the pages of each state. A word that does not distinguish the zero page from an anonymous
 * page counts as both.
 */
static void count_states(struct ledger_region *r, int64_t least[2], int64_t most[2])
{
	r->unclear = 0;
	for (uint32_t i = 0; i < r->top; i++) {
		uint8_t seen = r->pages[i].seen;

		/* Includes pages whose state is not predicted. */
		r->unclear += (seen & (PAGE_ANON | PAGE_ZERO)) == (PAGE_ANON | PAGE_ZERO);
		least[0] += seen == PAGE_ZERO;
		least[1] += seen == PAGE_ANON;
		most[0] += !!(seen & PAGE_ZERO);
		most[1] += !!(seen & PAGE_ANON);
	}
}

bool ledger_check_classes(struct ledger *l, unsigned process, unsigned region,
			  const struct snapshot *s, const struct ledger_place *place,
			  struct discrepancy *d)
{
	static const char *const names[] = { "zero", "anonymous" };
	struct ledger_region *r = &l->of[process].regions[region];
	uint64_t from = place->arena + region * place->stride, to = from + place->stride;
	int64_t seen[2] = { 0 }, least[2] = { 0 }, most[2] = { 0 }, whole = 0;

	for (size_t i = 0; i < s->nr_maps; i++) {
		const struct mapping *map = &s->maps[i];

		if (map->start < from || map->start >= to)
			continue;
		if (!map->pagemap.walked || !map->pagemap.zero_known)
			return true;
		seen[0] += map->pagemap.of[CLASS_ZERO];
		seen[1] += map->pagemap.of[CLASS_ANON];
		whole += mapping_smaps(map, METRIC_SMAPS_ANONHUGEPAGES) * 1024 / place->page_size;
	}
	r->by_pmd = whole && whole == seen[1];
	count_states(r, least, most);
	r->zeroes = r->unclear ? seen[0] - least[0] : 0;
	for (unsigned i = 0; i < 2; i++)
		if (seen[i] < least[i] || seen[i] > most[i])
			return class_differs(d, region, names[i], seen[i], least[i], most[i]);
	return true;
}
