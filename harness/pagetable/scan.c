// SPDX-License-Identifier: MIT
/*
 * Counts pages with the PAGEMAP_SCAN ioctl.
 *
 * Each call covers one mapping, because pagemap_scan_push_range() merges neighbouring ranges of
 * equal categories even across the end of a mapping. Only scan_kept() scans several mappings in one
 * call; count_kept() then cuts the ranges at their ends.
 */
#include "scanner.h"
#include "source/parse.h"
#include "walkable.h"
#include <errno.h>

struct count {
	struct scan_counts *counts;
	int64_t page_size;
};

/*
 * Adds a range to the counts. pagemap_page_category() reports every entry that is neither present
 * nor empty as swapped, including guard regions and PTE markers. Guard regions are left out if the
 * kernel distinguishes them.
 */
static int count_range(const struct scan_region *r, void *arg)
{
	const struct count *c = arg;
	int64_t pages = (int64_t)(r->end - r->start) / c->page_size;

	if (r->categories & SCAN_GUARD) {
		c->counts->guards += pages;
		return 0;
	}
	if (r->categories & SCAN_WRITTEN)
		c->counts->written += pages;
	if (r->categories & SCAN_WPALLOWED)
		c->counts->wpallowed += pages;
	if (r->categories & SCAN_SOFT_DIRTY)
		c->counts->soft_dirty += pages;
	if (r->categories & SCAN_SWAPPED)
		c->counts->swapped += pages;
	if (!(r->categories & SCAN_PRESENT))
		return 0;
	c->counts->present += pages;
	if (r->categories & SCAN_FILE)
		c->counts->file += pages;
	if (r->categories & SCAN_PFNZERO)
		c->counts->pfnzero += pages;
	if (r->categories & SCAN_HUGE)
		c->counts->huge += pages;
	return 0;
}

/*
 * Adds a mapping's counts to the process's sums. PAGEMAP_SCAN reports PAGE_IS_FILE and PAGE_IS_HUGE
 * for hugetlb pages, too. `file` and `huge` leave out hugetlb, because they are compared with RSS,
 * which does not include it. `huge` also leaves out the huge zero page.
 */
static void sum_add(struct values *v, const struct mapping *m, int64_t huge_zero)
{
	bool hugetlb = mapping_has_flag(m, "ht");

	v->of[METRIC_SCAN_PRESENT] += m->scan.present;
	v->of[METRIC_SCAN_SWAPPED] += m->scan.swapped;
	v->of[METRIC_SCAN_PFNZERO] += m->scan.pfnzero;
	v->of[METRIC_SCAN_WRITTEN] += m->scan.written;
	v->of[METRIC_SCAN_WPALLOWED] += m->scan.wpallowed;
	v->of[METRIC_SCAN_SOFT_DIRTY] += m->scan.soft_dirty;
	v->of[METRIC_SCAN_GUARD] += m->scan.guards;
	if (hugetlb)
		return;
	v->of[METRIC_SCAN_FILE] += m->scan.file;
	v->of[METRIC_SCAN_HUGE] += m->scan.huge - huge_zero;
}

struct huge_zero {
	struct count count;
	int64_t pages;
};

static int count_and_watch(const struct scan_region *r, void *arg)
{
	struct huge_zero *z = arg;

	if ((r->categories & SCAN_HUGE) && (r->categories & SCAN_PFNZERO))
		z->pages += (int64_t)(r->end - r->start) / z->count.page_size;
	return count_range(r, &z->count);
}

static bool is_kept(const struct kept_tables *k, const struct mapping *m)
{
	return k && m->start >= k->start && m->end <= k->end;
}

/*
 * Counts the part of the kept ranges that lies in the mapping, using only the categories that a
 * scan of the mapping would request.
 */
static void count_kept(const struct kept_tables *k, const struct mapping *m, struct huge_zero *z)
{
	for (size_t i = 0; i < k->nr_ranges; i++) {
		struct scan_region r = k->ranges[i];

		if (r.end <= m->start || r.start >= m->end ||
		    !(r.categories & (SCAN_PRESENT | SCAN_SWAPPED | SCAN_GUARD)))
			continue;
		r.start = r.start < m->start ? m->start : r.start;
		r.end = r.end > m->end ? m->end : r.end;
		count_and_watch(&r, z);
	}
}

static int keep_range(const struct scan_region *r, void *arg)
{
	kept_add_range(arg, r);
	return 0;
}

static int scan_kept(struct scanner *sc, struct kept_tables *k)
{
	int error;

	if (!k || k->start == k->end)
		return 0;
	sc->all = true;
	error = scanner_run(sc, k->start, k->end, keep_range, k);
	sc->all = false;
	return error;
}

static int scan_mapping(struct scanner *sc, const struct host *h, struct mapping *m,
			struct values *v)
{
	struct huge_zero z = { .count = { &m->scan, h->page_size } };
	const struct mapping *before = h->kept ? kept_mapping(h->kept, m) : NULL;
	int error = 0;

	if (before && before->scan.scanned && !before->scan.pfnzero)
		m->scan = before->scan;
	else if (is_kept(h->kept, m))
		count_kept(h->kept, m, &z);
	else
		error = scanner_run(sc, m->start, m->end, count_and_watch, &z);
	if (error)
		return error;
	m->scan.scanned = true;
	sum_add(v, m, z.pages);
	return 0;
}

/* SCAN_GUARD is absent if the kernel does not distinguish guard regions from swap. */
static void scan_have(struct values *v, const struct scanner *sc)
{
	for (unsigned id = METRIC_SCAN_FIRST; id <= METRIC_SCAN_LAST; id++)
		v->have[id] = true;
	v->have[METRIC_SCAN_GUARD] = sc->return_mask & SCAN_GUARD;
}

int scan_read(int fd, const struct host *h, size_t vec_len, struct snapshot *s,
	      struct source_error *e)
{
	struct scanner sc;
	int error;

	values_forget(&s->values, METRIC_SCAN_FIRST, METRIC_SCAN_LAST);
	if (scanner_open(&sc, fd, vec_len))
		return source_fail(e, SOURCE_SCAN, ENOMEM, "no memory for %zu ranges", vec_len);
	error = scan_kept(&sc, h->kept);
	for (size_t i = 0; i < s->nr_maps; i++) {
		struct mapping *m = &s->maps[i];

		m->scan = (struct scan_counts) { .scanned = false };
		if (!mapping_is_walkable(m))
			continue;
		error = error ? error : scan_mapping(&sc, h, m, &s->values);
		if (!error)
			continue;
		scanner_close(&sc);
		values_forget(&s->values, METRIC_SCAN_FIRST, METRIC_SCAN_LAST);
		return source_fail(e, SOURCE_SCAN, -error, "the mapping at %#llx cannot be scanned",
				   (unsigned long long)m->start);
	}
	scan_have(&s->values, &sc);
	scanner_close(&sc);
	return 0;
}
