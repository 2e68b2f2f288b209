// SPDX-License-Identifier: MIT
/*
 * The workload acts on two mappings while another process migrates them or pages them out. After
 * that each page must hold what was written, and nr_mlock and nr_isolated_* must be as before.
 */
#include "base/clock.h"
#include "range_acts.h"

enum { PAGES = 64, ALL = 2 * PAGES, TIMES = 10, LIMIT_MS = 120 };

/* Both regions are adjacent, so that one call covers them. */
static char *regions;

static const char *const lines[] = { "nr_mlock", "nr_isolated_anon", "nr_isolated_file" };
enum { LINES = sizeof(lines) / sizeof(*lines) };

/* ---- what the other process does ---- */

static bool migrate(const struct workload *w, pid_t of)
{
	return workload_migrate_to_and_fro(w, of, regions, ALL, MPOL_MF_MOVE_ALL);
}

static bool page_out(const struct workload *w, pid_t of)
{
	/* Locked memory is refused. */
	return workload_page_out_of(of, regions, ALL * w->page_size) > 0 || errno == EINVAL;
}

static const struct {
	workload_act *act;
	const char *needs;
} others[] = {
	{ migrate, "a second memory node (in QEMU: -numa node)" },
	{ page_out, "process_madvise(2) with MADV_PAGEOUT (Linux 5.10)" },
};

/* ---- what the workload does ---- */

static void lock(struct workload *w)
{
	if (mlock(regions, ALL * w->page_size) || munlock(regions, ALL * w->page_size))
		workload_skip_step(w, "mlock(2): %m");
}

static void advise(struct workload *w, int advice)
{
	if (madvise(regions, ALL * w->page_size, advice))
		workload_skip_step(w, "madvise %d: %m", advice);
}

static void cool(struct workload *w)
{
	advise(w, MADV_COLD);
}

static void drop(struct workload *w)
{
	advise(w, MADV_DONTNEED);
	touch_write(w, regions, ALL);
}

static void give_up(struct workload *w)
{
	madvise(regions, PAGES * w->page_size, MADV_FREE);
	touch_write(w, regions, ALL);
}

static void protect(struct workload *w)
{
	if (!range_protect(w, regions, ALL * w->page_size))
		workload_die(w, "mprotect: %m");
}

static int write_and_end(const struct workload *w)
{
	touch_write(w, regions, ALL);
	return 0;
}

static void fork_and_write(struct workload *w)
{
	workload_in_child(w, write_and_end);
}

static void clear(struct workload *w)
{
	workload_set(w, "/proc/self/clear_refs", "4");
	touch_write(w, regions, ALL);
}

static void move(struct workload *w)
{
	if (!range_move(w, regions, PAGES * w->page_size))
		workload_die(w, "mremap: %m");
}

enum { LOCK, COOL, DROP, GIVE_UP, PROTECT, FORK, CLEAR, MOVE };
static void (*const acts[])(struct workload *w) = {
	[LOCK] = lock,       [COOL] = cool,           [DROP] = drop,   [GIVE_UP] = give_up,
	[PROTECT] = protect, [FORK] = fork_and_write, [CLEAR] = clear, [MOVE] = move,
};

/* ---- both concurrently ---- */

/*
 * move_pages(2) drains the batches of all CPUs: pages to mlock, to munlock, or to move between LRU
 * lists. stat_refresh adds up the per-CPU counters of vmstat.
 */
static void read_lines(int64_t now[LINES])
{
	workload_migrate(regions, 0);
	workload_try_to_set("/proc/sys/vm/stat_refresh", "1");
	for (size_t i = 0; i < LINES; i++)
		now[i] = workload_number("/proc/vmstat", lines[i], 0);
}

static void map_regions(struct workload *w)
{
	int fd = workload_shmem(w, PAGES);
	char *p = workload_map_pages(w, ALL, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				     -1);

	madvise(p, ALL * w->page_size, MADV_NOHUGEPAGE);
	if (mmap(p + PAGES * w->page_size, PAGES * w->page_size, PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
		workload_die(w, "mmap: %m");
	touch_write(w, p, ALL);
	regions = p;
}

static void both(struct workload *w)
{
	void (*own)(struct workload *) = acts[w->argument / 2];
	int64_t before[LINES], after[LINES], end;
	struct beside *b;

	map_regions(w);
	read_lines(before);
	b = workload_beside(w, others[w->argument % 2].act);
	workload_beside_go(b);
	end = now_ms() + LIMIT_MS;
	for (int i = 0; (i < TIMES || workload_beside_acts(b) < TIMES) && now_ms() < end; i++)
		own(w);
	workload_beside_stop(b);
	if (!workload_beside_ends(w, b))
		workload_skip_step(w, "%s", others[w->argument % 2].needs);
	workload_must_hold(w, regions, ALL, true);
	workload_unmap(w, regions, ALL * w->page_size);
	regions = workload_written(w, 1);
	read_lines(after);
	workload_unmap(w, regions, w->page_size);
	for (size_t i = 0; i < LINES; i++)
		workload_report(w, lines[i], after[i] - before[i]);
}

/* Two steps per act: one during migration, one during page-out. */
STEP_SYMBOLS(LOCK_MIGRATED, LOCK_PAGED, COOL_MIGRATED, COOL_PAGED, DROP_MIGRATED, DROP_PAGED,
	     GIVE_UP_MIGRATED, GIVE_UP_PAGED, PROTECT_MIGRATED, PROTECT_PAGED, FORK_MIGRATED,
	     FORK_PAGED, CLEAR_MIGRATED, CLEAR_PAGED, MOVE_MIGRATED, MOVE_PAGED);

static void judge(const struct trial *t, struct judgement *j)
{
	for (unsigned s = LOCK_MIGRATED; s <= MOVE_PAGED; s++)
		for (size_t i = 0; i < LINES; i++)
			judge_reported(t, j, s, lines[i], lines[i], 0,
				       "the number is as before the acts");
}

#define ROW(act, title)                                                                        \
	STEP_AS(act##_MIGRATED, title " while the pages migrate", both, .argument = 2 * (act), \
		.checks = 1, .flags = STEP_ANY_PAGES),                                         \
		STEP_AS(act##_PAGED, title " while the pages are paged out", both,             \
			.argument = 2 * (act) + 1, .checks = 1, .flags = STEP_ANY_PAGES)

CASE(machine_two_acts) {
	.claim = "If a process uses mlock, madvise, mprotect, fork, clear_refs or mremap on pages "
		 "while another process migrates them or pages them out, each page still holds "
		 "what was written, and nr_mlock, nr_isolated_anon and nr_isolated_file are as "
		 "before",
	.because = "Migration, reclaim and munlock(2) isolate a page from its LRU list, and only "
		   "one of them can at a time. munlock(2) must subtract from nr_mlock even if it "
		   "cannot isolate the page.",
	.said_by = SAID_BY("Documentation/mm/unevictable-lru.rst"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_ALL_CPUS | CASE_RECLAIMS,
	.steps = STEPS(ROW(LOCK, "mlock and munlock"), ROW(COOL, "MADV_COLD"),
		       ROW(DROP, "MADV_DONTNEED and a write"),
		       ROW(GIVE_UP, "MADV_FREE and a write"), ROW(PROTECT, "mprotect"),
		       ROW(FORK, "fork and a write by the child"),
		       ROW(CLEAR, "clear_refs 4 and a write"), ROW(MOVE, "mremap away and back")),
	.judge = judge,
};
