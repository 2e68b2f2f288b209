// SPDX-License-Identifier: MIT
/*
 * A huge page or another large folio marked in page_idle/bitmap is idle until one of the processes
 * that map it accesses one of its pages, through a PMD or a page table entry.
 */
#include <rssck/case.h>

enum { BYTES_MOST = 32 << 20, TRIES = 3 };
STEP_SYMBOLS(MARK);

#define BITMAP "/sys/kernel/mm/page_idle/bitmap"

/* One large folio; p is NULL if there is none. */
struct memory {
	char *p;
	size_t bytes;
};

typedef bool map_fn(struct workload *w, struct memory *m);
typedef void access_fn(const struct workload *w, const struct memory *m);

/* ---- kinds; each returns false if it is not possible here ---- */

static bool map_huge(struct workload *w, struct memory *m)
{
	if (!w->huge_page_size || w->huge_page_size > BYTES_MOST)
		return false;
	m->bytes = w->huge_page_size;
	m->p = workload_huge_map(w, 1, -1);
	return workload_try_huge_write(w, m->p, 1);
}

/* Writes to a file of a tmpfs with huge pages, which needs no MADV_COLLAPSE. */
static bool map_shmem(struct workload *w, struct memory *m)
{
	int fd = workload_tmpfs_file("huge=always");
	bool sized = fd >= 0 && ftruncate(fd, (off_t)w->huge_page_size) == 0;

	if (sized && w->huge_page_size && w->huge_page_size <= BYTES_MOST) {
		m->bytes = w->huge_page_size;
		m->p = workload_huge_map(w, 1, fd);
		touch_write(w, m->p, m->bytes / w->page_size);
	}
	if (fd >= 0)
		close(fd);
	return m->p;
}

/* Splits the PMD, and not the folio: entries map its pages. */
static bool map_by_entries(struct workload *w, struct memory *m)
{
	if (!map_huge(w, m))
		return false;
	workload_protect(w, m->p, w->page_size, PROT_READ);
	workload_protect(w, m->p, w->page_size, PROT_READ | PROT_WRITE);
	return true;
}

static bool map_folio(struct workload *w, struct memory *m)
{
	m->bytes = workload_folio_bytes(w);
	m->p = workload_folios(w, 1, m->bytes);
	return m->p;
}

static const struct {
	const char *name;
	map_fn *map;
	bool shared; /* a write of a forked child goes to the same page, not to a copy */
} kinds[] = {
	{ "a huge page", map_huge, false },
	{ "a huge page of shmem", map_shmem, true },
	{ "a huge page mapped by entries", map_by_entries, false },
	{ "a large folio", map_folio, false },
};

/* ---- accesses ---- */

static void access_nothing(const struct workload *w, const struct memory *m)
{
	(void)w, (void)m;
}

static void read_first(const struct workload *w, const struct memory *m)
{
	touch_read(w, m->p, 1);
}

static void read_last(const struct workload *w, const struct memory *m)
{
	touch_read(w, m->p + m->bytes - w->page_size, 1);
}

/* Writes what the page contains, so that nothing else changes. */
static void write_middle(const struct workload *w, const struct memory *m)
{
	volatile char *at = m->p + m->bytes / w->page_size / 2 * w->page_size;

	*at = *at;
}

static const struct {
	const char *name;
	access_fn *access;
} accesses[] = {
	{ "no access", access_nothing },
	{ "a read of its first page", read_first },
	{ "a read of its last page", read_last },
	{ "a write to a page in the middle", write_middle },
};

/* ---- the bitmap ---- */

/* Marks the frame of the first page, or returns whether it is marked; skips without bitmap. */
static bool idle(struct workload *w, const struct memory *m, bool mark)
{
	int map = workload_open_pagemap(w), bitmap = workload_open(w, BITMAP, O_RDWR);
	uint64_t entry = 0, at = (uintptr_t)m->p, bits, bit;

	if (pagemap_entries(map, (long)w->page_size, at, at + w->page_size, &entry) != 1)
		workload_die(w, "/proc/self/pagemap: %m");
	bit = 1ULL << (PAGEMAP_PFN(entry) & 63);
	at = PAGEMAP_PFN(entry) / 64 * sizeof(bits);
	bits = bit;
	if (mark)
		workload_must(w, pwrite(bitmap, &bits, sizeof(bits), (off_t)at), BITMAP);
	else
		workload_must(w, pread(bitmap, &bits, sizeof(bits), (off_t)at), BITMAP);
	close(map);
	close(bitmap);
	return bits & bit;
}

