// SPDX-License-Identifier: MIT
/*
 * The acts of machine/events. Each runs in its own process. It returns the number of pages for
 * which the kernel must have counted events, or a negative errno if the act is impossible.
 */
#ifndef CASES_MACHINE_EVENT_ACTS_H
#define CASES_MACHINE_EVENT_ACTS_H

#include "limit.h"
#include "range_acts.h"
#include "swap_file.h"

#define KSM        "/sys/kernel/mm/ksm/"
#define KHUGEPAGED "/sys/kernel/mm/transparent_hugepage/khugepaged/"
#define SWAP_AHEAD "/proc/sys/vm/page-cluster"

enum { ACT_PATIENCE_S = 5, ACT_PINNED = 8, ACT_LOADS_IN_AREA = 4 };

/* ---- what the kernel has done with a load ---- */

/*
 * Returns how many pages of the load mincore(2) finds in memory; all if it fails. If `swapped`, the
 * pagemap entries, is not NULL, only paged-out pages count: those in the swap cache.
 */
static inline int64_t act_pages_cached(const struct workload *w, char *p, const uint64_t *swapped)
{
	unsigned char *in = calloc(load_pages(w), 1);
	bool known = in && !mincore(p, load_bytes(w), in);
	int64_t n = 0;

	for (size_t i = 0; i < load_pages(w); i++)
		n += !known || (in[i] & 1 && (!swapped || swapped[i] & PAGEMAP_SWAP));
	free(in);
	return n;
}

static inline int64_t act_pages_swapped(const struct workload *w, char *p)
{
	return load_marked(w, p, PAGEMAP_SWAP);
}

/* Returns the number of pages that are on swap and not in the swap cache. */
static inline int64_t act_pages_out(const struct workload *w, char *p)
{
	uint64_t *entries = load_entries(w, p);
	int64_t cached = entries ? act_pages_cached(w, p, entries) : (int64_t)load_pages(w);

	free(entries);
	return act_pages_swapped(w, p) - cached;
}

static inline int64_t act_pages_dropped(const struct workload *w)
{
	char *p = file_map_untouched(w);
	int64_t n = p ? (int64_t)load_pages(w) - act_pages_cached(w, p, NULL) : 0;

	if (p)
		munmap(p, load_bytes(w));
	return n;
}

/* An act that reached no page was impossible. */
static inline int64_t act_done(int64_t pages)
{
	return pages > 0 ? pages : -ENOENT;
}

static inline int act_node(void)
{
	unsigned cpu, node;

	return getcpu(&cpu, &node) || node > 1 ? -1 : (int)node;
}

static inline void act_await_writeback(void)
{
	struct patience p = { .seconds = ACT_PATIENCE_S };

	while (workload_number("/proc/meminfo", "Writeback", 0) > 0 && workload_pause(&p))
		;
}

/* ---- allocation ---- */

static inline int64_t anon_here(const struct workload *w)
{
	char *p = load_anonymous(w);

	return p ? act_done((int64_t)migrate_to(w, p, load_pages(w), act_node(), 0)) : -errno;
}

/*
 * Drains the CPUs' batches to the LRU lists, as each call of move_pages(2) does first. This call is
 * for a page of the stack.
 */
static inline bool act_drain(const struct workload *w)
{
	char here;

	return migrate_to(w, &here, 1, act_node(), MPOL_MF_MOVE);
}

static inline int64_t anon_locked(const struct workload *w)
{
	char *p = load_anonymous(w);

	if (!p || !act_drain(w))
		return -ENODEV;
	if (mlock(p, load_bytes(w)) || !act_drain(w) || munlock(p, load_bytes(w)))
		return -errno;
	act_drain(w);
	return load_done(w, p);
}

static inline bool act_policy(const struct workload *w, char *p, int mode, unsigned long mask)
{
	return p && !syscall(SYS_mbind, p, load_bytes(w), mode, &mask, sizeof(mask) * 8, 0) &&
	       load_write(w, p);
}

