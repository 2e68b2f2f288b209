// SPDX-License-Identifier: MIT
/*
 * Counts the entries of page tables by class, from /proc/PID/pagemap.
 *
 * pte_to_pagemap_entry() says of a present page: PM_FILE if the kernel has a
 * struct page for it that is not anonymous, PM_MMAP_EXCLUSIVE if it has one
 * that is mapped once. The zero page and PFN mappings have neither bit. So:
 *
 *  - hugetlb mapping: hugetlb, whatever the bits;
 *  - PM_FILE: shmem or file, by the mapping's device. A page without a file
 *    ([vdso], and [vvar] since it is VM_MIXEDMAP) is counted as file, because
 *    the mm counts it under MM_FILEPAGES. One exception: the huge zero page has PM_FILE since 6.11
 *    (pagemap_pmd_range() takes pmd_page() as it is), in private mappings;
 *  - neither bit, mapping of raw PFNs (VM_MIXEDMAP): special. Of a VM_PFNMAP
 *    mapping, [vvar] for one, pagemap and PAGEMAP_SCAN show nothing at all:
 *    walk_page_test() calls all of it a hole;
 *  - neither bit, shared mapping: page cache (a PMD-mapped one had no PM_FILE
 *    before 6.11); a shared mapping has no anonymous and no zero page;
 *  - exclusive, in memory without a file: anonymous;
 *  - what is left is unclear: an anonymous page that others map as well, or a
 *    zero page. kpageflags tells where PFNs are visible, else PAGEMAP_SCAN's
 *    PAGE_IS_PFNZERO by mapping, else nothing: then they stand under
 *    CLASS_ANON, zero_known is false and the sums anon and zero are absent.
 */
#include "source/parse.h"
#include "walk.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	CHUNK_ENTRIES = 32 * 1024, /* 256 KiB of entries, 128 MiB of memory */
	FLAGS_ENTRIES = 512,       /* a page of kpageflags for one read */
	SCAN_REGIONS = 256,
};

/* include/uapi/linux/kernel-page-flags.h */
#define KPF_ANON       (1ULL << 12)
#define KPF_SWAPBACKED (1ULL << 14)
#define KPF_NOPAGE     (1ULL << 20)
#define KPF_ZERO_PAGE  (1ULL << 24)

/*
 * A swap entry's word holds its type in the lowest five bits. include/linux/swap.h
 * keeps at most nine of the 32 types for what is no swap: migration, hardware
 * poison, device memory, PTE markers (userfaultfd, guard regions).
 */
enum { SWAP_TYPE_MASK = 31, SWAP_TYPES_REAL = 32 - 9 };

struct walk {
	int fd;
	const struct host *h;
	struct scanner scanner;
	struct frames *frames; /* NULL where they are not looked up */
	uint64_t *words;
	uint64_t *unclear; /* the words of pages of unclear class */
	size_t nr_unclear;
	int64_t nr_hidden;    /* pages of unclear class whose PFN is hidden */
	int64_t nr_huge_zero; /* of those seen without asking anyone */
	struct mapping *m;
	struct page_counts *counts;
	enum page_class file_class; /* of page cache in this mapping */
	bool file_class_asked;
	bool hugetlb, special;
	struct source_error *e;
};

int64_t pagemap_entries(int fd, long page_size, uint64_t start, uint64_t end, uint64_t *words)
{
	size_t wanted = (size_t)((end - start) / (uint64_t)page_size) * sizeof(*words);
	uint64_t from = start / (uint64_t)page_size * sizeof(*words);
	size_t got = 0;

	while (got < wanted) {
		ssize_t n = pread(fd, (char *)words + got, wanted - got, (off_t)(from + got));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		got += (size_t)n;
	}
	return (int64_t)(got / sizeof(*words));
}

/*
 * Entries that smaps does not count as swap: guard regions, PTE markers, pages
 * under migration. Without PFNs only guard regions (since 6.15) are known; the
 * others stay counted as swap.
 */
static bool is_swapped_out(const struct walk *w, uint64_t word)
{
	if (word & PAGEMAP_GUARD)
		return false;
	return !w->h->sees_pfns || (PAGEMAP_PFN(word) & SWAP_TYPE_MASK) < SWAP_TYPES_REAL;
}

