// SPDX-License-Identifier: MIT
/*
 * Settles lagging counters: makes them exact.
 *
 * Per-thread counters (SPLIT_RSS_COUNTING, mm/memory.c check_sync_rss_stat()) are flushed after
 * more than 64 faults of the thread. A read fault of the zero page counts as a fault, but changes
 * no counter.
 *
 * Per-CPU counters (lib/percpu_counter.c percpu_counter_add_batch()) are flushed by any change of
 * at least a batch. A zap subtracts the pages of one page table in one change (mm/memory.c
 * zap_pte_range()), so all pages must be in one page table; otherwise some remain in the CPU's
 * part. Two batches are enough: less than one batch is held back before the zap, so the zap leaves
 * a change of at least one batch. settle_large.c handles batches too large for one page table.
 */
#include "runtime.h"
#include "settle_large.h"
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * With 512 entries in a page table, three batches on 8,192 CPUs take 96 tables. LOOSE_MAX is more
 * than the pages of two tables.
 */
enum { TABLES_MAX = 160, LOOSE_MAX = 4096 };

static void settle_thread(const struct workload *w, const struct settle_plan *plan)
{
	size_t bytes = plan->faults * w->page_size;
	void *p;

	if (!bytes)
		return;
	p = workload_try_map(bytes, PROT_READ, MAP_PRIVATE, -1);
	if (!p)
		return;
	touch_read(w, p, plan->faults);
	munmap(p, bytes);
}

/*
 * Maps pages of one class, anonymous memory or pages of a file, and unmaps them. A file's pages
 * stay in the page cache. MAP_POPULATE avoids one fault for each page.
 */
static bool map_and_zap(struct workload *w, size_t pages, int prot, int flags, int fd)
{
	size_t pmd = w->page_size * (w->page_size / sizeof(uint64_t));
	char *reserved = workload_try_map(2 * pmd, PROT_NONE, MAP_PRIVATE | MAP_NORESERVE, -1);
	char *aligned;

	bool mapped;

	if (!reserved)
		return false;
	flags |= MAP_FIXED | MAP_POPULATE;
	aligned = (char *)(((uintptr_t)reserved + pmd - 1) / pmd * pmd);
	mapped = mmap(aligned, pages * w->page_size, prot, flags, fd, 0) != MAP_FAILED;
	/* This zap flushes the counter. */
	return munmap(reserved, 2 * pmd) == 0 && mapped;
}

struct stair_pages {
	struct workload *w;
	int prot, flags, fd;
	size_t table; /* pages that a page table maps */
	char *tables, *loose;
	size_t of_table[TABLES_MAX], nr_loose;
	int stat;
	bool failed;
};

static char *table_at(const struct stair_pages *s, size_t i)
{
	return s->tables + i * s->table * s->w->page_size;
}

/* MADV_NOHUGEPAGE: a huge page would add all its pages to the counter in one change. */
static void map_pages(struct stair_pages *s, char *at, size_t pages, size_t offset)
{
	size_t page = s->w->page_size;
	int populate = s->fd < 0 ? 0 : MAP_POPULATE;

	if (mmap(at, pages * page, s->prot, MAP_FIXED | s->flags | populate, s->fd,
		 s->fd < 0 ? 0 : (off_t)(offset * page)) == MAP_FAILED) {
		s->failed = true;
		return;
	}
	if (s->fd >= 0)
		return;
	madvise(at, pages * page, MADV_NOHUGEPAGE);
	touch_write(s->w, at, pages);
}

static void map_table(void *arg)
{
	struct stair_pages *s = arg;
	size_t i = 0;

	while (i < TABLES_MAX && s->of_table[i])
		i++;
	if (i == TABLES_MAX) {
		s->failed = true;
		return;
	}
	map_pages(s, table_at(s, i), s->table, 0);
	s->of_table[i] = s->table;
}

/*
 * Pages of a file come from descending offsets, so each is a mapping of its own with a fault of its
 * own.
 */
static void map_page(void *arg)
{
	struct stair_pages *s = arg;

	if (s->nr_loose == LOOSE_MAX) {
		s->failed = true;
		return;
	}
	map_pages(s, s->loose + s->nr_loose * s->w->page_size, 1,
		  s->table - 1 - s->nr_loose % s->table);
	s->nr_loose++;
}

static void drop_some(struct stair_pages *s, size_t i, size_t pages)
{
	char *at;

	s->of_table[i] -= pages;
	at = table_at(s, i) + s->of_table[i] * s->w->page_size;
	/* Under MCL_FUTURE the memory is locked, and MADV_DONTNEED fails. */
	if (madvise(at, pages * s->w->page_size, MADV_DONTNEED) < 0)
		madvise(at, pages * s->w->page_size, MADV_DONTNEED_LOCKED);
}

static size_t least_table(const struct stair_pages *s)
{
	size_t least = TABLES_MAX;

	for (size_t i = 0; i < TABLES_MAX; i++)
		if (s->of_table[i] && (least == TABLES_MAX || s->of_table[i] < s->of_table[least]))
			least = i;
	return least;
}

