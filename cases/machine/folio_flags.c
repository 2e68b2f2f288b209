// SPDX-License-Identifier: MIT
/*
 * Compares the flags of all pages of a large folio in /proc/kpageflags: the first page shows the
 * folio's flags; the others show the same, or on older kernels only those computed for the folio.
 */
#include "base/cpus.h"
#include "flags.h"
#include "range_acts.h"

STEP_SYMBOLS(ACT);

enum { ACTS_MOST = 2, TRIES = 3, BYTES_MOST = 32 << 20 };

/* Flags that all kernels compute for the folio of a page. */
#define COMPUTED (MMAP | ANON | SWAPCACHE | HUGE | LARGE)
/* Flags that are copied from a word of flags: the folio's, or up to 6.9 the page's own. */
#define COPIED (REFERENCED | UPTODATE | DIRTY | LRU | ACTIVE | SWAPBACKED | UNEVICTABLE | MLOCKED)

/* Memory in large folios; p is NULL if there is none. */
struct memory {
	char *p;
	size_t bytes;
};

static int file; /* of the memory; -1 if anonymous */

/* The copied flags of first pages that the other pages show as well, and those they lack. */
struct tails {
	uint64_t show, lack;
};

/* ---- kinds; each returns false if it is not possible here ---- */

static bool map_aligned(struct workload *w, struct memory *m, size_t bytes)
{
	if (!bytes || bytes > BYTES_MOST)
		return false;
	m->bytes = bytes;
	m->p = workload_aligned_map(w, bytes, bytes, file);
	return true;
}

static bool map_huge(struct workload *w, struct memory *m)
{
	return map_aligned(w, m, w->huge_page_size) && workload_try_huge_write(w, m->p, 1);
}

static bool map_folios(struct workload *w, struct memory *m)
{
	m->bytes = 2 * workload_folio_bytes(w);
	m->p = workload_folios(w, 2, m->bytes / 2);
	return m->p;
}

/* Writes to a file of a tmpfs with huge pages, which needs no MADV_COLLAPSE. */
static bool map_shmem(struct workload *w, struct memory *m)
{
	file = workload_tmpfs_file("huge=always");
	if (file < 0 || ftruncate(file, (off_t)w->huge_page_size) < 0 ||
	    !map_aligned(w, m, w->huge_page_size))
		return false;
	touch_write(w, m->p, m->bytes / w->page_size);
	return true;
}

/* Read-ahead makes large folios, if the file system has them (ext4 from 6.16 on). */
static bool map_file(struct workload *w, struct memory *m)
{
	int fd = workload_try_file_uncached(w, w->huge_page_size / w->page_size);

	file = fd < 0 ? -1 : dup(fd);
	if (file < 0 || !map_aligned(w, m, w->huge_page_size) ||
	    madvise(m->p, m->bytes, MADV_HUGEPAGE) < 0)
		return false;
	touch_read(w, m->p, m->bytes / w->page_size);
	return true;
}

/*
 * Pages whose descriptors the kernel has freed are left out (hugetlb_optimize_vmemmap keeps only
 * the first ones of a huge page): up to 6.9 some of them show the first page's flags.
 */
static bool map_hugetlb(struct workload *w, struct memory *m, int flags)
{
	size_t bytes = workload_hugetlb_bytes();
	void *p = NULL;

	if (bytes && bytes <= BYTES_MOST && !workload_booted_with("hugetlb_free_vmemmap", "on") &&
	    workload_number("/proc/sys/vm/hugetlb_optimize_vmemmap", NULL, 0) == 0)
		p = workload_try_map(bytes, PROT_READ | PROT_WRITE, flags | MAP_HUGETLB, -1);
	if (!p)
		return false;
	workload_remember(w, p, bytes);
	*m = (struct memory) { .p = p, .bytes = bytes };
	touch_write(w, p, 1);
	return true;
}

static bool map_hugetlb_private(struct workload *w, struct memory *m)
{
	return map_hugetlb(w, m, MAP_PRIVATE);
}

static bool map_hugetlb_shared(struct workload *w, struct memory *m)
{
	return map_hugetlb(w, m, MAP_SHARED);
}

/* ---- acts beside those of range_acts.h ---- */

/* Splits the PMD, and not the folio. The PMD's dirty bit moves to the folio. */
static bool map_by_entries(const struct workload *w, char *p, size_t bytes)
{
	(void)bytes;
	return range_protect(w, p, w->page_size);
}

