// SPDX-License-Identifier: MIT
/*
 * Counts page table entries by class, from /proc/PID/pagemap.
 *
 * The class of a present page follows from two bits that pte_to_pagemap_entry() sets. PM_FILE: the
 * page has a struct page and is not anonymous. PM_MMAP_EXCLUSIVE: it has a struct page and is
 * mapped once. The zero page and PFN mappings have neither. The first of these rules that applies
 * decides:
 *
 * - hugetlb mapping: hugetlb, regardless of the bits.
 *
 * - PM_FILE: shmem or file, by the mapping's device or by the flags of one page (cache_class()). A
 * page without a file ([vdso], and [vvar] since it is VM_MIXEDMAP) counts as file, because the mm
 * counts it in MM_FILEPAGES. Exception: from 6.11 to 7.2 the huge zero page has PM_FILE
 * (pagemap_pmd_range() uses pmd_page() unchecked), so in private memory without a file that has
 * room for a huge page, PM_FILE is unclear.
 *
 * - no PM_FILE, in a mapping of raw PFNs (VM_MIXEDMAP): special. pagemap and PAGEMAP_SCAN show
 * nothing of a VM_PFNMAP mapping such as [vvar], because walk_page_test() treats all of it as a
 * hole and pagemap_scan_test_walk() skips it.
 *
 * - no PM_FILE, in a shared mapping: page cache (before 6.11 a PMD-mapped page had no PM_FILE). A
 * shared mapping has no anonymous pages and no zero pages.
 *
 * - exclusive without PM_FILE, in memory without a file or in a mapping of raw PFNs: anonymous.
 *
 * - all other pages are unclear: a zero page, or an anonymous page that other processes map as
 * well. If PFNs are visible, kpageflags decides. Otherwise PAGEMAP_SCAN's PAGE_IS_PFNZERO decides,
 * for the whole mapping. Without both, they count as CLASS_ANON, zero_known is false, and the sums
 * anon and zero are absent.
 */
#include "frames.h"
#include "scanner.h"
#include "source/parse.h"
#include "sums.h"
#include "walkable.h"
#include <errno.h>
#include <linux/kernel-page-flags.h>
#include <string.h>

enum { SCAN_REGIONS = 256 };

struct walk {
	int fd;
	pid_t pid;
	const struct host *h;
	struct scanner scanner;
	struct page_frames frames; /* used if PFNs are visible */
	int64_t nr_hidden;         /* pages of unclear class whose PFN is not visible */
	int64_t nr_huge_zero;      /* huge zero pages that were recognized by their entry alone */
	struct mapping *m;
	struct page_counts *counts;
	bool file_class_asked;
	bool hugetlb, special;
	uint64_t page; /* index of the current page in the mapping */
	struct source_error *e;
};

/*
 * True for entries that smaps counts as swap. smaps does not count guard regions, PTE markers,
 * poisoned pages and pages under migration as swap. If PFNs are not visible, only guard regions
 * (since 6.15) can be recognized; the others count as swap here.
 */
static bool is_swapped_out(const struct walk *w, uint64_t word)
{
	if (word & PAGEMAP_GUARD)
		return false;
	return !w->h->sees_pfns || PAGEMAP_SWAP_TYPE(word) < PAGEMAP_RESERVED_TYPE;
}

/*
 * True for the entry of a poisoned page: it contains the frame number, and the frame's flags show
 * the poison.
 */
static bool is_poisoned(const struct walk *w, uint64_t word)
{
	uint64_t flags;

	return w->h->sees_pfns && !(word & PAGEMAP_GUARD) &&
	       kpage_word(w->h->kpageflags, PAGEMAP_PFN(word) >> PAGEMAP_SWAP_TYPE_BITS, &flags) ==
		       0 &&
	       flags & 1ULL << KPF_HWPOISON;
}

static void count_absent(const struct walk *w, uint64_t word)
{
	if (is_swapped_out(w, word))
		w->counts->of[CLASS_SWAP]++;
	else
		w->counts->poisoned += is_poisoned(w, word);
}

