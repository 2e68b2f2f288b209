// SPDX-License-Identifier: MIT
/*
 * Checks the flags of single pages in /proc/kpageflags: which flags an act sets and clears, and
 * which acts leave all flags as they are.
 */
#include "base/cpus.h"
#include "flags.h"
#include "generations.h"
#include "range_acts.h"
#include "segment.h"

STEP_SYMBOLS(ACT);

enum { PAGES = 32, ACTS_MOST = 3, TRIES = 3, FILE_PATH = 0 };

/* Flags that no page of this case has when an act has ended. */
#define NEVER                                                                                 \
	(LOCKED | SLAB | WRITEBACK | BUDDY | HUGE | HWPOISON | NOPAGE | OFFLINE | ZERO_PAGE | \
	 PGTABLE | RESERVED)
/* The flags that an act that only moves or protects a page must keep. */
#define ALL                                                                               \
	(NEVER | REFERENCED | UPTODATE | DIRTY | LRU | ACTIVE | MMAP | ANON | SWAPCACHE | \
	 SWAPBACKED | UNEVICTABLE | MLOCKED)

static int file; /* of the memory: a file or a memfd; -1 if anonymous */

static size_t bytes(const struct workload *w)
{
	return PAGES * w->page_size;
}

/* ---- kinds; each returns the memory, or NULL if it is not possible here ---- */

/* Maps the file, or anonymous memory, without readahead, so that there is no large folio. */
static char *map(struct workload *w, int flags)
{
	char *p = workload_map(w, bytes(w), PROT_READ | PROT_WRITE,
			       flags | (file < 0 ? MAP_ANONYMOUS : 0), file, 0);

	madvise(p, bytes(w), MADV_NOHUGEPAGE);
	madvise(p, bytes(w), MADV_RANDOM);
	return p;
}

static char *map_and_write(struct workload *w, int flags)
{
	char *p = map(w, flags);

	touch_write(w, p, PAGES);
	return p;
}

static char *map_anon(struct workload *w)
{
	return map_and_write(w, MAP_PRIVATE);
}

static char *map_shmem(struct workload *w)
{
	file = memfd_create("rssck", MFD_CLOEXEC);
	workload_must(w, ftruncate(file, (off_t)bytes(w)), "ftruncate of a memfd");
	return map_and_write(w, MAP_SHARED);
}

/* Opens the same file each time, and drops it from the page cache. */
static bool open_file(struct workload *w)
{
	file = open(w->slot[FILE_PATH], O_RDWR | O_CLOEXEC);
	if (file < 0)
		return false;
	workload_must(w, fsync(file), "fsync");
	posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
	posix_fadvise(file, 0, 0, POSIX_FADV_RANDOM);
	return true;
}

static char *map_file(struct workload *w)
{
	char *p = open_file(w) ? map(w, MAP_SHARED) : NULL;

	if (p)
		touch_read(w, p, PAGES);
	return p;
}

static char *map_copy(struct workload *w)
{
	return open_file(w) ? map_and_write(w, MAP_PRIVATE) : NULL;
}

static char *map_segment(struct workload *w)
{
	char *p = segment_map_locked(w, bytes(w));

	if (p)
		workload_remember(w, p, bytes(w));
	return p;
}

/* ---- acts beside those of range_acts.h ---- */

static bool unlock_segment(const struct workload *unused, char *p, size_t size)
{
	(void)unused, (void)p, (void)size;
	return segment_unlock();
}

static bool sync_file(const struct workload *unused, char *p, size_t size)
{
	(void)unused, (void)p, (void)size;
	return fsync(file) == 0;
}

/* read(2) marks each page as accessed (folio_mark_accessed()). */
static bool read_file(const struct workload *w, char *p, size_t size)
{
	(void)p;
	for (size_t at = 0; at < size; at += w->page_size)
		if (pread(file, workload_buffer, 1, (off_t)at) != 1)
			return false;
	return true;
}

/* ---- which flags must be set and clear ---- */

#define MAPPED     (UPTODATE | LRU | MMAP)
#define ANON_PAGE  (MAPPED | ANON | SWAPBACKED)
#define SHMEM_PAGE (MAPPED | SWAPBACKED | DIRTY)
#define LOCKS      (UNEVICTABLE | MLOCKED)
#define NOT_FILE   (ANON | SWAPBACKED) /* flags that no page of a file has */

