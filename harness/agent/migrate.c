// SPDX-License-Identifier: MIT
/* Migrates memory to another node by move_pages(2). */
#include "agent.h"
#include <rssck/states.h>
#include <rssck/uapi.h>
#include <stdio.h>
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

int workload_node(void *p)
{
	int status = -1;

	return syscall(SYS_move_pages, 0, 1, &p, NULL, &status, 0) < 0 ? -1 : status;
}

int workload_migrate_to_other(void *p)
{
	int to = workload_node(p) != 1;

	return workload_migrate(p, to) == to ? to : -1;
}

bool workload_migrate_each(char *p, size_t n, size_t stride, int node)
{
	enum { AT_ONCE = 256 };
	void *pages[AT_ONCE];
	int nodes[AT_ONCE], status[AT_ONCE];
	bool moved = false;

	for (size_t i = 0, at = 0; i < n; i++) {
		pages[at] = p + i * stride;
		nodes[at] = node;
		status[at++] = -1;
		if (at < AT_ONCE && i + 1 < n)
			continue;
		if (syscall(SYS_move_pages, 0, at, pages, nodes, status, MPOL_MF_MOVE) < 0)
			return false;
		while (at)
			moved |= status[--at] == node;
	}
	return moved;
}

/*
 * buddyinfo has lines like "Node 1, zone DMA32 3 0 ...": the numbers of free blocks of 1, 2, 4 ...
 * pages.
 */
static bool has_block(const char *line, int node, int64_t pages)
{
	int of, used = 0;
	int64_t block = 1;
	unsigned long free;

	if (sscanf(line, "Node %d, zone %*s%n", &of, &used) != 1 || of != node || !used)
		return false;
	for (line += used; sscanf(line, "%lu%n", &free, &used) == 1; line += used, block *= 2)
		if (block >= pages && free)
			return true;
	return false;
}

bool workload_node_has_huge(const struct workload *w, int node)
{
	FILE *f = fopen("/proc/buddyinfo", "re");
	bool found = !f; /* without buddyinfo, try every node */
	char line[512];

	while (f && !found && fgets(line, sizeof(line), f))
		found = has_block(line, node, w->huge);
	if (f)
		fclose(f);
	return found;
}

bool workload_may_use_node(int node)
{
	enum { WORDS = 1024 / (8 * sizeof(unsigned long)), BITS = 8 * sizeof(unsigned long) };
	unsigned long nodes[WORDS] = { 0 };
	int mode;

	return !syscall(SYS_get_mempolicy, &mode, nodes, sizeof(nodes) * 8, NULL,
			(unsigned long)MPOL_F_MEMS_ALLOWED) &&
	       nodes[(size_t)node / BITS] >> (size_t)node % BITS & 1;
}

static int left_node; /* by workload_migrate_away() */

int workload_migrate_away(struct workload *w, void *p)
{
	int node = NODES_MAX - 1;

	left_node = workload_node(p);
	/* On a node without a free huge page, the huge page would be split. */
	while (node >= 0 && (node == left_node || !workload_node_has_huge(w, node) ||
			     workload_migrate(p, node) != node))
		node--;
	if (node < 0)
		workload_skip(w, "a second memory node with a huge page (in QEMU: -numa node)");
	return node;
}

int workload_migrate_back(struct workload *w, void *p)
{
	if (workload_migrate(p, left_node) != left_node)
		workload_skip(w, "memory on node %d", left_node);
	return left_node;
}
