// SPDX-License-Identifier: MIT
/* Blocks of memory that can go offline (Documentation/admin-guide/mm/memory-hotplug.rst). */
#ifndef CASES_MACHINE_BLOCK_H
#define CASES_MACHINE_BLOCK_H

#include <rssck/case.h>

#define BLOCKS "/sys/devices/system/memory"

enum { BLOCK_NODES = 8, BLOCK_MOST = 1024, BLOCK_PATH = 96 };

/* Returns the size of each block in bytes; 0 if memory cannot go offline. */
static inline int64_t block_bytes(void)
{
	FILE *f = fopen(BLOCKS "/block_size_bytes", "re");
	unsigned long bytes = 0;

	if (f && fscanf(f, "%lx", &bytes) != 1)
		bytes = 0;
	if (f)
		fclose(f);
	return (int64_t)bytes;
}

/* Sets the state of a block. Returns false with errno if the kernel refuses. */
static inline bool block_set(int block, const char *state)
{
	char path[BLOCK_PATH];

	snprintf(path, sizeof(path), BLOCKS "/memory%d/state", block);
	return workload_try_to_set(path, state);
}

static inline bool block_is_of(int block, int node)
{
	char path[BLOCK_PATH];

	snprintf(path, sizeof(path), "/sys/devices/system/node/node%d/memory%d", node, block);
	return access(path, F_OK) == 0;
}

/*
 * Makes the node's last block that can go offline movable: the kernel's own memory, which cannot
 * move, is then elsewhere. Returns the block, or -1.
 */
static inline int block_make_movable(int node)
{
	for (int block = BLOCK_MOST; block >= 0; block--) {
		if (!block_is_of(block, node) || !block_set(block, "offline"))
			continue;
		if (block_set(block, "online_movable"))
			return block;
		block_set(block, "online");
	}
	return -1;
}

/* Makes the block ordinary memory again. It must be empty enough to go offline once more. */
static inline void block_restore(int block)
{
	if (block_set(block, "offline"))
		block_set(block, "online_kernel");
}

#endif
