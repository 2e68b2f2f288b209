// SPDX-License-Identifier: MIT
/*
 * Double entry above the process: each load takes memory and gives it back; each number that
 * counts its kind of memory moves by that much, no other one moves, and all return.
 */
#include "loads.h"

STEP_SYMBOLS(TAKE);

/* A load's pages are at least that many; a number may be off by a part of them. */
enum { PAGES_LEAST = 1024, BATCHES = 8, BOUND = 4, TRIES = 3, TRIES_MOST = 6 };

/* What a page of each is in. */
#define ANON_MEMORY                                        \
	{ ANON, 1 }, { ANON_LISTS, 1 }, { BOTH_LISTS, 1 }, \
	{                                                  \
		PAID, 1                                    \
	}
#define LOCKED_MEMORY                                        \
	{ ANON, 1 }, { UNEVICTABLE_LIST, 1 }, { LOCKED, 1 }, \
	{                                                    \
		PAID, 1                                      \
	}
#define SHMEM_MEMORY                                                      \
	{ SHMEM, 1 }, { CACHE, 1 }, { ANON_LISTS, 1 }, { BOTH_LISTS, 1 }, \
	{                                                                 \
		PAID, 1                                                   \
	}
#define FILE_MEMORY                                         \
	{ CACHE, 1 }, { FILE_LISTS, 1 }, { BOTH_LISTS, 1 }, \
	{                                                   \
		PAID, 1                                     \
	}

/* What reclaim may do meanwhile. */
#define TO_SWAP                                                                                \
	(KIND(SWAPPED) | KIND(SWAP_LEFT) | KIND(SWAP_CACHE) | KIND(CACHE) | KIND(ANON_LISTS) | \
	 KIND(BOTH_LISTS) | KIND(PAID))