/* Memory without a file, but not the kernel's own few pages ([vdso], [uprobes] and the like). */
static bool may_hold_huge_zero(const struct walk *w)
{
	return !w->m->shared && w->m->inode == 0 && strncmp(w->m->name, "[v", 2) != 0 &&
	       w->m->end - w->m->start >= (uint64_t)w->h->huge_page_size;
}

/*
 * The device says what a file's pages are unless its tmpfs is hidden: below an
 * overlay, in another mount namespace. mm_counter_file() goes by PG_swapbacked,
 * so one page of the mapping is asked; a tail page may not show it (older kernels),
 * so "no" is no answer.
 */
static enum page_class cache_class(struct walk *w, uint64_t word)
{
	uint64_t flags;

	if (w->file_class_asked || !w->h->sees_pfns || !w->m->inode)
		return w->file_class;
	w->file_class_asked = true;
	if (kpage_word(w->h->kpageflags, PAGEMAP_PFN(word), &flags) == 0 && flags & KPF_SWAPBACKED)
		w->file_class = CLASS_SHMEM;
	return w->file_class;
}

/* The class of a present page, or CLASS_COUNT if the word does not tell it. */
static enum page_class class_by_word(struct walk *w, uint64_t word)
{
	if (w->hugetlb)
		return CLASS_HUGETLB;
	if (word & PAGEMAP_FILE)
		return may_hold_huge_zero(w) ? CLASS_COUNT : cache_class(w, word);
	if (word & PAGEMAP_EXCLUSIVE && (w->m->inode == 0 || w->special))
		return CLASS_ANON;
	if (w->special)
		return CLASS_SPECIAL;
	if (w->m->shared)
		return cache_class(w, word);
	/* A private file's PMD-mapped page cache has no PM_FILE before 6.11. */
	return CLASS_COUNT;
}

/* The same without PFNs: better an answer that is right for all but huge pages of old kernels. */
static void count_hidden(struct walk *w, uint64_t word)
{
	if (word & PAGEMAP_FILE) {
		w->counts->of[CLASS_ZERO]++;
		w->counts->exclusive -= !!(word & PAGEMAP_EXCLUSIVE);
		w->nr_huge_zero++;
	} else if (word & PAGEMAP_EXCLUSIVE) {
		w->counts->of[CLASS_ANON]++;
	} else {
		w->nr_hidden++;
	}
}

static void count_present(struct walk *w, uint64_t word)
{
	enum page_class class = class_by_word(w, word);

	/* Hugetlb is outside of RSS and of what `exclusive` is compared with. */
	if ((word & PAGEMAP_EXCLUSIVE) && class != CLASS_HUGETLB)
		w->counts->exclusive++;
	if ((word & PAGEMAP_EXCLUSIVE) && class == CLASS_HUGETLB)
		w->counts->hugetlb_exclusive++;
	if (word & PAGEMAP_FILE)
		(*(class == CLASS_HUGETLB ? &w->counts->hugetlb_file : &w->counts->file_bit))++;
	if (w->frames && w->h->sees_pfns && frames_look_up(w->frames, PAGEMAP_PFN(word)))
		w->frames = NULL;
	if (class != CLASS_COUNT)
		w->counts->of[class]++;
	else if (w->h->sees_pfns)
		w->unclear[w->nr_unclear++] = word;
	else
		count_hidden(w, word);
}

static enum page_class class_by_flags(const struct walk *w, uint64_t flags)
{
	if (flags & KPF_ZERO_PAGE)
		return CLASS_ZERO;
	if (flags & KPF_NOPAGE)
		return CLASS_SPECIAL;
	return flags & KPF_ANON ? CLASS_ANON : w->file_class;
}

/* kpageflags of [first, first + n); what lies beyond the last page frame is no page. */
static int flags_read(const struct walk *w, uint64_t first, size_t n, uint64_t *flags)
{
	ssize_t got;

	do
		got = pread(w->h->kpageflags, flags, n * sizeof(*flags),
			    (off_t)(first * sizeof(*flags)));
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return source_fail(w->e, SOURCE_PAGEMAP, errno, "kpageflags cannot be read");
	for (size_t i = (size_t)got / sizeof(*flags); i < n; i++)
		flags[i] = KPF_NOPAGE;
	return 0;
}

