// SPDX-License-Identifier: MIT
/* Implements verbs with KSM, only in a guest. ksmd runs only while an operation waits for it. */
#include "agent/agent.h"
#include "base/cpus.h"
#include "verbs.h"
#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#define KSM "/sys/kernel/mm/ksm/"

static int64_t number(const char *path, const char *field)
{
	return workload_number(path, field, -1);
}

/*
 * Waits until ksmd has made two whole scans, because it merges a page only if the previous scan has
 * seen it. full_scans must rise by three, because a scan may have begun already. With smart_scan
 * (6.7) ksmd would skip an address at which earlier memory was not merged.
 */
static bool ksmd_goes_its_rounds(void)
{
	struct patience patience = { .seconds = 10 };
	int64_t enough = number(KSM "full_scans", NULL) + 3;
	bool done;

	workload_try_to_set(KSM "smart_scan", "0");
	done = workload_try_to_set(KSM "sleep_millisecs", "1") &&
	       workload_try_to_set(KSM "pages_to_scan", "10000") &&
	       workload_try_to_set(KSM "run", "1");

	while (done && number(KSM "full_scans", NULL) < enough)
		done = workload_pause(&patience);
	return workload_try_to_set(KSM "run", "0") && done;
}

static bool act_merge_all(void *p, size_t bytes)
{
	return !madvise(p, bytes, MADV_MERGEABLE) && ksmd_goes_its_rounds();
}

/*
 * Makes ksmd scan the registered memory of all processes. ksmd counts no scan while its list is
 * empty, so the workload adds a page of its own.
 */
void verb_ksm_round(struct worker *k, const struct act *a)
{
	void *p;
	bool done;

	(void)a;
	if (!act_is_in_guest(k))
		return;
	p = workload_try_map(k->page, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);
	act_result(k, p ? 0 : -1);
	if (k->outcome.error)
		return;
	done = act_merge_all(p, k->page);
	munmap(p, k->page);
	errno = EBUSY;
	act_result(k, done ? 0 : -1);
}

/*
 * Merges pages with equal contents. A merged page still counts in each process that maps it. With
 * "zeroes", zero-filled pages are replaced by the zero page.
 */
void verb_ksm_merge(struct worker *k, const struct act *a)
{
	bool zeroes = k->verb->value, done = true;

	if (!act_is_in_guest(k))
		return;
	act_result(k, madvise(act_address(k, a), act_bytes(k, a), MADV_MERGEABLE));
	k->regions[a->region].merged = true;
	if (k->outcome.error)
		return;
	if (zeroes)
		done = workload_try_to_set(KSM "use_zero_pages", "1");
	done = done && ksmd_goes_its_rounds();
	if (zeroes)
		workload_try_to_set(KSM "use_zero_pages", "0");
	errno = EBUSY;
	act_result(k, done ? 0 : -1);
}

/*
 * Unmerges all pages of all processes, and frees all of KSM's items. Only the leader may run this:
 * a child has inherited counts of its parent's items (dup_mm(), until 4d6fc29f3634, 6.18).
 */
void verb_ksm_unmerge(struct worker *k, const struct act *a)
{
	static const char stat[] = "/proc/self/ksm_stat";
	int64_t items = number(stat, "ksm_rmap_items");

	if (!act_is_in_guest(k))
		return;
	errno = ECHILD;
	act_result(k, a->process ? -1 : 0);
	if (k->outcome.error)
		return;
	errno = ENOENT;
	act_result(k, items < 0 || !workload_try_to_set(KSM "run", "2") ? -1 : 0);
	workload_try_to_set(KSM "run", "0");
	if (k->outcome.error)
		return;
	k->outcome.seen = number(stat, "ksm_rmap_items") +
			  number("/proc/self/ksm_merging_pages", NULL) +
			  workload_number(stat, "ksm_zero_pages", 0);
}

enum { PART = 512 }; /* pages that one page table of 4 kB maps */

static struct {
	char *at;
	int cpu[2];
	atomic_int here;
} zeroes;

static void unmap_part(struct worker *k, unsigned part)
{
	cpus_keep_to_one(zeroes.cpu[part]);
	atomic_fetch_add(&zeroes.here, 1);
	while (atomic_load(&zeroes.here) < 2)
		sched_yield();
	madvise(zeroes.at + part * PART * k->page, PART * k->page, MADV_DONTNEED);
}

static void unmap_first(struct worker *k, const struct act *a)
{
	(void)a;
	unmap_part(k, 0);
}

static void unmap_second(struct worker *k, const struct act *a)
{
	(void)a;
	unmap_part(k, 1);
}

static int64_t zero_pages(void)
{
	return workload_number("/proc/self/ksm_stat", "ksm_zero_pages", 0);
}

static void unmap_at_once(struct worker *k, const struct act *a)
{
	struct cpu_mask before;
	bool done = workload_try_to_set(KSM "use_zero_pages", "1") &&
		    act_merge_all(zeroes.at, 2 * PART * k->page);

	workload_try_to_set(KSM "use_zero_pages", "0");
	errno = EBUSY;
	act_result(k, done ? cpus_now(&before) : -1);
	if (k->outcome.error)
		return;
	atomic_store(&zeroes.here, 0);
	act_beside(k, a, unmap_second, unmap_first);
	cpus_keep_to(&before);
}

/*
 * True if KSM may merge a region. While use_zero_pages is 1, ksmd would replace the region's
 * zero-filled pages, too, and ksm_zero_pages would count them.
 */
static bool has_merged(const struct worker *k)
{
	for (unsigned i = 0; i < ACT_REGIONS; i++)
		if (k->regions[i].merged)
			return true;
	return false;
}

/*
 * Unmaps zero pages placed by KSM on two CPUs concurrently; ksm_zero_pages must fall by all of
 * them. The machine's total is not used, because ksmd may place zero pages in other processes
 * meanwhile.
 */
void verb_ksm_zeroes(struct worker *k, const struct act *a)
{
	int64_t before = zero_pages();
	size_t part = PART * k->page;
	int list[HOST_CPUS_MAX];
	char *p;

	if (!act_is_in_guest(k))
		return;
	errno = EBUSY;
	act_result(k, has_merged(k) ? -1 : 0);
	errno = ENODEV;
	act_result(k, cpus_list(&k->w->private->hello.all, list) < 2 ? -1 : 0);
	if (k->outcome.error)
		return;
	p = workload_try_map(3 * part, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);
	act_result(k, p ? 0 : -1);
	zeroes.at = (char *)(((uintptr_t)p + part - 1) / part * part);
	zeroes.cpu[0] = list[0];
	zeroes.cpu[1] = list[1];
	for (unsigned i = 0; i < 2 * PART && !k->outcome.error; i++)
		*(volatile char *)(zeroes.at + i * k->page) = 0;
	if (!k->outcome.error)
		unmap_at_once(k, a);
	if (p)
		munmap(p, 3 * part);
	k->outcome.seen = llabs(zero_pages() - before);
}