/*
 * The CPU may use a cached translation and not set the accessed bit. mprotect(2) of the mapping
 * flushes it.
 */
static void flush(struct workload *w, const struct memory *m)
{
	workload_protect(w, m->p, m->bytes, PROT_READ);
	workload_protect(w, m->p, m->bytes, PROT_READ | PROT_WRITE);
}

/* A process that accesses the folio when the workload says so. */
struct sharer {
	pid_t pid;
	int go, done;
};

static struct sharer sharer_begin(struct workload *w, const struct memory *m, access_fn *access)
{
	int go[2], done[2];
	char byte = 0;
	pid_t pid;

	if (pipe(go) < 0 || pipe(done) < 0 || (pid = fork()) < 0)
		workload_die(w, "a process to share with: %m");
	if (pid == 0) {
		close(go[1]);
		close(done[0]);
		if (read(go[0], &byte, 1) == 1)
			access(w, m);
		if (write(done[1], &byte, 1) == 1)
			(void)!read(go[0], &byte, 1);
		_exit(0);
	}
	close(go[0]);
	close(done[1]);
	return (struct sharer) { pid, go[1], done[0] };
}

static void sharer_accesses(struct workload *w, const struct sharer *s)
{
	char byte = 0;

	if (write(s->go, &byte, 1) != 1 || read(s->done, &byte, 1) != 1)
		workload_die(w, "the process to share with ended");
}

static void sharer_ends(const struct sharer *s)
{
	close(s->go);
	close(s->done);
	waitpid(s->pid, NULL, 0);
}

/* ---- all of it ---- */

/* Returns whether the folio is idle after the access; *marked is whether it was before. */
static bool idle_after(struct workload *w, map_fn *map, access_fn *access, bool by_sharer,
		       bool *marked)
{
	struct memory m = { .p = NULL };
	struct sharer s = { 0 };
	bool is_idle = false;

	*marked = false;
	if (map(w, &m)) {
		if (by_sharer)
			s = sharer_begin(w, &m, access);
		flush(w, &m);
		idle(w, &m, true);
		*marked = idle(w, &m, false);
		if (by_sharer)
			sharer_accesses(w, &s);
		else
			access(w, &m);
		is_idle = idle(w, &m, false);
		if (by_sharer)
			sharer_ends(&s);
	}
	if (m.p)
		workload_unmap(w, m.p, m.bytes);
	return is_idle;
}

/* Returns whether the folio could be marked. A child's write to private memory copies the page. */
static bool check(struct workload *w, size_t kind, size_t access, bool by_sharer)
{
	bool expected = accesses[access].access == access_nothing, marked, is_idle;

	if (by_sharer && !kinds[kind].shared && accesses[access].access == write_middle)
		return false;
	for (int i = 0; i < TRIES; i++) {
		is_idle = idle_after(w, kinds[kind].map, accesses[access].access, by_sharer,
				     &marked);
		if (!marked || is_idle == expected)
			return marked;
	}
	workload_fail(w, "%s is %s after %s by %s", kinds[kind].name, is_idle ? "idle" : "not idle",
		      accesses[access].name, by_sharer ? "a forked child" : "the process");
}

static void mark_all(struct workload *w)
{
	int64_t done = 0;

	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
		for (size_t a = 0; a < sizeof(accesses) / sizeof(*accesses); a++)
			done += check(w, k, a, false) + check(w, k, a, true);
	workload_report(w, "done", done);
	workload_checked(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	if (trial_reported(t, MARK, "done") == 0)
		judge_skip(j, "transparent huge pages");
}

CASE(thp_idle) {
	.claim =
		"A large folio marked in page_idle/bitmap is not idle after a process that maps it reads or writes one of its pages, whether a PMD or page table entries map it, and whichever process it is; without access it stays idle",
	.because = "page_idle_clear_pte_refs_one() tests and clears the accessed bit of each PMD "
		   "and entry that maps the folio, in all processes (rmap_walk()).",
	.said_by = SAID_BY("Documentation/admin-guide/mm/idle_page_tracking.rst"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_THP | CASE_ONE_CPU,
	.limit_s = 60,
	.steps = STEPS(STEP_AS(MARK, "mark large folios of each kind", mark_all, .checks = 1,
			       .flags = STEP_ANY_PAGES)),
	.judge = judge,
};