/* clang-format off */
static const struct row {
	const char *name;
	char *(*map)(struct workload *w);
	range_act *acts[ACTS_MOST];
	uint64_t set, clear; /* `clear` beside those of NEVER */
	bool lists; /* needs MGLRU off: its generations count reads without setting the flag */
} rows[] = {
	{ "anonymous", map_anon, { NULL }, ANON_PAGE, SWAPCACHE | LOCKS, false },
	{ "anonymous, mlock", map_anon, { range_lock },
	  ANON_PAGE | LOCKS, SWAPCACHE | ACTIVE, false },
	{ "anonymous, mlock, munlock", map_anon, { range_lock, range_unlock },
	  ANON_PAGE, SWAPCACHE | LOCKS, false },
	{ "anonymous, MADV_COLD", map_anon, { range_cool },
	  ANON_PAGE, ACTIVE | REFERENCED | LOCKS, false },
	{ "anonymous, MADV_FREE", map_anon, { range_free },
	  MAPPED | ANON, ACTIVE | REFERENCED | SWAPBACKED | LOCKS, false },
	{ "shmem", map_shmem, { NULL }, SHMEM_PAGE, ANON | SWAPCACHE | LOCKS, false },
	{ "shmem, mlock", map_shmem, { range_lock },
	  SHMEM_PAGE | LOCKS, ANON | SWAPCACHE | ACTIVE, false },
	{ "shmem, mlock, munlock", map_shmem, { range_lock, range_unlock },
	  SHMEM_PAGE, ANON | SWAPCACHE | LOCKS, false },
	{ "shmem, MADV_COLD", map_shmem, { range_cool },
	  SHMEM_PAGE, ANON | ACTIVE | REFERENCED, false },
	{ "System V, SHM_LOCK", map_segment, { NULL },
	  SHMEM_PAGE | UNEVICTABLE, ANON | SWAPCACHE | MLOCKED | ACTIVE, false },
	{ "System V, SHM_LOCK, SHM_UNLOCK", map_segment, { unlock_segment },
	  SHMEM_PAGE, ANON | SWAPCACHE | LOCKS, false },
	{ "file", map_file, { NULL },
	  MAPPED, NOT_FILE | SWAPCACHE | DIRTY | LOCKS | ACTIVE, false },
	{ "file, write", map_file, { range_write },
	  MAPPED | DIRTY, NOT_FILE | SWAPCACHE | LOCKS, false },
	{ "file, write, fsync", map_file, { range_write, sync_file },
	  MAPPED, NOT_FILE | DIRTY | LOCKS, false },
	{ "file, mlock", map_file, { range_lock },
	  MAPPED | LOCKS, NOT_FILE | DIRTY | ACTIVE, false },
	{ "file, mlock, munlock", map_file, { range_lock, range_unlock },
	  MAPPED, NOT_FILE | DIRTY | LOCKS, false },
	{ "file, read(2)", map_file, { read_file },
	  MAPPED | REFERENCED, NOT_FILE | DIRTY | ACTIVE, false },
	{ "file, read(2) twice", map_file, { read_file, read_file },
	  MAPPED | ACTIVE, NOT_FILE | DIRTY, true },
	{ "file, read(2) twice, MADV_COLD", map_file, { read_file, read_file, range_cool },
	  MAPPED, NOT_FILE | DIRTY | ACTIVE | REFERENCED, true },
	{ "private copy", map_copy, { NULL }, ANON_PAGE, SWAPCACHE | LOCKS, false },
	{ "private copy, mlock", map_copy, { range_lock },
	  ANON_PAGE | LOCKS, SWAPCACHE | ACTIVE, false },
};
/* clang-format on */

static const struct {
	const char *name;
	range_act *act;
} keeping[] = {
	{ "migration", range_migrate },
	{ "mprotect", range_protect },
	{ "mremap", range_move },
	{ "a fork", range_fork },
	{ "clear_refs 4", range_clear_soft_dirty },
};

enum { ROWS = sizeof(rows) / sizeof(*rows), KEEPING = sizeof(keeping) / sizeof(*keeping) };