static int by_number(const void *a, const void *b)
{
	uint64_t x = PAGEMAP_PFN(*(const uint64_t *)a), y = PAGEMAP_PFN(*(const uint64_t *)b);

	return (x > y) - (x < y);
}

/*
 * The zero page is nobody's own. Kernels with CONFIG_NO_PAGE_MAPCOUNT call the huge one
 * exclusive all the same: nobody is counted who maps it.
 */
static void count_cleared_up(struct walk *w, uint64_t word, uint64_t flags)
{
	enum page_class class = class_by_flags(w, flags);

	w->counts->of[class]++;
	if (class == CLASS_ZERO && word & PAGEMAP_EXCLUSIVE)
		w->counts->exclusive--;
}

/* Ask kpageflags: sorted, so that neighbours share a read and the zero page is asked for once. */
static int count_unclear(struct walk *w)
{
	uint64_t flags[FLAGS_ENTRIES];
	size_t i = 0;

	qsort(w->unclear, w->nr_unclear, sizeof(*w->unclear), by_number);
	while (i < w->nr_unclear) {
		uint64_t first = PAGEMAP_PFN(w->unclear[i]), last = first;
		size_t end = i;

		for (; end < w->nr_unclear && PAGEMAP_PFN(w->unclear[end]) - first < FLAGS_ENTRIES;
		     end++)
			last = PAGEMAP_PFN(w->unclear[end]);
		if (flags_read(w, first, (size_t)(last - first + 1), flags))
			return -1;
		for (; i < end; i++)
			count_cleared_up(w, w->unclear[i],
					 flags[PAGEMAP_PFN(w->unclear[i]) - first]);
	}
	w->nr_unclear = 0;
	return 0;
}

/* What an entry is marked with, whatever it leads to. */
static void count_marks(struct page_counts *c, uint64_t word)
{
	bool soft_dirty = word & PAGEMAP_SOFT_DIRTY;

	c->soft_dirty += soft_dirty;
	c->guards += !!(word & PAGEMAP_GUARD);
	c->uffd_wp += !!(word & PAGEMAP_UFFD_WP);
	if (word & (PAGEMAP_PRESENT | PAGEMAP_SWAP) && !(word & PAGEMAP_GUARD))
		c->soft_dirty_entries += soft_dirty;
}

static int walk_chunk(struct walk *w, uint64_t start, uint64_t end)
{
	int64_t n = pagemap_entries(w->fd, w->h->page_size, start, end, w->words);

	if (n < 0)
		return source_fail(w->e, SOURCE_PAGEMAP, errno, "cannot be read at %#llx",
				   (unsigned long long)start);
	if ((uint64_t)n != (end - start) / (uint64_t)w->h->page_size)
		return source_fail(w->e, SOURCE_PAGEMAP, ESRCH,
				   "ends at %#llx: the process has no memory any more",
				   (unsigned long long)start);
	for (int64_t i = 0; i < n; i++) {
		uint64_t word = w->words[i];

		count_marks(w->counts, word);
		if (word & PAGEMAP_PRESENT)
			count_present(w, word);
		else if (word & PAGEMAP_SWAP)
			w->counts->of[CLASS_SWAP] += is_swapped_out(w, word);
	}
	return count_unclear(w);
}

static int walk_range(struct walk *w, uint64_t start, uint64_t end)
{
	uint64_t step = (uint64_t)CHUNK_ENTRIES * (uint64_t)w->h->page_size;

	for (; start < end; start += step)
		if (walk_chunk(w, start, end - start < step ? end : start + step))
			return -1;
	return 0;
}

static int scan_fails(struct walk *w, int error)
{
	return source_fail(w->e, SOURCE_PAGEMAP, -error,
			   "PAGEMAP_SCAN cannot scan the mapping at %#llx",
			   (unsigned long long)w->m->start);
}

static int walk_found(const struct scan_region *r, void *arg)
{
	return walk_range(arg, r->start, r->end) ? 1 : 0;
}

/* Entries of a VM_SOFTDIRTY mapping are soft-dirty without being there. */
static int walk_sparsely(struct walk *w)
{
	int error = scanner_run(&w->scanner, w->m->start, w->m->end, walk_found, w);

	if (error < 0)
		return scan_fails(w, error);
	if (mapping_has_flag(w->m, "sd"))
		w->counts->soft_dirty = (int64_t)(w->m->end - w->m->start) / w->h->page_size;
	return error ? -1 : 0;
}