static void drop_pages(void *arg, int64_t n)
{
	struct stair_pages *s = arg;
	size_t left = (size_t)n, some = left < s->nr_loose ? left : s->nr_loose;

	s->nr_loose -= some;
	munmap(s->loose + s->nr_loose * s->w->page_size, some * s->w->page_size);
	for (left -= some; left; left -= some) {
		size_t i = least_table(s);

		if (i == TABLES_MAX)
			break;
		some = left < s->of_table[i] ? left : s->of_table[i];
		drop_some(s, i, some);
	}
}

static bool drop_table(void *arg)
{
	struct stair_pages *s = arg;

	for (size_t i = 0; i < TABLES_MAX; i++) {
		if (s->of_table[i] != s->table)
			continue;
		drop_some(s, i, s->table);
		return !s->failed;
	}
	return false;
}

/* Returns field 24 of stat, a lagging count of all classes. */
static int64_t shown(void *arg)
{
	struct stair_pages *s = arg;
	char line[1024];
	ssize_t n = pread(s->stat, line, sizeof(line) - 1, 0);
	int64_t value = 0;

	line[n > 0 ? n : 0] = '\0';
	return stat_field(line, 24, &value) ? value : 0;
}

static bool settle_class(struct workload *w, uint32_t batch, int prot, int flags, int fd)
{
	static const struct settle_ops ops = { map_table, map_page, drop_pages, drop_table, shown };
	size_t table = w->page_size / sizeof(uint64_t), pmd = table * w->page_size;
	size_t bytes = (TABLES_MAX + 1) * pmd + LOOSE_MAX * w->page_size;
	struct stair_pages s = { .w = w, .prot = prot, .flags = flags, .fd = fd, .table = table };
	char *reserved = workload_try_map(bytes, PROT_NONE, MAP_PRIVATE | MAP_NORESERVE, -1);
	bool settled;

	if (!reserved)
		return false;
	s.tables = (char *)(((uintptr_t)reserved + pmd - 1) / pmd * pmd);
	s.loose = s.tables + TABLES_MAX * pmd;
	s.stat = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	settled = s.stat >= 0 && settle_large(&ops, &s, batch, (int64_t)table);
	if (s.stat >= 0)
		close(s.stat);
	return munmap(reserved, bytes) == 0 && settled;
}

/*
 * With 512 entries in a page table, two batches fit into one table on up to 128 CPUs. If no shmem
 * file can be made, shared anonymous memory is used for shmem.
 */
static bool settle_here(struct workload *w, uint32_t batch)
{
	const int shmem = w->private->settle_shmem, file = w->private->settle_file;
	const int both = PROT_READ | PROT_WRITE, anonymous = MAP_PRIVATE | MAP_ANONYMOUS;
	const int of_shmem = shmem >= 0 ? MAP_PRIVATE : MAP_SHARED | MAP_ANONYMOUS;
	const int prot_shmem = shmem >= 0 ? PROT_READ : both;

	if (2 * batch > w->page_size / sizeof(uint64_t))
		return settle_class(w, batch, both, anonymous, -1) &&
		       settle_class(w, batch, prot_shmem, of_shmem, shmem) &&
		       settle_class(w, batch, PROT_READ, MAP_PRIVATE, file);
	return map_and_zap(w, 2 * batch, both, anonymous, -1) &&
	       map_and_zap(w, 2 * batch, prot_shmem, of_shmem, shmem) &&
	       map_and_zap(w, 2 * batch, PROT_READ, MAP_PRIVATE, file);
}

static void settle_cpus(struct workload *w, const struct settle_plan *plan)
{
	const struct cpu_mask *where;
	struct cpu_mask before;
	int unsettled = -1, unpinned = 0;

	if (!plan->batch)
		return;
	/* If a filter forbids sched_getaffinity(2), use the CPUs that rssck has set. */
	if (cpus_now(&before) < 0)
		before = w->private->hello.cpus;
	/*
	 * ksmd, khugepaged and callers of process_madvise(2) change this process's counters on
	 * their own CPUs.
	 */
	where = plan->everywhere ? &w->private->hello.all : &before;
	for (int cpu = 0; cpu < HOST_CPUS_MAX; cpu++) {
		if (!cpus_hold(where, cpu))
			continue;
		if (cpus_keep_to_one(cpu) < 0)
			unpinned = errno;
		if (!settle_here(w, plan->batch))
			unsettled = cpu;
	}
	cpus_keep_to(&before);
	/*
	 * A failed sched_setaffinity(2) matters only if settling on this CPU is not enough; rssck
	 * then requests all CPUs.
	 */
	if (unpinned && plan->everywhere)
		workload_die(
			w,
			"the counters could not be settled: sched_setaffinity(2): %s; other CPUs "
			"may have counts in their batches (batch: %u)",
			strerror(unpinned), plan->batch);
	if (unsettled >= 0)
		workload_die(
			w,
			"the counters could not be settled: CPU %d still has counts in its batch (batch: %u)",
			unsettled, plan->batch);
}

static void settle_one(struct workload *w, unsigned index)
{
	(void)index;
	settle_thread(w, &w->private->plan);
}

void settle(struct workload *w, const struct settle_plan *plan)
{
	settle_cpus(w, plan);
	w->private->plan = *plan;
	if (w->private->nr_threads && plan->faults)
		workload_threads_run(w, settle_one);
	settle_thread(w, plan);
}