static const struct load {
	const char *name;
	int64_t (*act)(const struct workload *w);
	struct {
		enum kind kind;
		int times; /* the pages */
	} moves[8];
	uint64_t any;       /* kinds whose numbers the kernel chooses while it lasts */
	const char *counts; /* " vmstat.pgfault ": events that rise by the pages, or more */
} loads[] = {
	{ .name = "nothing" },
	{ .name = "anonymous memory",
	  .act = anon_written,
	  .moves = { ANON_MEMORY },
	  .counts = " vmstat.pgfault memory.stat.pgfault " },
	{ .name = "anonymous memory that migrates",
	  .act = anon_migrated,
	  .moves = { ANON_MEMORY },
	  .counts = " vmstat.pgmigrate_success " },
	{ .name = "anonymous memory that mbind(2) moves",
	  .act = anon_bound,
	  .moves = { ANON_MEMORY },
	  .counts = " vmstat.pgmigrate_success " },
	{ .name = "memory that is locked",
	  .act = anon_locked,
	  .moves = { LOCKED_MEMORY },
	  .counts = " vmstat.unevictable_pgs_mlocked " },
	{ .name = "memory that is locked from the beginning",
	  .act = anon_born_locked,
	  .moves = { LOCKED_MEMORY } },
	{ .name = "memory that was locked",
	  .act = anon_unlocked,
	  .moves = { ANON_MEMORY },
	  .counts = " vmstat.unevictable_pgs_munlocked " },
	{ .name = "memory that is pinned for a moment",
	  .act = anon_pinned,
	  .moves = { ANON_MEMORY } },
	{ .name = "memory that is paged out",
	  .act = anon_swapped,
	  .moves = { { SWAPPED, 1 }, { SWAP_LEFT, -1 } },
	  .any = TO_SWAP | KIND(ANON) },
	{ .name = "memory that was paged out",
	  .act = anon_swapped_in,
	  .moves = { { ANON, 1 } },
	  .any = TO_SWAP },
	{ .name = "memory that swapoff(2) reads back",
	  .act = anon_swapoff,
	  .moves = { ANON_MEMORY } },
	{ .name = "memory that MADV_FREE gives up", .act = anon_freed, .any = KIND(PAID) },
	{ .name = "huge pages", .act = thp_written, .moves = { ANON_MEMORY, { ANON_THP, 1 } } },
	{ .name = "huge pages that migrate",
	  .act = thp_migrated,
	  .moves = { ANON_MEMORY, { ANON_THP, 1 } } },
	{ .name = "huge pages that are paged out",
	  .act = thp_swapped,
	  .moves = { { SWAPPED, 1 }, { SWAP_LEFT, -1 } },
	  .any = TO_SWAP | KIND(ANON) | KIND(ANON_THP) },
	{ .name = "huge pages that are split",
	  .act = thp_split,
	  .moves = { ANON_MEMORY },
	  .any = KIND(ANON_THP) },
	{ .name = "huge pages that were collapsed",
	  .act = thp_collapsed,
	  .moves = { ANON_MEMORY, { ANON_THP, 1 } } },
	{ .name = "a memfd that nobody maps", .act = shmem_unmapped, .moves = { SHMEM_MEMORY } },
	{ .name = "a memfd that is mapped",
	  .act = shmem_mapped,
	  .moves = { SHMEM_MEMORY, { MAPPED, 1 } } },
	{ .name = "a memfd that migrates",
	  .act = shmem_migrated,
	  .moves = { SHMEM_MEMORY, { MAPPED, 1 } },
	  .counts = " vmstat.pgmigrate_success " },
	{ .name = "a memfd that is paged out",
	  .act = shmem_swapped,
	  .moves = { { SWAPPED, 1 }, { SWAP_LEFT, -1 } },
	  .any = TO_SWAP | KIND(SHMEM) | KIND(MAPPED) },
	{ .name = "a memfd that was paged out",
	  .act = shmem_swapped_in,
	  .moves = { { SHMEM, 1 }, { MAPPED, 1 } },
	  .any = TO_SWAP },
	{ .name = "a memfd of which parts were dropped",
	  .act = shmem_punched,
	  .moves = { SHMEM_MEMORY } },
	{ .name = "huge pages of a tmpfs",
	  .act = shmem_huge,
	  .moves = { SHMEM_MEMORY, { MAPPED, 1 }, { SHMEM_THP, 1 }, { SHMEM_THP_MAPPED, 1 } } },
	{ .name = "huge pages of a tmpfs that migrate",
	  .act = shmem_huge_migrated,
	  .moves = { SHMEM_MEMORY, { MAPPED, 1 } },
	  .any = KIND(SHMEM_THP) | KIND(SHMEM_THP_MAPPED) },
	{ .name = "huge pages of a tmpfs that are split",
	  .act = shmem_huge_split,
	  .moves = { SHMEM_MEMORY } },
	{ .name = "a memfd that was collapsed",
	  .act = shmem_collapsed,
	  .moves = { SHMEM_MEMORY, { SHMEM_THP, 1 } },
	  .any = KIND(SHMEM_THP_MAPPED) | KIND(MAPPED) },
	{ .name = "a file that is read", .act = file_read, .moves = { FILE_MEMORY } },
	{ .name = "a file that is mapped",
	  .act = file_mapped,
	  .moves = { FILE_MEMORY, { MAPPED, 1 } } },
	{ .name = "a file that migrates",
	  .act = file_migrated,
	  .moves = { FILE_MEMORY, { MAPPED, 1 } },
	  .counts = " vmstat.pgmigrate_success " },
	{ .name = "a file that is written",
	  .act = file_written,
	  .moves = { FILE_MEMORY },
	  .any = KIND(DIRTY) | KIND(WRITTEN_BACK),
	  .counts = " vmstat.nr_dirtied " },
	{ .name = "a file that is written through a mapping",
	  .act = file_dirtied,
	  .moves = { FILE_MEMORY, { MAPPED, 1 } },
	  .any = KIND(DIRTY) | KIND(WRITTEN_BACK),
	  .counts = " vmstat.nr_dirtied " },
	{ .name = "a dirty file that migrates",
	  .act = file_dirty_migrated,
	  .moves = { FILE_MEMORY, { MAPPED, 1 } },
	  .any = KIND(DIRTY) | KIND(WRITTEN_BACK) },
	{ .name = "a file that is written and synced",
	  .act = file_synced,
	  .moves = { FILE_MEMORY },
	  .counts = " vmstat.nr_dirtied vmstat.nr_written " },
	{ .name = "a dirty file that is cut off", .act = file_truncated },
	{ .name = "a file that is reclaimed and read again",
	  .act = file_reclaimed,
	  .moves = { FILE_MEMORY },
	  .any = TO_SWAP | KIND(ANON),
	  .counts = " memory.stat.pgsteal " },
	{ .name = "a file that is reclaimed from lists and read again",
	  .act = file_reclaimed_by_lists,
	  .moves = { FILE_MEMORY },
	  .any = TO_SWAP | KIND(ANON),
	  .counts = " memory.stat.pgsteal " },
	{ .name = "anonymous memory that is reclaimed",
	  .act = anon_reclaimed,
	  .moves = { { ANON, 1 } },
	  .any = TO_SWAP,
	  .counts = " memory.stat.pgsteal " },
	{ .name = "anonymous memory that is reclaimed from lists",
	  .act = anon_reclaimed_by_lists,
	  .moves = { { ANON, 1 } },
	  .any = TO_SWAP,
	  .counts = " memory.stat.pgsteal " },
	{ .name = "hugetlb pages that are reserved",
	  .act = pool_reserved,
	  .moves = { { POOL_RESERVED, 1 }, { POOL_PAID_RESERVED, 1 } } },
	{ .name = "hugetlb pages",
	  .act = pool_used,
	  .moves = { { POOL_FREE, -1 }, { POOL_PAID, 1 }, { POOL_PAID_RESERVED, 1 } } },
	{ .name = "hugetlb pages that are shared",
	  .act = pool_shared,
	  .moves = { { POOL_FREE, -1 }, { POOL_PAID, 1 }, { POOL_PAID_RESERVED, 1 } } },
	{ .name = "hugetlb pages without a reservation",
	  .act = pool_unreserved,
	  .moves = { { POOL_FREE, -1 }, { POOL_PAID, 1 } },
	  .any = KIND(POOL_PAID_RESERVED) },
	{ .name = "hugetlb pages of a file that was cut off", .act = pool_punched },
	{ .name = "hugetlb pages that migrate",
	  .act = pool_migrated,
	  .moves = { { POOL_FREE, -1 }, { POOL_PAID, 1 }, { POOL_PAID_RESERVED, 1 } } },
	{ .name = "surplus hugetlb pages",
	  .act = pool_surplus,
	  .moves = { { POOL, 1 }, { POOL_SURPLUS, 1 } },
	  .any = KIND(POOL_FREE) | KIND(POOL_PAID) | KIND(POOL_PAID_RESERVED) },
	{ .name = "hugetlb pages of a node that has too few",
	  .act = pool_bound,
	  .any = KIND(POOL) | KIND(POOL_SURPLUS) | KIND(POOL_FREE) | KIND(POOL_PAID) |
		 KIND(POOL_PAID_RESERVED) },
	{ .name = "a pool that is resized",
	  .act = pool_resized,
	  .moves = { { POOL_FREE, -1 }, { POOL_PAID, 1 }, { POOL_PAID_RESERVED, 1 } } },
	{ .name = "processes",
	  .act = stacks,
	  .moves = { { OTHER, 0 } },
	  .any = KIND(STACKS) | KIND(ANON) | KIND(ANON_LISTS) | KIND(BOTH_LISTS) | KIND(PAID) },
	{ .name = "pipes", .act = pipes, .moves = { { PAID, 1 }, { KERNEL, 1 } } },
};