static bool sync_file(const struct workload *unused, char *p, size_t bytes)
{
	(void)unused, (void)p, (void)bytes;
	return fsync(file) == 0;
}

/* ---- which flags the first page must show ---- */

#define MAPPED      (UPTODATE | MMAP)
#define ANON_LARGE  (MAPPED | ANON | SWAPBACKED | LRU | LARGE)
#define SHMEM_LARGE (MAPPED | LRU | LARGE | SWAPBACKED | DIRTY)
#define LOCKS       (UNEVICTABLE | MLOCKED)

/* clang-format off */
static const struct row {
	const char *name;
	bool (*map)(struct workload *w, struct memory *m);
	range_act *acts[ACTS_MOST];
	uint64_t set, clear;
} rows[] = {
	{ "huge page", map_huge, { NULL }, ANON_LARGE, HUGE | LOCKS },
	{ "huge page, mlock", map_huge, { range_lock }, ANON_LARGE | LOCKS, HUGE | ACTIVE },
	{ "huge page, mlock, munlock", map_huge, { range_lock, range_unlock },
	  ANON_LARGE, HUGE | LOCKS },
	{ "huge page, MADV_COLD", map_huge, { range_cool }, ANON_LARGE, HUGE | ACTIVE | REFERENCED },
	{ "huge page, MADV_FREE", map_huge, { range_free },
	  ANON_LARGE & ~SWAPBACKED, HUGE | SWAPBACKED | ACTIVE },
	{ "huge page, entries", map_huge, { map_by_entries }, ANON_LARGE | DIRTY, HUGE | LOCKS },
	{ "large folio", map_folios, { NULL }, ANON_LARGE, HUGE | LOCKS },
	{ "large folio, mlock", map_folios, { range_lock }, ANON_LARGE | LOCKS, HUGE | ACTIVE },
	{ "large folio, mlock, munlock", map_folios, { range_lock, range_unlock },
	  ANON_LARGE, HUGE | LOCKS },
	{ "large folio, MADV_FREE", map_folios, { range_free },
	  ANON_LARGE & ~SWAPBACKED, HUGE | SWAPBACKED | ACTIVE },
	{ "shmem", map_shmem, { NULL }, SHMEM_LARGE, ANON | HUGE | LOCKS },
	{ "shmem, mlock", map_shmem, { range_lock }, SHMEM_LARGE | LOCKS, ANON | HUGE | ACTIVE },
	{ "shmem, mlock, munlock", map_shmem, { range_lock, range_unlock },
	  SHMEM_LARGE, ANON | HUGE | LOCKS },
	{ "shmem, MADV_COLD", map_shmem, { range_cool },
	  SHMEM_LARGE, ANON | HUGE | ACTIVE | REFERENCED },
	{ "shmem, entries", map_shmem, { map_by_entries, range_write },
	  SHMEM_LARGE, ANON | HUGE | LOCKS },
	{ "file", map_file, { NULL }, MAPPED | LRU | LARGE, ANON | SWAPBACKED | DIRTY | LOCKS },
	{ "file, write", map_file, { range_write },
	  MAPPED | LRU | LARGE | DIRTY, ANON | SWAPBACKED | LOCKS },
	{ "file, write, fsync", map_file, { range_write, sync_file },
	  MAPPED | LRU | LARGE, ANON | SWAPBACKED | DIRTY | LOCKS },
	{ "file, mlock", map_file, { range_lock },
	  MAPPED | LRU | LARGE | LOCKS, ANON | SWAPBACKED | DIRTY | ACTIVE },
	{ "private hugetlb", map_hugetlb_private, { NULL }, MAPPED | ANON | HUGE, LARGE | LOCKS },
	{ "shared hugetlb", map_hugetlb_shared, { NULL },
	  MAPPED | HUGE | DIRTY, ANON | LARGE | LOCKS },
};
/* clang-format on */

enum { ROWS = sizeof(rows) / sizeof(*rows) };

/*
 * Compares a page's flags with the first page's. Returns a flag that is wrong on all kernels, or 0.
 */
static uint64_t compare(uint64_t first, uint64_t flags, struct tails *t)
{
	t->show |= first & flags & COPIED;
	t->lack |= first & ~flags & COPIED;
	return ((first ^ flags) & COMPUTED) | (flags & ~first & COPIED);
}

