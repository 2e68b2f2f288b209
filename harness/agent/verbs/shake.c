// SPDX-License-Identifier: MIT
/* Implements verbs that move pages to other frames, write them back, or reclaim unused ones. */
#include "agent/agent.h"
#include "verbs.h"
#include <errno.h>
#include <rssck/uapi.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

void verb_compact(struct worker *k, const struct act *a)
{
	(void)a;
	if (act_is_in_guest(k))
		act_result(k, workload_try_to_set("/proc/sys/vm/compact_memory", "1") ? 0 : -1);
}

/* Mapped pages stay mapped, but shrinkers may split huge pages (deferred_split_scan()). */
void verb_drop_caches(struct worker *k, const struct act *a)
{
	(void)a;
	if (act_is_in_guest(k))
		act_result(k, workload_try_to_set("/proc/sys/vm/drop_caches", "3") ? 0 : -1);
}

static long move_pages(uint32_t n, void **pages, const int *nodes, int *status)
{
	return syscall(SYS_move_pages, 0, (unsigned long)n, pages, nodes, status, MPOL_MF_MOVE);
}

/* Moves each page from node 0 to node 1, or back to node 0. */
void verb_move_pages(struct worker *k, const struct act *a)
{
	static void *pages[ACT_REGION_PAGES];
	static int nodes[ACT_REGION_PAGES], status[ACT_REGION_PAGES];

	for (uint32_t i = 0; i < a->pages; i++)
		pages[i] = act_address(k, a) + i * k->page;
	errno = ENODEV;
	act_result(k, access("/sys/devices/system/node/node1", F_OK));
	if (!k->outcome.error)
		act_result(k, move_pages(a->pages, pages, NULL, status));
	for (uint32_t i = 0; i < a->pages; i++)
		nodes[i] = status[i] == 0;
	if (!k->outcome.error)
		act_result(k, move_pages(a->pages, pages, nodes, status));
}

/*
 * Moves the process's pages from node 0 to node 1 like migratepages(8). ENOMEM means that the node
 * has room for only some of them.
 */
void verb_migrate_all(struct worker *k, const struct act *a)
{
	unsigned long from = 1, to = 2;

	(void)a;
	errno = ENODEV;
	act_result(k, access("/sys/devices/system/node/node1", F_OK));
	if (!k->outcome.error &&
	    syscall(SYS_migrate_pages, 0, 8UL * sizeof(from), &from, &to) < 0 && errno != ENOMEM)
		act_result(k, -1);
}

/*
 * Waits for two scans of khugepaged, which is paused between operations. A mapping with
 * MADV_HUGEPAGE and without pages makes khugepaged scan this process.
 */
void verb_khugepaged(struct worker *k, const struct act *a)
{
	struct patience patience = { .seconds = 10 };
	size_t bytes = k->w->huge_page_size * 2;
	int64_t enough;
	bool done;
	void *p;

	(void)a;
	if (!act_is_in_guest(k))
		return;
	errno = ENODEV;
	enough = workload_number(KHUGEPAGED "full_scans", NULL, -3) + 2;
	p = bytes ? workload_try_map(bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1) : NULL;
	act_result(k, enough >= 0 && p ? 0 : -1);
	if (k->outcome.error)
		return;
	prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
	done = !madvise(p, bytes, MADV_HUGEPAGE) &&
	       workload_try_to_set(KHUGEPAGED "pages_to_scan", "100000") &&
	       workload_try_to_set(KHUGEPAGED "scan_sleep_millisecs", "1");
	while (done && workload_number(KHUGEPAGED "full_scans", NULL, 0) < enough)
		done = workload_pause(&patience);
	workload_try_to_set(KHUGEPAGED "scan_sleep_millisecs", KHUGEPAGED_PAUSED);
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	munmap(p, bytes);
	errno = EBUSY;
	act_result(k, done ? 0 : -1);
}

/* ENOMEM means that the range has holes; the other pages are still written back. */
void verb_msync(struct worker *k, const struct act *a)
{
	act_result(k, msync(act_address(k, a), act_bytes(k, a), MS_SYNC));
}
