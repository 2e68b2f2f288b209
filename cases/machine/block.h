// SPDX-License-Identifier: MIT
/* Blocks of memory that can go offline (Documentation/admin-guide/mm/memory-hotplug.rst). */
#ifndef CASES_MACHINE_BLOCK_H
#define CASES_MACHINE_BLOCK_H

#include <rssck/case.h>

#define BLOCKS "/sys/devices/system/memory"

enum { BLOCK_MOST = 1024, BLOCK_PATH = 96, BLOCK_PATIENCE = 3 };

/* Sets the state of a block. Returns false with errno if the kernel refuses. */
static inline bool block_set(int block, const char *state)
{
	char path[BLOCK_PATH];

	snprintf(path, sizeof(path), BLOCKS "/memory%d/state", block);
	return workload_try_to_set(path, state);
}

static inline void block_alarm(int unused)
{
	(void)unused;
}

/*
 * Returns false with errno if the kernel refuses, or if the block is not offline after
 * BLOCK_PATIENCE seconds: without a signal offline_pages() would retry pages that cannot be
 * migrated.
 */
static inline bool block_offline(int block)
{
	struct sigaction before, once = { .sa_handler = block_alarm };
	bool done;
	int error;

	sigaction(SIGALRM, &once, &before);
	alarm(BLOCK_PATIENCE);
	done = block_set(block, "offline");
	error = errno;
	alarm(0);
	sigaction(SIGALRM, &before, NULL);
	errno = error;
	return done;
}

static inline bool block_is_of(int block, int node)
{
	char path[BLOCK_PATH];

	snprintf(path, sizeof(path), "/sys/devices/system/node/node%d/memory%d", node, block);
	return access(path, F_OK) == 0;
}

/*
 * Makes the node's last block that can go offline movable, so that the kernel puts none of its own
 * memory there. Returns the block, or -1.
 */
static inline int block_make_movable(int node)
{
	for (int block = BLOCK_MOST; block >= 0; block--) {
		if (!block_is_of(block, node) || !block_offline(block))
			continue;
		if (block_set(block, "online_movable"))
			return block;
		block_set(block, "online");
	}
	return -1;
}

/*
 * Gives a movable block back to a kernel zone, for which the block must go offline once more. Does
 * nothing if block is -1.
 */
static inline void block_restore(int block)
{
	if (block >= 0 && block_offline(block))
		block_set(block, "online_kernel");
}

#endif