static inline int64_t anon_there(const struct workload *w)
{
	char *p = load_untouched(w);
	int node = act_node();

	if (node < 0 || !act_policy(w, p, LOAD_BIND, 1UL << !node))
		return -ENODEV;
	return act_done((int64_t)migrate_to(w, p, load_pages(w), !node, 0));
}

static inline int64_t anon_interleaved(const struct workload *w)
{
	enum { INTERLEAVE = 3 };
	char *p = load_untouched(w);

	return act_policy(w, p, INTERLEAVE, 3) ? load_done(w, p) : -ENODEV;
}

/*
 * Drains the CPUs' batches first. If a batch still held a reference to a page, the write would copy
 * the page instead of reusing it.
 */
static inline int64_t anon_reused(const struct workload *w)
{
	char *p = load_anonymous(w);

	if (!p)
		return -errno;
	act_drain(w);
	return load_done(w, range_fork(w, p, load_bytes(w)) && load_write(w, p));
}

/* ---- files ---- */

/* With MADV_RANDOM the kernel reads no page ahead. */
static inline int64_t file_faulted(const struct workload *w)
{
	int64_t pages = file_synced(w);
	char *p;

	if (pages < 0 || posix_fadvise(w->fd[LOAD_FILE], 0, 0, POSIX_FADV_DONTNEED))
		return -ENOENT;
	pages = act_pages_dropped(w);
	p = file_map_untouched(w);
	if (!p)
		return -errno;
	syscall(SYS_madvise, p, load_bytes(w), MADV_RANDOM);
	load_read(w, p);
	return act_done(pages);
}

/* The pages were only read, so their entries are read-only, and each write faults. */
static inline int64_t file_reused(const struct workload *w)
{
	char *p = file_map(w);

	return p && load_write(w, p) ? load_done(w, p) : -ENOENT;
}

/*
 * Reads pages that reclaim has dropped. Reclaims only a part of the cgroup's memory: a cgroup with
 * few pages also loses the shadow entries, by which the kernel recognizes a refault.
 */
static inline int64_t file_refaulted(const struct workload *w)
{
	int64_t pages = file_read(w);
	char path[LEDGER_PATH];

	if (pages < 0 || (!workload_try_to_set_number(ledger_path("memory.reclaim", path),
						      (int64_t)load_bytes(w) / 4) &&
			  errno != EAGAIN))
		return -ENOENT;
	pages = act_pages_dropped(w);
	file_read(w);
	return act_done(pages);
}

static inline int64_t caches_dropped(const struct workload *w)
{
	(void)w;
	return workload_try_to_set("/proc/sys/vm/drop_caches", "3") ? 1 : -errno;
}

/* ---- swap ---- */

static inline int64_t anon_refaulted(const struct workload *w)
{
	char *p = load_anonymous(w);
	int64_t pages;

	if (!p || !load_page_out(w, p))
		return -ENOENT;
	act_await_writeback();
	if (act_pages_out(w, p) < load_done(w, p))
		reclaim(w);
	pages = act_pages_out(w, p);
	load_read(w, p);
	return act_done(pages);
}

static inline int64_t anon_taken(const struct workload *w)
{
	char *p = load_has_swap(w) ? load_anonymous(w) : NULL;

	return p && reclaim(w) ? act_done(act_pages_out(w, p)) : -ENOENT;
}

static inline int64_t anon_unzipped(const struct workload *w)
{
	char *p = load_anonymous(w);
	int64_t pages = load_compress(w, p);

	if (pages > 0)
		load_read(w, p);
	return pages;
}

/* The kernel uses the swap file first because of its priority. */
static inline int64_t anon_read_ahead(const struct workload *w)
{
	int64_t pages = -ENOENT;

	if (swap_file_make(w, load_area.name, ACT_LOADS_IN_AREA) &&
	    !swapon(load_area.name, SWAP_FLAG_PREFER | SWAP_PRIORITY)) {
		workload_try_to_set_number(SWAP_AHEAD, 3);
		pages = anon_refaulted(w);
	}
	swapoff(load_area.name);
	unlink(load_area.name);
	return pages > (int64_t)load_pages(w) / 2 ? pages : -ENOENT;
}

/* ---- KSM ---- */

