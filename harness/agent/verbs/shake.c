// SPDX-License-Identifier: MIT
/* Verbs that move pages to other frames, write them back, or reclaim unused ones. */
#include "verbs.h"
#include <errno.h>
#include <rssck/uapi.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

void verb_compact(struct worker *k, const struct act *a)
{
	(void)a;
	if (act_is_in_guest(k))
		act_result(k, workload_try_to_set("/proc/sys/vm/compact_memory", "1") ? 0 : -1);
}

/* Mapped pages stay; shrinkers may split huge pages (deferred_split_scan()). */
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

/* Moves each page to the other of nodes 0 and 1; refused if there is only one node. */
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

/* ENOMEM: there are holes; the rest is written back all the same. */
void verb_msync(struct worker *k, const struct act *a)
{
	act_result(k, msync(act_address(k, a), act_bytes(k, a), MS_SYNC));
}