enum { LOADS = sizeof(loads) / sizeof(*loads) };

struct books {
	struct ledger before, held, after;
};

static void settle(struct workload *w)
{
	int node = 0, status;

	syscall(SYS_move_pages, 0, 1UL, &w, &node, &status, LOAD_MOVE);
	workload_cgroup_settle(w);
	workload_try_to_set("/proc/sys/vm/stat_refresh", "1");
}

static void drop_file(struct workload *w)
{
	fsync(w->fd[LOAD_FILE]);
	posix_fadvise(w->fd[LOAD_FILE], 0, 0, POSIX_FADV_DONTNEED);
}

static int64_t expected(const struct load *load, const struct ledger_line *line, int64_t pages)
{
	for (size_t i = 0; i < sizeof(load->moves) / sizeof(*load->moves); i++)
		if (load->moves[i].times && load->moves[i].kind == line->kind)
			return load->moves[i].times * pages;
	return 0;
}

static int64_t bound(const struct workload *w, const struct ledger_line *line)
{
	return line->row && line->row->exact ? 0 : (int64_t)load_pages(w) / BOUND;
}

/* One line that is off, in words. */
struct off {
	char name[72];
	bool exact;
	const char *when;
	int64_t by, expected;
};

static bool is_off(const struct workload *w, const struct ledger_line *line, int64_t moved,
		   int64_t must, struct off *o, const char *when)
{
	if (llabs(moved - must) <= bound(w, line))
		return false;
	memcpy(o->name, line->name, sizeof(o->name));
	o->exact = line->row && line->row->exact;
	o->when = when;
	o->by = moved;
	o->expected = must;
	return true;
}

