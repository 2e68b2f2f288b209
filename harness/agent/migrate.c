// SPDX-License-Identifier: MIT
/* Moving memory to another node, as move_pages(2) has it. */
#include "agent.h"
#include <rssck/states.h>
#include <rssck/uapi.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { TRIES = 5 };

int workload_migrate(void *p, int node)
{
	int status = -1;

	for (int i = 0; i < TRIES && status != node; i++)
		if (syscall(SYS_move_pages, 0, 1, &p, &node, &status, MPOL_MF_MOVE) < 0)
			return -1;
	return status;
}

int workload_migrate_away(struct workload *w, void *p)
{
	int node = NODES_MAX - 1;

	while (node > 0 && workload_migrate(p, node) != node)
		node--;
	if (node == 0)
		workload_skip(w, "a second memory node with a huge page (in QEMU: -numa node)");
	return node;
}

void workload_migrate_back(struct workload *w, void *p)
{
	if (workload_migrate(p, 0) != 0)
		workload_skip(w, "memory on node 0");
}