/*
 * Without PAGEMAP_SCAN a large mapping is read if it holds something and the
 * reading takes tenths of a second: 16 TiB have 32 GiB of entries.
 */
static bool is_too_large(const struct walk *w)
{
	const uint64_t bearable = 64ULL << 30;

	if (!mapping_is_large(w->m) || w->h->has_scan)
		return false;
	return mapping_is_empty(w->m) || w->m->end - w->m->start > bearable;
}

struct zeroes {
	int64_t small, huge; /* bytes */
};

static int find_zeroes(const struct scan_region *r, void *arg)
{
	struct zeroes *z = arg;

	if (r->categories & SCAN_PFNZERO)
		*(r->categories & SCAN_HUGE ? &z->huge : &z->small) += (int64_t)(r->end - r->start);
	return 0;
}

/* Huge zero pages that had PM_FILE are counted already; whether the scan sees them varies. */
static int split_hidden(struct walk *w)
{
	struct zeroes z = { 0, 0 };
	int64_t zero;
	int error = scanner_run(&w->scanner, w->m->start, w->m->end, find_zeroes, &z);

	if (error)
		return scan_fails(w, error);
	zero = z.small / w->h->page_size;
	if (w->nr_huge_zero == 0)
		zero += z.huge / w->h->page_size;
	if (zero > w->nr_hidden)
		zero = w->nr_hidden;
	w->counts->of[CLASS_ZERO] += zero;
	w->counts->of[CLASS_ANON] += w->nr_hidden - zero;
	return 0;
}

static int resolve_hidden(struct walk *w)
{
	w->counts->zero_known = w->nr_hidden == 0 || w->h->has_scan;
	if (w->nr_hidden && w->h->has_scan)
		return split_hidden(w);
	w->counts->of[CLASS_ANON] += w->nr_hidden;
	return 0;
}

static bool is_special(const struct mapping *m)
{
	return mapping_has_flag(m, "pf") || mapping_has_flag(m, "mm") ||
	       strncmp(m->name, "[vvar", 5) == 0;
}

static void walk_enter(struct walk *w, struct mapping *m)
{
	bool shmem = m->inode && host_is_shmem_device(w->h, m->dev_major, m->dev_minor);

	w->m = m;
	w->counts = &m->pagemap;
	w->file_class = shmem ? CLASS_SHMEM : CLASS_FILE;
	w->file_class_asked = false;
	w->hugetlb = mapping_has_flag(m, "ht") || strncmp(m->name, "/anon_hugepage", 14) == 0;
	w->special = is_special(m);
	w->nr_hidden = 0;
	w->nr_huge_zero = 0;
	memset(m->frames, 0, sizeof(m->frames));
	m->frames_read = false;
	if (w->frames)
		w->frames->m = m;
	*w->counts = (struct page_counts) { .zero_known = true };
}

static int walk_mapping(struct walk *w, struct mapping *m)
{
	walk_enter(w, m);
	if (!mapping_is_walkable(m))
		return 0;
	if (is_too_large(w)) {
		m->pagemap.zero_known = false;
		return 0;
	}
	if (mapping_is_large(m) && w->h->has_scan ? walk_sparsely(w)
						  : walk_range(w, m->start, m->end))
		return -1;
	m->pagemap.walked = true;
	if (w->frames && frames_flush(w->frames))
		w->frames = NULL;
	m->frames_read = w->frames;
	return resolve_hidden(w);
}

struct sums {
	int64_t of[CLASS_COUNT];
	int64_t present, exclusive, soft_dirty, uffd_wp, guards;
	bool zero_known; /* of all that was walked */
	bool all_walked;
	bool rss_walked; /* what was not walked holds nothing that is in an RSS */
};

static struct sums sum_up(const struct snapshot *s)
{
	struct sums sums = { .zero_known = true, .all_walked = true, .rss_walked = true };