static bool is_off_held(const struct workload *w, const struct load *load, struct ledger *before,
			const struct ledger *held, int64_t pages, struct off *o)
{
	for (size_t i = 0; i < held->nr; i++) {
		const struct ledger_line *line = &held->of[i], *then;

		if (line->part || line->kind == EVENT || line->kind == FREE_TO_MOVE ||
		    ((load->any & KIND(line->kind) || (line->row && line->row->in_loads)) &&
		     !expected(load, line, 1)))
			continue;
		then = ledger_find(before, line->name, i);
		if (then && is_off(w, line, line->value - then->value, expected(load, line, pages),
				   o, "while it is used"))
			return true;
	}
	return false;
}

/* What has not come back; events have not gone back. */
static bool is_off_after(const struct workload *w, struct ledger *before,
			 const struct ledger *after, struct off *o)
{
	for (size_t i = 0; i < after->nr; i++) {
		const struct ledger_line *line = &after->of[i],
					 *then = ledger_find(before, line->name, i);
		int64_t moved = then ? line->value - then->value : 0;

		if (line->kind == FREE_TO_MOVE || (line->kind == EVENT && moved >= 0))
			continue;
		if (is_off(w, line, moved, 0, o, "when it was given back"))
			return true;
	}
	return false;
}

/* Between that many, and half as many more. */
static bool counts_too_few(const struct workload *w, const struct load *load, struct ledger *before,
			   const struct ledger *after, int64_t pages, struct off *o)
{
	for (size_t i = 0; load->counts && i < after->nr; i++) {
		const struct ledger_line *line = &after->of[i], *then;

		if (!ledger_is_in(load->counts, line->name))
			continue;
		then = ledger_find(before, line->name, i);
		if (then && line->value - then->value < pages - bound(w, line)) {
			memcpy(o->name, line->name, sizeof(o->name));
			o->exact = false;
			o->when = "in all";
			o->by = line->value - then->value;
			o->expected = pages;
			return true;
		}
	}
	return false;
}