static inline int64_t ksm_pages(void)
{
	return workload_number(KSM "pages_shared", NULL, 0) +
	       workload_number(KSM "pages_sharing", NULL, 0);
}

static inline char *ksm_merged(const struct workload *w)
{
	struct patience patience = { .seconds = ACT_PATIENCE_S };
	int64_t before = ksm_pages(), pid = getpid();
	char *p = load_map(w, -1, MAP_PRIVATE);

	for (size_t i = 0; p && i < load_pages(w); i++)
		memcpy(p + i * w->page_size, &pid, sizeof(pid));
	if (!p || syscall(SYS_madvise, p, load_bytes(w), MADV_MERGEABLE))
		return NULL;
	workload_try_to_set(KSM "pages_to_scan", "10000");
	workload_try_to_set(KSM "run", "1");
	workload_try_to_set(KSM "sleep_millisecs", "0");
	while (ksm_pages() < before + (int64_t)load_pages(w))
		if (!workload_pause(&patience))
			return NULL;
	return p;
}

static inline int64_t ksm_written(const struct workload *w)
{
	char *p = ksm_merged(w);

	return p && load_write(w, p) ? load_done(w, p) : -ENOENT;
}

/*
 * Pages out merged pages through memory.reclaim, because MADV_PAGEOUT skips them, and reads them
 * back. Retries, because 6.1 returns EAGAIN for about a second after a merge.
 */
static inline int64_t ksm_refaulted(const struct workload *w)
{
	struct patience patience = { .seconds = ACT_PATIENCE_S };
	char *p = load_has_swap(w) ? ksm_merged(w) : NULL;
	int64_t pages;

	if (!p)
		return -ENOENT;
	workload_try_to_set(KSM "run", "0");
	do
		if (!reclaim(w))
			return -ENOENT;
	while ((pages = act_pages_out(w, p)) < load_done(w, p) && workload_pause(&patience));
	load_read(w, p);
	return pages == load_done(w, p) ? pages : -ENOENT;
}

/* ---- limits ---- */

static inline int64_t child_killed(const struct workload *w)
{
	int limit = limit_begin(w, (int64_t)load_pages(w) / 2), status = 0;
	pid_t pid;

	if (limit < 0)
		return -ENOENT;
	workload_try_to_set("/proc/self/oom_score_adj", "-1000");
	pid = fork();
	if (!pid) {
		workload_try_to_set("/proc/self/oom_score_adj", "1000");
		load_anonymous(w);
		_exit(0);
	}
	if (pid > 0)
		waitpid(pid, &status, 0);
	limit_end(limit);
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL ? 1 : -ENOENT;
}

/* ---- migration ---- */

/* Drops every second page, so that compaction finds free frames. */
static inline int64_t anon_compacted(const struct workload *w)
{
	char *p = load_anonymous(w);

	for (size_t i = 0; p && i < load_pages(w); i += 2)
		syscall(SYS_madvise, p + i * w->page_size, w->page_size, MADV_DONTNEED);
	return p && workload_try_to_set("/proc/sys/vm/compact_memory", "1") ? load_done(w, p)
									    : -ENOENT;
}

/* Puts references to pages into a pipe. Such pages can neither migrate nor be split. */
static inline bool act_pin(char *p, size_t stride, size_t n)
{
	int end[2];

	if (!p || pipe2(end, O_CLOEXEC | O_NONBLOCK))
		return false;
	for (size_t i = 0; i < n; i++) {
		struct iovec one = { p + i * stride, 1 };

		if (vmsplice(end[1], &one, 1, 0) != 1)
			return false;
	}
	return true;
}

static inline int64_t act_stays(const struct workload *w, char *p, size_t n)
{
	int node = act_node();

	if (node < 0 || !workload_may_use_node(!node) || migrate_to(w, p, n, node, 0) != n)
		return -ENODEV;
	migrate_to(w, p, n, !node, MPOL_MF_MOVE);
	return act_done((int64_t)migrate_to(w, p, n, node, 0));
}

static inline int64_t pinned_stays(const struct workload *w)
{
	char *p = load_anonymous(w);

	return act_pin(p, w->page_size, ACT_PINNED) ? act_stays(w, p, ACT_PINNED) : -ENOENT;
}