/* Returns the flags that are wrong. Sets *large to the number of pages that follow a first page. */
static uint64_t look(struct workload *w, const struct row *r, const struct memory *m,
		     struct tails *t, int64_t *large)
{
	int map = workload_open_pagemap(w), of = workload_open(w, "/proc/kpageflags", O_RDONLY);
	uint64_t first = 0, wrong = 0, entry, at = (uintptr_t)m->p, end = at + m->bytes;

	*large = 0;
	for (; at < end; at += w->page_size) {
		uint64_t flags;

		if (pagemap_entries(map, (long)w->page_size, at, at + w->page_size, &entry) != 1)
			workload_die(w, "/proc/self/pagemap: %m");
		flags = flags_of(w, of, entry);
		if (flags & COMPOUND_HEAD) {
			first = flags;
			wrong |= (first ^ r->set) & (r->set | r->clear);
		} else if (flags & COMPOUND_TAIL && first) {
			wrong |= compare(first, flags, t);
			++*large;
		} else {
			first = 0;
		}
	}
	close(map);
	close(of);
	return wrong;
}

/* Acts on a whole large folio split none. Returns the flags that are wrong. */
static uint64_t try_row(struct workload *w, const struct row *r, struct tails *t, int64_t *large)
{
	struct memory m = { .p = NULL };
	struct tails before = { 0 };
	uint64_t wrong = 0;
	int64_t now = 0;
	bool done;

	file = -1;
	done = r->map(w, &m);
	*large = 0;
	cpus_drain_lists();
	if (done)
		look(w, r, &m, &before, large);
	for (size_t i = 0; i < ACTS_MOST && r->acts[i]; i++)
		done = done && r->acts[i](w, m.p, m.bytes);
	cpus_drain_lists();
	if (done && *large)
		wrong = look(w, r, &m, t, &now);
	if (m.p)
		workload_unmap(w, m.p, m.bytes);
	if (file >= 0)
		close(file);
	return wrong | (done && now != *large ? COMPOUND_TAIL : 0);
}

/* Returns whether the row's memory was in large folios. */
static bool check_row(struct workload *w, const struct row *r, struct tails *all)
{
	uint64_t wrong = 0;
	int64_t large;

	for (int i = 0; i < TRIES; i++) {
		struct tails t = { 0 };

		wrong = try_row(w, r, &t, &large);
		if (!wrong)
			wrong = t.show && t.lack ? t.lack : 0;
		if (wrong)
			continue;
		all->show |= t.show;
		all->lack |= t.lack;
		return large;
	}
	workload_fail(w, "%s: the flag %s of a page of a large folio is wrong", r->name,
		      flag_name(wrong & -wrong));
}

static void act_on_all(struct workload *w)
{
	struct tails all = { 0 };
	int64_t done = 0;

	for (size_t i = 0; i < ROWS; i++)
		done += check_row(w, &rows[i], &all);
	workload_report(w, "done", done);
	workload_report(w, "show", (int64_t)all.show);
	workload_report(w, "lack", (int64_t)all.lack);
	workload_checked(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	bool show = trial_reported(t, ACT, "show"), lack = trial_reported(t, ACT, "lack");

	if (!show && !lack)
		return judge_skip(j, "transparent huge pages, or hugetlb pages");
	judge_fact(j, "kpageflags.tails_show", "%s",
		   !lack  ? "the folio's flags"
		   : show ? "some of the folio's flags"
			  : "their own flags");
}

CASE(machine_folio_flags) {
	.claim =
		"In kpageflags, all pages of a large folio show the same MMAP, ANON, SWAPCACHE, HUGE and THP flags. Of the other flags, they show all that the first page shows or, up to 6.9, none",
	.because = "stable_page_flags() copies most flags from a word of flags. Since 6.10 that "
		   "is the folio's, which the first page contains; before, it was the page's "
		   "own, where the kernel sets no flag of a large folio.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/pagemap.rst, kpageflags"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_ONE_CPU | CASE_THP,
	.limit_s = 60,
	.steps = STEPS(STEP_AS(ACT, "act on large folios of each kind", act_on_all, .checks = 1)),
	.facts = FACTS(FACT("kpageflags.tails_show",
			    "The pages of a large folio after the first show in kpageflags",
			    "the folio's flags|their own flags")),
	.judge = judge,
};