/* What is freed in the kernel's own time gets some. */
static bool stays_off_after(struct workload *w, struct books *b, struct off *o)
{
	struct patience p = { .seconds = 1, .pause_us = 20000 };

	do {
		settle(w);
		ledger_read(w, &b->after);
	} while (is_off_after(w, &b->before, &b->after, o) && workload_pause(&p));
	return is_off_after(w, &b->before, &b->after, o);
}

/* Returns whether a line is off; *done: it could be judged. */
static bool is_off_once(struct workload *w, const struct load *load, struct books *b, struct off *o,
			bool *done)
{
	int64_t pages = 0;
	bool off = false;
	pid_t pid = 0;

	settle(w);
	ledger_read(w, &b->before);
	if (load->act)
		pid = workload_companion(w, load->act, &pages);
	settle(w);
	ledger_read(w, &b->held);
	if (pages >= 0)
		off = is_off_held(w, load, &b->before, &b->held, pages, o);
	*done = pages >= 0;
	if (pid)
		workload_companion_ends(pid);
	drop_file(w);
	if (!off)
		off = stays_off_after(w, b, o);
	return off || counts_too_few(w, load, &b->before, &b->after, pages, o);
}

/*
 * A load whose line is off is taken again: what moves by itself is not off each time alike. What
 * nothing else moves may be so far off that the load cannot be taken again. Returns whether it
 * could be taken.
 */
static bool take(struct workload *w, const struct load *load, struct books *b)
{
	struct off first = { .when = NULL }, o;
	bool done = false;
	int same = 0;

	for (int i = 0; i < TRIES_MOST && same < TRIES; i++) {
		if (!is_off_once(w, load, b, &o, &done)) {
			if (done || !same || !first.exact)
				return done;
			break;
		}
		same = same && !strcmp(o.name, first.name) ? same + 1 : 1;
		first = o;
	}
	if (same < TRIES && done)
		return true;
	workload_fail(w, "%s: %s moved by %" PRId64 " pages %s, must be %" PRId64, load->name,
		      first.name, first.by, first.when, first.expected);
}

static void take_and_give_back(struct workload *w)
{
	int64_t least = BATCHES * CGROUP_BATCH * sysconf(_SC_NPROCESSORS_CONF);
	struct books *b = mmap(NULL, sizeof(*b), PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	char name[WORKLOAD_NAME];
	int64_t taken = 0;

	if (b == MAP_FAILED)
		workload_die(w, "mmap: %m");
	w->number[LOAD_PAGES] = least > PAGES_LEAST ? least : PAGES_LEAST;
	w->fd[LOAD_FILE] = workload_file_uncached(w, load_pages(w));
	workload_cgroup_enter(w);
	snprintf(ledger_cgroup, sizeof(ledger_cgroup), "/sys/fs/cgroup/%s", workload_name(w, name));
	for (size_t i = 0; i < LOADS; i++)
		taken += take(w, &loads[i], b);
	workload_cgroup_leave(w);
	munmap(b, sizeof(*b));
	workload_report(w, "loads", taken);
	workload_checked(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_true(j, TAKE, trial_reported(t, TAKE, "loads") > LOADS / 4,
		   "most kinds of memory can be had here");
}

CASE(machine_ledger) {
	.claim = "Memory that is taken moves each number of the machine, of its nodes and of its "
		 "cgroup that counts its kind, by as much, and no other; when it is given back, "
		 "all are what they were",
	.because = "Each page that comes, moves, changes its kind or goes is added to one counter "
		   "and subtracted from another; an update that is missed or made twice stays.",
	.said_by = SAID_BY("proc_meminfo(5)", "Documentation/filesystems/proc.rst, meminfo",
			   "Documentation/admin-guide/cgroup-v2.rst, memory.stat"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_THP | CASE_ONE_CPU,
	.limit_s = 240,
	.steps = STEPS(STEP_AS(TAKE, "take memory of each kind and give it back",
			       take_and_give_back, .checks = 1)),
	.judge = judge,
};