static inline int64_t huge_pinned_stays(const struct workload *w)
{
	char *p = huge_anon(w);
	int64_t n = act_pin(p, w->page_size, 1) ? act_stays(w, p, 1) : -ENOENT;

	return n > 0 && is_huge(w, "AnonHugePages") ? n : -ENOENT;
}

/* MADV_COLD of a part of a huge page splits it, unless the page is pinned. */
static inline int64_t huge_pinned_whole(const struct workload *w)
{
	char *p = huge_anon(w);

	if (!act_pin(p, w->page_size, 1) ||
	    syscall(SYS_madvise, p, w->huge_page_size / 2, MADV_COLD))
		return -ENOENT;
	return 1;
}

/* ---- huge pages ---- */

static inline int64_t huge_here(const struct workload *w)
{
	return load_done(w, huge_anon(w));
}

static inline int64_t huge_balanced(const struct workload *w)
{
	return load_balanced(w, huge_anon, thp_stays);
}

/*
 * Sets the file `limit` to 0, advises huge pages, and waits for two full scans by khugepaged,
 * because the first may have begun before. Returns 1, or -ENOENT on failure.
 */
static inline int64_t khugepaged_scans(const struct workload *w, char *p, const char *limit)
{
	struct patience patience = { .seconds = ACT_PATIENCE_S };
	int64_t enough = workload_number(KHUGEPAGED "full_scans", NULL, 0) + 2;

	workload_try_to_set_number(KHUGEPAGED "max_ptes_none", w->huge - 1);
	if (!workload_try_to_set(limit, "0") ||
	    syscall(SYS_madvise, p, load_bytes(w), MADV_HUGEPAGE))
		return -ENOENT;
	workload_try_to_set(KHUGEPAGED "pages_to_scan", "100000");
	workload_try_to_set(KHUGEPAGED "scan_sleep_millisecs", "0");
	while (workload_number(KHUGEPAGED "full_scans", NULL, 0) < enough)
		if (!workload_pause(&patience))
			return -ENOENT;
	return 1;
}

static inline char *huge_range(const struct workload *w, size_t pages)
{
	char *p = huge_map(w, -1);

	if (!p)
		return NULL;
	syscall(SYS_madvise, p, load_bytes(w), MADV_NOHUGEPAGE);
	for (size_t i = 0; i < pages; i++)
		p[i * w->page_size] = 1;
	return p;
}

/* Kernels that also collapse to sizes below the PMD size (7.2) do not count untouched pages. */
static inline int64_t huge_untouched(const struct workload *w)
{
	char path[LEDGER_PATH], *p = huge_range(w, 1);

	ledger_size_path(w->huge_page_size, "stats/collapse_exceed_none_pte", path);
	return p && access(path, F_OK) ? khugepaged_scans(w, p, KHUGEPAGED "max_ptes_none")
				       : -ENOENT;
}

static inline int64_t huge_on_swap(const struct workload *w)
{
	char *p = load_has_swap(w) ? huge_range(w, 2) : NULL;

	if (!p || syscall(SYS_madvise, p + w->page_size, w->page_size, MADV_PAGEOUT) ||
	    !act_pages_swapped(w, p))
		return -ENOENT;
	return khugepaged_scans(w, p, KHUGEPAGED "max_ptes_swap");
}

static inline bool load_keep(const struct workload *w, char *p)
{
	(void)w, (void)p;
	return true;
}

static inline int64_t huge_shared(const struct workload *w)
{
	char *p = huge_range(w, 2);

	return p && load_copy_by(w, p, load_keep)
		       ? khugepaged_scans(w, p, KHUGEPAGED "max_ptes_shared")
		       : -ENOENT;
}

/* ---- hugetlb ---- */

static inline int64_t pool_grown(const struct workload *w)
{
	int64_t nr = workload_number(POOL_SIZE, NULL, -1);

	(void)w;
	if (nr < 0 || !workload_try_to_set_number(POOL_SIZE, nr + LOAD_HUGETLB))
		return -ENOENT;
	return act_done(workload_number(POOL_SIZE, NULL, 0) - nr);
}

#endif