/*
 * True for private memory without a file that has room for a huge page, except the kernel's own few
 * pages ([vdso], [vvar] and the like).
 */
static bool may_hold_huge_zero(const struct walk *w)
{
	return !w->m->shared && !mapping_has_file(w->m) && strncmp(w->m->name, "[v", 2) != 0 &&
	       w->m->end - w->m->start >= (uint64_t)w->h->huge_page_size;
}

/*
 * Returns CLASS_FILE or CLASS_SHMEM for page cache. Usually the device shows which. A tmpfs below
 * an overlay or in another mount namespace is not visible, so one page of the mapping is looked up
 * as well: mm_counter_file() tests PG_swapbacked. A missing flag proves nothing, because a tail
 * page may not show it on older kernels.
 */
static enum page_class cache_class(struct walk *w, uint64_t word)
{
	uint64_t flags;

	if (w->file_class_asked || !w->h->sees_pfns || !mapping_has_file(w->m))
		return w->counts->file_class;
	w->file_class_asked = true;
	if (kpage_word(w->h->kpageflags, PAGEMAP_PFN(word), &flags) == 0 &&
	    flags & 1ULL << KPF_SWAPBACKED)
		w->counts->file_class = CLASS_SHMEM;
	return w->counts->file_class;
}

/* Returns the class of a present page, or CLASS_COUNT if its entry does not show the class. */
static enum page_class class_by_word(struct walk *w, uint64_t word)
{
	if (w->hugetlb)
		return CLASS_HUGETLB;
	if (word & PAGEMAP_FILE)
		return may_hold_huge_zero(w) ? CLASS_COUNT : cache_class(w, word);
	if (word & PAGEMAP_EXCLUSIVE && (!mapping_has_file(w->m) || w->special))
		return CLASS_ANON;
	if (w->special)
		return CLASS_SPECIAL;
	if (w->m->shared)
		return cache_class(w, word);
	/* In a private file mapping, page cache mapped by a PMD has no PM_FILE before 6.11. */
	return CLASS_COUNT;
}

/*
 * Counts a page of unclear class whose PFN is not visible. The result is right except for huge
 * pages of old kernels.
 */
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

/*
 * True if the page's frame need not be looked up. If frames are sampled, only some frames of a
 * mapping of more than FRAMES_SAMPLED pages are looked up, and all whose class the entry does not
 * show.
 */
static bool is_left_out(struct walk *w, enum page_class class)
{
	uint64_t pages = (w->m->end - w->m->start) / (uint64_t)w->h->page_size;

	if (!w->h->kept || !w->h->kept->frames.sampled || pages <= FRAMES_SAMPLED)
		return false;
	if (class == CLASS_COUNT || frame_is_sampled(w->page))
		return false;
	w->counts->sampled = true;
	return true;
}

static int count_present(struct walk *w, uint64_t word)
{
	enum page_class class = class_by_word(w, word);
	struct page_frame frame = { w->m, class == CLASS_COUNT, word & PAGEMAP_EXCLUSIVE };

	/* `exclusive` leaves out hugetlb, because it is compared with numbers that do. */
	if ((word & PAGEMAP_EXCLUSIVE) && class != CLASS_HUGETLB)
		w->counts->exclusive++;
	if ((word & PAGEMAP_EXCLUSIVE) && class == CLASS_HUGETLB)
		w->counts->hugetlb_exclusive++;
	if (word & PAGEMAP_FILE)
		(*(class == CLASS_HUGETLB ? &w->counts->hugetlb_file : &w->counts->file_bit))++;
	if (class != CLASS_COUNT)
		w->counts->of[class]++;
	if (w->h->sees_pfns)
		return is_left_out(w, class)
			       ? 0
			       : page_frames_add(&w->frames, PAGEMAP_PFN(word), frame);
	if (class == CLASS_COUNT)
		count_hidden(w, word);
	return 0;
}

