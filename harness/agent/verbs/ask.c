// SPDX-License-Identifier: MIT
/*
 * Implements verbs that determine a number in two ways and compare: with mincore(2), PAGEMAP_SCAN,
 * or a cgroup's major faults.
 */
#include "agent/agent.h"
#include "verbs.h"
#include <errno.h>
#include <rssck/source.h>
#include <string.h>
#include <sys/resource.h>

static int look_in_core(int fd, size_t page, uint32_t from, uint32_t pages, unsigned char *in_core)
{
	size_t bytes = pages * page;
	void *p = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, (off_t)(from * page));
	int failed;

	if (p == MAP_FAILED)
		return -1;
	failed = mincore(p, bytes, in_core);
	munmap(p, bytes);
	return failed;
}

/*
 * Compares mincore(2) of a part of the file with mincore(2) of the file from its start to the end
 * of that part. Both mappings are untouched, so both report the page cache.
 */
void verb_mincore(struct worker *k, const struct act *a)
{
	static unsigned char part[ACT_REGION_PAGES], all[2 * ACT_REGION_PAGES];
	int fd = act_file(k, a);

	act_result(k, fd);
	if (fd < 0)
		return;
	act_result(k, look_in_core(fd, k->page, a->first, a->pages, part));
	act_result(k, look_in_core(fd, k->page, 0, a->first + a->pages, all));
	k->outcome.expected = a->pages;
	for (uint32_t i = 0; i < a->pages; i++)
		k->outcome.seen += (part[i] & 1) == (all[a->first + i] & 1);
}

static struct scan_region found[ACT_REGION_PAGES];

static int scan(const struct worker *k, const struct act *a, struct scan_arg *arg)
{
	arg->start = (uintptr_t)act_address(k, a);
	arg->end = arg->start + act_bytes(k, a);
	arg->vec = (uintptr_t)found;
	arg->vec_len = ACT_REGION_PAGES;
	return agent_scan(arg);
}

static bool matches(const struct scan_arg *query, uint64_t categories)
{
	categories ^= query->category_inverted;
	return (categories & query->category_mask) == query->category_mask &&
	       (!query->category_anyof_mask || categories & query->category_anyof_mask);
}

/*
 * Compares a filtered PAGEMAP_SCAN with the result computed from an unfiltered one, with the
 * filters as Documentation/admin-guide/mm/pagemap.rst defines them.
 */
void verb_scan_ask(struct worker *k, const struct act *a)
{
	/* The order is that of the verb's options. */
	static const struct scan_arg questions[] = {
		{ .category_mask = SCAN_PRESENT },
		{ .category_mask = SCAN_PRESENT, .category_inverted = SCAN_PRESENT },
		{ .category_anyof_mask = SCAN_PRESENT | SCAN_SWAPPED },
		{ .category_anyof_mask = SCAN_PRESENT | SCAN_FILE,
		  .category_inverted = SCAN_PRESENT },
		{ .category_mask = SCAN_PRESENT,
		  .category_anyof_mask = SCAN_HUGE | SCAN_PFNZERO,
		  .category_inverted = SCAN_HUGE },
	};
	enum { TOLD = SCAN_FILE | SCAN_PRESENT | SCAN_SWAPPED | SCAN_PFNZERO | SCAN_HUGE };
	struct scan_arg all = { .return_mask = TOLD };
	struct scan_arg query = questions[a->option % (sizeof(questions) / sizeof(*questions))];
	int64_t pages = 0;
	int n = scan(k, a, &all);

	act_result(k, n);
	for (int i = 0; i < n; i++)
		if (matches(&query, found[i].categories))
			pages += (int64_t)((found[i].end - found[i].start) / k->page);
	query.return_mask = TOLD;
	n = k->outcome.error ? -1 : scan(k, a, &query);
	act_result(k, n);
	k->outcome.expected = pages;
	for (int i = 0; i < n; i++)
		k->outcome.seen += (int64_t)((found[i].end - found[i].start) / k->page);
}

static bool has_cgroups(void)
{
	char text[256];

	workload_read_text("/sys/fs/cgroup/cgroup.subtree_control", text, sizeof(text));
	errno = ENOENT;
	return strstr(text, "memory");
}

static struct rusage used_until_now(void)
{
	return workload_getrusage(RUSAGE_SELF);
}

/*
 * Returns true if memory.stat shows a single fault. On 5.10 it may not, because each CPU holds back
 * counts until they reach a batch (__count_memcg_events()). The result is kept for later calls.
 */
static bool tells_each_fault(struct worker *k)
{
	static enum { UNKNOWN, YES, NO } reports;
	struct patience patience = { .seconds = 8 };
	char *p;

	if (reports)
		return reports == YES;
	p = workload_try_map(k->page, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);
	if (!p)
		return false;
	workload_cgroup_enter(k->w);
	touch_write(k->w, p, 1);
	do
		reports = workload_cgroup_events(k->w, "pgfault") > 0 ? YES : NO;
	while (reports == NO && workload_pause(&patience));
	workload_cgroup_leave(k->w);
	munmap(p, k->page);
	return reports == YES;
}

/* If this returns false, the operation has failed. */
static bool act_has_cgroup(struct worker *k)
{
	if (!act_is_in_guest(k))
		return false;
	act_result(k, has_cgroups() && tells_each_fault(k) ? 0 : -1);
	return !k->outcome.error;
}

/*
 * In a guest no other process causes major faults. The machine and the cgroup count them in the
 * same places (filemap_fault(), do_swap_page(), shmem_swapin_folio()).
 */
static int64_t major_faults(void)
{
	return workload_number("/proc/vmstat", "pgmajfault", 0);
}

/*
 * Reads the range in a cgroup of its own. The cgroup must count at least as many major faults as
 * the machine. ru_majflt is not compared: a fault that waited for another process's read counts as
 * major only there (mm_account_fault(), FAULT_FLAG_TRIED). The cgroup's counts are updated every
 * two seconds (flush_memcg_stats_dwork()). pgfault may be too high (6.1 counts minor faults twice
 * when a file is read), so only a lower count is an error.
 */
void verb_cgroup_read(struct worker *k, const struct act *a)
{
	struct patience patience = { .seconds = 8 };
	struct rusage before, after;
	int64_t faults, major, counted, total;

	if (!act_has_cgroup(k))
		return;
	workload_cgroup_enter(k->w);
	before = used_until_now();
	major = major_faults();
	verb_read(k, a);
	major = major_faults() - major;
	after = used_until_now();
	faults = after.ru_minflt - before.ru_minflt + after.ru_majflt - before.ru_majflt;
	do {
		counted = workload_cgroup_events(k->w, "pgfault");
		total = workload_cgroup_events(k->w, "pgmajfault");
	} while ((counted < faults || total < major) && workload_pause(&patience));
	act_at_least(k, total, major);
	k->outcome.reported = counted;
	workload_cgroup_leave(k->w);
	errno = EAGAIN;
	act_result(k, counted < faults ? -1 : 0);
}