/* Returns false if a page is not resident. */
static bool read_flags(struct workload *w, const char *p, uint64_t flags[PAGES])
{
	int map = workload_open_pagemap(w), of = workload_open(w, "/proc/kpageflags", O_RDONLY);
	uint64_t entry[PAGES];
	bool resident = true;

	cpus_drain_lists();
	if (pagemap_entries(map, (long)w->page_size, (uintptr_t)p, (uintptr_t)p + bytes(w),
			    entry) != PAGES)
		workload_die(w, "/proc/self/pagemap: %m");
	for (size_t i = 0; i < PAGES && resident; i++) {
		flags[i] = flags_of(w, of, entry[i]);
		resident = entry[i] & PAGEMAP_PRESENT;
	}
	close(map);
	close(of);
	return resident;
}

static uint64_t wrong_flag(const uint64_t flags[PAGES], const uint64_t must[PAGES], uint64_t of)
{
	for (size_t i = 0; i < PAGES; i++) {
		uint64_t wrong = (flags[i] ^ must[i]) & of;

		if (wrong)
			return wrong & -wrong;
	}
	return 0;
}

/*
 * Performs a row and then, unless it is NULL, `act`, which must keep all flags. Returns the wrong
 * flag, or 0.
 */
static uint64_t try_act(struct workload *w, const struct row *r, range_act *act, char *p,
			bool *done)
{
	uint64_t before[PAGES], after[PAGES];

	*done = p;
	for (size_t i = 0; i < ACTS_MOST && r->acts[i]; i++)
		*done = *done && r->acts[i](w, p, bytes(w));
	*done = *done && read_flags(w, p, before);
	if (!*done)
		return 0;
	if (!act) {
		for (size_t i = 0; i < PAGES; i++)
			after[i] = r->set;
		return wrong_flag(before, after, r->set | r->clear | NEVER);
	}
	*done = act(w, p, bytes(w)) && read_flags(w, p, after);
	/* try_to_migrate() moves an entry's dirty bit to the page, so DIRTY may become set. */
	return *done ? wrong_flag(after, before, ALL & ~(DIRTY & ~(r->set | r->clear))) : 0;
}

static uint64_t try_one(struct workload *w, const struct row *r, range_act *act, bool *done)
{
	int64_t was = r->lists ? generations_now() : -1;
	uint64_t wrong;
	char *p;

	if (was > 0)
		workload_set(w, GENERATIONS, "0");
	file = -1;
	p = r->map(w);
	wrong = try_act(w, r, act, p, done);
	if (was > 0)
		workload_set_number(w, GENERATIONS, was);
	if (p)
		workload_unmap(w, p, bytes(w));
	if (file >= 0)
		close(file);
	return wrong;
}

static bool check_row(struct workload *w, const struct row *r, range_act *act, const char *then)
{
	uint64_t wrong = 0;
	bool done;

	for (int i = 0; i < TRIES; i++) {
		wrong = try_one(w, r, act, &done);
		if (!wrong)
			return done;
	}
	workload_fail(w, "%s%s%s: the flag %s of a page is %s", r->name, act ? ", then " : "",
		      act ? then : "", flag_name(wrong),
		      act              ? "changed, but should stay as it was"
		      : r->set & wrong ? "0, should be 1"
				       : "1, should be 0");
}

static void act_on_all(struct workload *w)
{
	static char path[64];
	int64_t done = 0;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", workload_try_file_uncached(w, PAGES));
	w->slot[FILE_PATH] = path;
	for (size_t i = 0; i < ROWS; i++) {
		done += check_row(w, &rows[i], NULL, NULL);
		for (size_t k = 0; k < KEEPING; k++)
			done += check_row(w, &rows[i], keeping[k].act, keeping[k].name);
	}
	workload_report(w, "done", done);
	workload_checked(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	if (trial_reported(t, ACT, "done") < ROWS * KEEPING / 2)
		judge_skip(
			j,
			"a machine on which at least half of the operations (mlock, fork, migration ...) are possible");
}

CASE(machine_page_flags) {
	.claim =
		"kpageflags shows the flags that mlock, MADV_COLD, MADV_FREE, SHM_LOCK, reading, writing and fsync set or clear; migration, mprotect, mremap, fork and clear_refs 4 keep a page's flags, except that migration may set DIRTY",
	.because = "stable_page_flags() shows the folio's flags. folio_migrate_flags() copies them "
		   "to the new folio, and try_to_migrate() moves an entry's dirty bit to the "
		   "folio. The other acts change only page table entries.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/pagemap.rst, kpageflags"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_ONE_CPU | CASE_POISONS,
	.limit_s = 60,
	.steps = STEPS(STEP_AS(ACT, "act on pages of each kind", act_on_all, .checks = 1)),
	.judge = judge,
};