static int flags_fail(struct walk *w, int error)
{
	return source_fail(w->e, SOURCE_PAGEMAP, -error, "kpageflags cannot be read");
}

/* Counts the flags soft-dirty, guard and uffd-wp, which entries of all kinds may have. */
static void count_marks(struct page_counts *c, uint64_t word)
{
	bool soft_dirty = word & PAGEMAP_SOFT_DIRTY;

	c->soft_dirty += soft_dirty;
	c->guards += !!(word & PAGEMAP_GUARD);
	c->uffd_wp += !!(word & PAGEMAP_UFFD_WP);
	if (word & (PAGEMAP_PRESENT | PAGEMAP_SWAP) && !(word & PAGEMAP_GUARD))
		c->soft_dirty_entries += soft_dirty;
}

static int walk_block(uint64_t start, const uint64_t *words, size_t n, void *arg)
{
	struct walk *w = arg;
	int error = 0;

	if (w->h->kept)
		kept_add_words(w->h->kept, start, words, n);
	for (size_t i = 0; i < n && !error; i++) {
		w->page = (start - w->m->start) / (uint64_t)w->h->page_size + i;
		count_marks(w->counts, words[i]);
		if (words[i] & PAGEMAP_PRESENT)
			error = count_present(w, words[i]);
		else if (words[i] & PAGEMAP_SWAP)
			count_absent(w, words[i]);
	}
	return error ? flags_fail(w, error), 1 : 0;
}

/*
 * True if the process still maps the area. smaps was read earlier, and the process may have ended
 * since.
 */
static bool is_still_mapped(const struct walk *w)
{
	struct snapshot now = { .pid = w->pid };
	struct text t = { .data = NULL };
	struct source_error ignored;
	bool mapped = text_read(&t, w->pid, "maps") == 0 &&
		      maps_read(t.data, t.len, &now, &ignored) == 0 &&
		      snapshot_mapping(&now, w->m->start);

	snapshot_free(&now);
	text_free(&t);
	return mapped;
}

/*
 * Reports that pagemap ended early. The kernel's pagemap_read() returns an entry for every page of
 * the address space, mapped or not, and ends early only if the mm is gone. If the process still
 * lives, two files of the kernel disagree.
 */
static int walk_ends(struct walk *w)
{
	unsigned long long at = w->m->start;

	if (is_still_mapped(w))
		return source_fail(w->e, SOURCE_PAGEMAP, 0,
				   "ends within the mapping at %#llx (%.60s), which maps lists", at,
				   w->m->name[0] ? w->m->name : "no name");
	return source_fail(w->e, SOURCE_PAGEMAP, ESRCH,
			   "the mapping at %#llx cannot be walked: the process has ended", at);
}

static int walk_fails(struct walk *w, int error)
{
	if (error == -ESRCH)
		return walk_ends(w);
	return source_fail(w->e, SOURCE_PAGEMAP, -error,
			   "the mapping at %#llx (%.60s) cannot be walked: %s",
			   (unsigned long long)w->m->start, w->m->name[0] ? w->m->name : "no name",
			   strerror(-error));
}

/* In a VM_SOFTDIRTY mapping even empty entries are soft-dirty. */
static int walk_entries(struct walk *w)
{
	struct mapping *m = w->m;
	int error = pagemap_blocks(w->fd, w->h, m, MAPPING_LARGE, walk_block, w);

	if (error)
		return error < 0 ? walk_fails(w, error) : -1;
	if (mapping_is_large(m) && w->h->has_scan && mapping_has_flag(m, "sd"))
		w->counts->soft_dirty = (int64_t)(m->end - m->start) / w->h->page_size;
	return 0;
}

/*
 * True if a large mapping is not read. Without PAGEMAP_SCAN it is read only if smaps shows pages in
 * it and it has at most 64 GiB, because 16 TiB have 32 GiB of entries.
 */
static bool is_too_large(const struct walk *w)
{
	const uint64_t bearable = 64ULL << 30;

	if (!mapping_is_large(w->m) || w->h->has_scan)
		return false;
	return mapping_is_empty(w->m) || w->m->end - w->m->start > bearable;
}

