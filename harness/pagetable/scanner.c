// SPDX-License-Identifier: MIT
/* Calls the PAGEMAP_SCAN ioctl, range by range. */
#include "scanner.h"
#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>

enum {
	SCAN_CATEGORIES = SCAN_WPALLOWED | SCAN_WRITTEN | SCAN_FILE | SCAN_PRESENT | SCAN_SWAPPED |
			  SCAN_PFNZERO | SCAN_HUGE | SCAN_SOFT_DIRTY,
};

int scanner_open(struct scanner *sc, int fd, size_t nr_regions)
{
	sc->fd = fd;
	sc->nr_regions = nr_regions ? nr_regions : 1;
	sc->return_mask = SCAN_CATEGORIES | SCAN_GUARD;
	sc->all = false;
	sc->regions = calloc(sc->nr_regions, sizeof(*sc->regions));
	return sc->regions ? 0 : -ENOMEM;
}

void scanner_close(struct scanner *sc)
{
	free(sc->regions);
	sc->regions = NULL;
}

static int scan_once(const struct scanner *sc, uint64_t start, uint64_t end)
{
	struct scan_arg arg = {
		.size = sizeof(arg),
		.start = start,
		.end = end,
		.vec = (uintptr_t)sc->regions,
		.vec_len = sc->nr_regions,
		/* Up to 7.3 a guard region counts as swapped; later kernels return it only if
		   requested. */
		.category_anyof_mask = sc->all ? sc->return_mask & ~(uint64_t)SCAN_WPALLOWED
					       : SCAN_PRESENT | SCAN_SWAPPED |
							 (sc->return_mask & SCAN_GUARD),
		.return_mask = sc->return_mask,
	};
	int n;

	do
		n = ioctl(sc->fd, SCAN_IOCTL, &arg);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

/* pagemap_scan_get_args() refuses a mask with a category that this kernel does not have. */
static int scan_some(struct scanner *sc, uint64_t start, uint64_t end)
{
	int n = scan_once(sc, start, end);

	if (n != -EINVAL || !(sc->return_mask & SCAN_GUARD))
		return n;
	sc->return_mask &= ~(uint64_t)SCAN_GUARD;
	return scan_once(sc, start, end);
}

/*
 * A full vector is continued from the end of its last range: walk_end may be
 * that of an earlier range when the vector is longer than the 512 ranges that
 * do_pagemap_scan() buffers, and resuming there counts ranges twice.
 */
int scanner_run(struct scanner *sc, uint64_t start, uint64_t end,
		int (*found)(const struct scan_region *r, void *arg), void *arg)
{
	while (start < end) {
		int n = scan_some(sc, start, end);

		if (n < 0)
			return n;
		for (int i = 0; i < n; i++) {
			int stop = found(&sc->regions[i], arg);

			if (stop)
				return stop;
		}
		if ((size_t)n < sc->nr_regions)
			break;
		if (sc->regions[n - 1].end <= start)
			return -EIO;
		start = sc->regions[n - 1].end;
	}
	return 0;
}
