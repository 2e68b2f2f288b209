// SPDX-License-Identifier: MIT
/*
 * Checks the flags of single pages in /proc/kpageflags: which flags an act sets and clears, and
 * which acts leave all flags as they are.
 */
#include "base/cpus.h"
#include "flags.h"
#include "generations.h"
#include "migrate.h"
#include "segment.h"
#include <fcntl.h>
#include <inttypes.h>
#include <rssck/case.h>
#include <sys/wait.h>

STEP_SYMBOLS(ACT);

enum { PAGES = 32, ACTS_MOST = 4, TRIES = 3, FILE_PATH = 0 };

/* Flags that no page of this case has when an act has ended. */
#define NEVER                                                                                 \
	(LOCKED | SLAB | WRITEBACK | BUDDY | HUGE | HWPOISON | NOPAGE | OFFLINE | ZERO_PAGE | \
	 PGTABLE | RESERVED)
/* The flags that an act that only moves or protects a page must keep. */
#define ALL                                                                               \
	(NEVER | REFERENCED | UPTODATE | DIRTY | LRU | ACTIVE | MMAP | ANON | SWAPCACHE | \
	 SWAPBACKED | UNEVICTABLE | MLOCKED)

struct memory {
	char *p;
	int fd; /* of a file or a memfd; -1 if anonymous */
};

typedef bool act_fn(struct workload *w, struct memory *m);

static size_t bytes(const struct workload *w)
{
	return PAGES * w->page_size;
}

/* ---- kinds ---- */

static void map(struct workload *w, struct memory *m, int flags)
{
	m->p = workload_map(w, bytes(w), PROT_READ | PROT_WRITE,
			    flags | (m->fd < 0 ? MAP_ANONYMOUS : 0), m->fd, 0);
	madvise(m->p, bytes(w), MADV_NOHUGEPAGE);
	madvise(m->p, bytes(w), MADV_RANDOM); /* no readahead: no large folio */
}

static bool map_anon(struct workload *w, struct memory *m)
{
	map(w, m, MAP_PRIVATE);
	touch_write(w, m->p, PAGES);
	return true;
}

static bool map_shmem(struct workload *w, struct memory *m)
{
	m->fd = memfd_create("rssck", MFD_CLOEXEC);
	workload_must(w, ftruncate(m->fd, (off_t)bytes(w)), "ftruncate of a memfd");
	map(w, m, MAP_SHARED);
	touch_write(w, m->p, PAGES);
	return true;
}

/*
 * Opens the same file each time, and drops it from the page cache. Returns -1 if there is no such
 * file.
 */