	for (size_t i = 0; i < s->nr_maps; i++) {
		const struct mapping *m = &s->maps[i];

		for (int c = 0; c < CLASS_COUNT; c++) {
			sums.of[c] += m->pagemap.of[c];
			sums.present += c == CLASS_SWAP ? 0 : m->pagemap.of[c];
		}
		sums.exclusive += m->pagemap.exclusive;
		sums.soft_dirty += m->pagemap.soft_dirty;
		sums.uffd_wp += m->pagemap.uffd_wp;
		sums.guards += m->pagemap.guards;
		if (!mapping_is_walkable(m))
			continue;
		sums.zero_known &= m->pagemap.zero_known || !m->pagemap.walked;
		sums.all_walked &= m->pagemap.walked;
		sums.rss_walked &= m->pagemap.walked || mapping_is_empty(m);
	}
	return sums;
}

static void set(struct values *v, enum metric_id id, int64_t value, bool known)
{
	v->of[id] = known ? value : 0;
	v->have[id] = known;
}

/* An empty reservation that was not walked may still hold zero pages. */
static void sums_store(struct values *v, const struct sums *s)
{
	set(v, METRIC_PAGEMAP_PRESENT, s->present, s->all_walked);
	set(v, METRIC_PAGEMAP_ANON, s->of[CLASS_ANON], s->rss_walked && s->zero_known);
	set(v, METRIC_PAGEMAP_FILE, s->of[CLASS_FILE], s->rss_walked);
	set(v, METRIC_PAGEMAP_SHMEM, s->of[CLASS_SHMEM], s->rss_walked);
	set(v, METRIC_PAGEMAP_ZERO, s->of[CLASS_ZERO], s->all_walked && s->zero_known);
	set(v, METRIC_PAGEMAP_HUGETLB, s->of[CLASS_HUGETLB], s->rss_walked);
	set(v, METRIC_PAGEMAP_SWAP, s->of[CLASS_SWAP], s->rss_walked);
	set(v, METRIC_PAGEMAP_SPECIAL, s->of[CLASS_SPECIAL], s->rss_walked);
	set(v, METRIC_PAGEMAP_EXCLUSIVE, s->exclusive, s->rss_walked);
	set(v, METRIC_PAGEMAP_UFFD_WP, s->uffd_wp, s->all_walked);
	set(v, METRIC_PAGEMAP_GUARD, s->guards, s->all_walked);
	set(v, METRIC_PAGEMAP_SOFT_DIRTY, s->soft_dirty, s->all_walked);
}

static void frames_store(struct snapshot *s, bool all)
{
	for (size_t i = 0; all && i < s->nr_maps; i++)
		all = s->maps[i].frames_read || !mapping_is_walkable(&s->maps[i]);
	values_forget(&s->values, METRIC_FRAMES_ANON, METRIC_FRAMES_MORE);
	for (size_t i = 0; all && i < s->nr_maps; i++)
		for (int k = 0; k < FRAMES_FIELDS; k++)
			s->values.of[METRIC_FRAMES_ANON + k] += s->maps[i].frames[k];
	for (unsigned id = METRIC_FRAMES_ANON; id <= METRIC_FRAMES_MORE; id++)
		s->values.have[id] = all;
}

static int walk_open(struct walk *w)
{
	w->words = malloc(CHUNK_ENTRIES * sizeof(*w->words));
	w->unclear = malloc(CHUNK_ENTRIES * sizeof(*w->unclear));
	if (scanner_open(&w->scanner, w->fd, SCAN_REGIONS) || !w->words || !w->unclear)
		return source_fail(w->e, SOURCE_PAGEMAP, ENOMEM, "no memory to read it into");
	return 0;
}

static void walk_close(struct walk *w)
{
	scanner_close(&w->scanner);
	free(w->words);
	free(w->unclear);
}

int pagemap_read(int fd, const struct host *h, struct snapshot *s, struct source_error *e)
{
	struct frames frames = { .h = h, .e = &s->error[SOURCE_FRAMES] };
	struct walk w = { .fd = fd, .h = h, .e = e };
	struct sums sums;
	int error = walk_open(&w);

	w.frames = h->sees_pfns && h->kpagecount >= 0 ? &frames : NULL;
	values_forget(&s->values, METRIC_PAGEMAP_PRESENT, METRIC_PAGEMAP_SOFT_DIRTY);
	for (size_t i = 0; !error && i < s->nr_maps; i++)
		error = walk_mapping(&w, &s->maps[i]);
	walk_close(&w);
	if (error)
		return -1;
	sums = sum_up(s);
	sums_store(&s->values, &sums);
	frames_store(s, w.frames);
	return 0;
}