struct zeroes {
	int64_t small, huge; /* in bytes */
};

static int find_zeroes(const struct scan_region *r, void *arg)
{
	struct zeroes *z = arg;

	if (r->categories & SCAN_PFNZERO)
		*(r->categories & SCAN_HUGE ? &z->huge : &z->small) += (int64_t)(r->end - r->start);
	return 0;
}

/*
 * Divides the pages of unclear class into zero pages and anonymous pages. Huge zero pages with
 * PM_FILE were already counted; whether the scan reports them depends on the kernel.
 */
static int split_hidden(struct walk *w)
{
	struct zeroes z = { 0, 0 };
	int64_t zero;
	int error = scanner_run(&w->scanner, w->m->start, w->m->end, find_zeroes, &z);

	if (error)
		return walk_fails(w, error);
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
	bool shmem = host_is_shmem_device(w->h, m->dev_major, m->dev_minor);

	w->m = m;
	w->counts = &m->pagemap;
	w->file_class_asked = false;
	w->hugetlb = mapping_has_flag(m, "ht") || strncmp(m->name, "/anon_hugepage", 14) == 0;
	w->special = is_special(m);
	w->nr_hidden = 0;
	w->nr_huge_zero = 0;
	memset(m->frames, 0, sizeof(m->frames));
	m->frames_read = false;
	*w->counts = (struct page_counts) { .file_class = shmem ? CLASS_SHMEM : CLASS_FILE };
}

/* Copies the counts of the previous walk if the mapping's block in smaps is unchanged. */
static bool stays(const struct walk *w, struct mapping *m)
{
	const struct mapping *before = w->h->kept ? kept_mapping(w->h->kept, m) : NULL;

	if (!before || !before->pagemap.walked)
		return false;
	m->pagemap = before->pagemap;
	memcpy(m->frames, before->frames, sizeof(m->frames));
	return true;
}

static int walk_mapping(struct walk *w, struct mapping *m)
{
	walk_enter(w, m);
	if (stays(w, m))
		return 0;
	if (!mapping_is_walkable(m) || is_too_large(w))
		return 0;
	if (walk_entries(w))
		return -1;
	m->pagemap.walked = true;
	return resolve_hidden(w);
}

static int walk_open(struct walk *w, struct source_error *frames_error)
{
	if (scanner_open(&w->scanner, w->fd, SCAN_REGIONS) ||
	    page_frames_open(&w->frames, w->h, frames_error))
		return source_fail(w->e, SOURCE_PAGEMAP, ENOMEM, "no memory to read it into");
	return 0;
}

static int walk_all(struct walk *w, struct snapshot *s)
{
	int error;

	for (size_t i = 0; i < s->nr_maps; i++)
		if (walk_mapping(w, &s->maps[i]))
			return -1;
	error = w->h->sees_pfns ? page_frames_flush(&w->frames) : 0;
	return error ? flags_fail(w, error) : 0;
}

static void walk_close(struct walk *w)
{
	scanner_close(&w->scanner);
	page_frames_close(&w->frames);
}

/* Frames are looked up in batches, so after an error no mapping's counts are complete. */
static void forget_all(struct snapshot *s)
{
	for (size_t i = 0; i < s->nr_maps; i++) {
		s->maps[i].pagemap.walked = false;
		s->maps[i].frames_read = false;
	}
}

int pagemap_read(int fd, const struct host *h, struct snapshot *s, struct source_error *e)
{
	struct walk w = { .fd = fd, .pid = s->pid, .h = h, .e = e };
	int error;

	values_forget(&s->values, METRIC_PAGEMAP_FIRST, METRIC_PAGEMAP_LAST);
	error = walk_open(&w, &s->error[SOURCE_FRAMES]) || walk_all(&w, s);
	walk_close(&w);
	if (error) {
		forget_all(s);
		return -1;
	}
	pagemap_sum_up(s, h->sees_pfns && w.frames.counted);
	return 0;
}