static int fresh_file(struct workload *w)
{
	int fd = open(w->slot[FILE_PATH], O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return -1;
	workload_must(w, fsync(fd), "fsync");
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
	return fd;
}

static bool map_file(struct workload *w, struct memory *m)
{
	m->fd = fresh_file(w);
	if (m->fd < 0)
		return false;
	map(w, m, MAP_SHARED);
	touch_read(w, m->p, PAGES);
	return true;
}

static bool map_segment(struct workload *w, struct memory *m)
{
	m->p = segment_map_locked(w, bytes(w));
	if (!m->p)
		return false;
	workload_remember(w, m->p, bytes(w));
	return true;
}

static bool map_copy(struct workload *w, struct memory *m)
{
	m->fd = fresh_file(w);
	if (m->fd < 0)
		return false;
	map(w, m, MAP_PRIVATE);
	touch_write(w, m->p, PAGES);
	return true;
}

/* ---- acts; each returns false if it is not possible here ---- */

static bool lock(struct workload *w, struct memory *m)
{
	return mlock(m->p, bytes(w)) == 0;
}

static bool unlock(struct workload *w, struct memory *m)
{
	return munlock(m->p, bytes(w)) == 0;
}

static bool unlock_segment(struct workload *w, struct memory *m)
{
	(void)w, (void)m;
	return segment_unlock();
}

static bool cool(struct workload *w, struct memory *m)
{
	return madvise(m->p, bytes(w), MADV_COLD) == 0;
}

static bool free_lazily(struct workload *w, struct memory *m)
{
	return madvise(m->p, bytes(w), MADV_FREE) == 0;
}

static bool write_pages(struct workload *w, struct memory *m)
{
	touch_write(w, m->p, PAGES);
	return true;
}

static bool sync_file(struct workload *w, struct memory *m)
{
	(void)w;
	return fsync(m->fd) == 0;
}

/* read(2) marks each page as accessed (folio_mark_accessed()). */
static bool read_file(struct workload *w, struct memory *m)
{
	char *to = workload_buffer;

	for (size_t i = 0; i < PAGES; i++)
		if (pread(m->fd, to, 1, (off_t)(i * w->page_size)) != 1)
			return false;
	return true;
}

static bool migrate(struct workload *w, struct memory *m)
{
	return migrate_there_and_back(w, m->p, PAGES);
}

static bool protect(struct workload *w, struct memory *m)
{
	return !mprotect(m->p, bytes(w), PROT_READ) &&
	       !mprotect(m->p, bytes(w), PROT_READ | PROT_WRITE);
}

static bool move(struct workload *w, struct memory *m)
{
	m->p = workload_remap(w, m->p, PAGES, PAGES, MREMAP_MAYMOVE, NULL);
	return true;
}

static bool fork_and_exit(struct workload *w, struct memory *m)
{
	pid_t pid = fork();

	(void)w, (void)m;
	if (!pid)
		_exit(0);
	return pid > 0 && waitpid(pid, NULL, 0) == pid;
}

static bool clear_soft_dirty(struct workload *w, struct memory *m)
{
	(void)m;
	workload_clear_refs(w, '4');
	return true;
}

/* ---- which flags must be set and clear ---- */

#define MAPPED (UPTODATE | LRU | MMAP)

/* clang-format off */
static const struct row {
	const char *name;
	act_fn *acts[ACTS_MOST]; /* the first one maps the memory */
	uint64_t set, clear;
	bool lists; /* needs MGLRU off: its generations count reads without setting the flag */
} rows[] = {
	{ "anonymous", { map_anon },
	  MAPPED | ANON | SWAPBACKED,
	  NEVER | SWAPCACHE | UNEVICTABLE | MLOCKED, false },
	{ "anonymous, mlock", { map_anon, lock },
	  MAPPED | ANON | SWAPBACKED | UNEVICTABLE | MLOCKED,
	  NEVER | SWAPCACHE | ACTIVE, false },
	{ "anonymous, mlock, munlock", { map_anon, lock, unlock },
	  MAPPED | ANON | SWAPBACKED,
	  NEVER | SWAPCACHE | UNEVICTABLE | MLOCKED, false },
	{ "anonymous, MADV_COLD", { map_anon, cool },
	  MAPPED | ANON | SWAPBACKED,
	  NEVER | ACTIVE | REFERENCED | UNEVICTABLE | MLOCKED, false },
	{ "anonymous, MADV_FREE", { map_anon, free_lazily },
	  MAPPED | ANON,
	  NEVER | ACTIVE | REFERENCED | SWAPBACKED | UNEVICTABLE | MLOCKED, false },
	{ "shmem", { map_shmem },
	  MAPPED | SWAPBACKED | DIRTY,
	  NEVER | ANON | SWAPCACHE | UNEVICTABLE | MLOCKED, false },
	{ "shmem, mlock", { map_shmem, lock },
	  MAPPED | SWAPBACKED | DIRTY | UNEVICTABLE | MLOCKED,
	  NEVER | ANON | SWAPCACHE | ACTIVE, false },
	{ "shmem, mlock, munlock", { map_shmem, lock, unlock },
	  MAPPED | SWAPBACKED | DIRTY,
	  NEVER | ANON | SWAPCACHE | UNEVICTABLE | MLOCKED, false },
	{ "shmem, MADV_COLD", { map_shmem, cool },
	  MAPPED | SWAPBACKED | DIRTY,
	  NEVER | ANON | ACTIVE | REFERENCED, false },
	{ "System V, SHM_LOCK", { map_segment },
	  MAPPED | SWAPBACKED | DIRTY | UNEVICTABLE,
	  NEVER | ANON | SWAPCACHE | MLOCKED | ACTIVE, false },
	{ "System V, SHM_LOCK, SHM_UNLOCK", { map_segment, unlock_segment },
	  MAPPED | SWAPBACKED | DIRTY,
	  NEVER | ANON | SWAPCACHE | UNEVICTABLE | MLOCKED, false },
	{ "file", { map_file },
	  MAPPED,
	  NEVER | ANON | SWAPBACKED | SWAPCACHE | DIRTY | UNEVICTABLE | MLOCKED | ACTIVE, false },
	{ "file, write", { map_file, write_pages },
	  MAPPED | DIRTY,
	  NEVER | ANON | SWAPBACKED | SWAPCACHE | UNEVICTABLE | MLOCKED, false },
	{ "file, write, fsync", { map_file, write_pages, sync_file },
	  MAPPED,
	  NEVER | ANON | SWAPBACKED | DIRTY | UNEVICTABLE | MLOCKED, false },
	{ "file, mlock", { map_file, lock },
	  MAPPED | UNEVICTABLE | MLOCKED,
	  NEVER | ANON | SWAPBACKED | DIRTY | ACTIVE, false },
	{ "file, mlock, munlock", { map_file, lock, unlock },
	  MAPPED,
	  NEVER | ANON | SWAPBACKED | DIRTY | UNEVICTABLE | MLOCKED, false },
	{ "file, read(2)", { map_file, read_file },
	  MAPPED | REFERENCED,
	  NEVER | ANON | SWAPBACKED | DIRTY | ACTIVE, false },
	{ "file, read(2) twice", { map_file, read_file, read_file },
	  MAPPED | ACTIVE,
	  NEVER | ANON | SWAPBACKED | DIRTY, true },
	{ "file, read(2) twice, MADV_COLD", { map_file, read_file, read_file, cool },
	  MAPPED,
	  NEVER | ANON | SWAPBACKED | DIRTY | ACTIVE | REFERENCED, true },
	{ "private copy", { map_copy },
	  MAPPED | ANON | SWAPBACKED,
	  NEVER | SWAPCACHE | UNEVICTABLE | MLOCKED, false },
	{ "private copy, mlock", { map_copy, lock },
	  MAPPED | ANON | SWAPBACKED | UNEVICTABLE | MLOCKED,
	  NEVER | SWAPCACHE | ACTIVE, false },
};
/* clang-format on */

static const struct {
	const char *name;
	act_fn *act;
} keeping[] = {
	{ "migration", migrate },
	{ "mprotect", protect },
	{ "mremap", move },
	{ "a fork", fork_and_exit },
	{ "clear_refs 4", clear_soft_dirty },
};

enum { ROWS = sizeof(rows) / sizeof(*rows), KEEPING = sizeof(keeping) / sizeof(*keeping) };

/* Returns false if a page is not resident. */
static bool read_flags(struct workload *w, const struct memory *m, uint64_t flags[PAGES])
{
	int map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	int of = open("/proc/kpageflags", O_RDONLY | O_CLOEXEC);
	off_t at = (off_t)((uintptr_t)m->p / w->page_size * sizeof(uint64_t));
	uint64_t entry[PAGES];

	cpus_drain_lists();
	if (map < 0 || of < 0)
		workload_skip(w, "/proc/kpageflags: %m");
	if (pread(map, entry, sizeof(entry), at) != sizeof(entry))
		workload_die(w, "/proc/self/pagemap: %m");
	close(map);
	for (size_t i = 0; i < PAGES; i++) {
		off_t pfn = (off_t)(entry[i] & ((1ULL << 55) - 1));

		if (!(entry[i] >> 63)) {
			close(of);
			return false;
		}
		if (!pfn || pread(of, &flags[i], 8, pfn * 8) != 8)
			workload_skip(w, "page frame numbers and /proc/kpageflags");
	}
	close(of);
	return true;
}

/*
 * Performs the acts of a row. Returns false if one is not possible. If that is the first one, which
 * maps the memory, m->p is NULL.
 */
static bool prepare(struct workload *w, const struct row *r, struct memory *m)
{
	bool done = true;

	*m = (struct memory) { .fd = -1 };
	for (size_t i = 0; i < ACTS_MOST && r->acts[i]; i++)
		done = done && r->acts[i](w, m);
	return done;
}

static void finish(struct workload *w, struct memory *m)
{
	workload_unmap(w, m->p, bytes(w));
	if (m->fd >= 0)
		close(m->fd);
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
static uint64_t try_act(struct workload *w, const struct row *r, act_fn *act, struct memory *m,
			bool *done)
{
	uint64_t before[PAGES], after[PAGES];

	*done = prepare(w, r, m) && read_flags(w, m, before);
	if (!*done)
		return 0;
	if (!act) {
		for (size_t i = 0; i < PAGES; i++)
			after[i] = r->set;
		return wrong_flag(before, after, r->set | r->clear);
	}
	*done = act(w, m) && read_flags(w, m, after);
	/* try_to_migrate() moves an entry's dirty bit to the page, so DIRTY may become set. */
	return *done ? wrong_flag(after, before, ALL & ~(DIRTY & ~(r->set | r->clear))) : 0;
}

static uint64_t try_one(struct workload *w, const struct row *r, act_fn *act, bool *done)
{
	struct memory m;
	int64_t was = r->lists ? generations_now() : -1;
	uint64_t wrong;

	if (was > 0)
		workload_set(w, GENERATIONS, "0");
	wrong = try_act(w, r, act, &m, done);
	if (was > 0)
		workload_set_number(w, GENERATIONS, was);
	finish(w, &m);
	return wrong;
}

static bool check_row(struct workload *w, const struct row *r, act_fn *act, const char *then)
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
