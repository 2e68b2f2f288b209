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
		/*
		 * Up to 7.3 guard regions count as swapped; later kernels report them only if
		 * requested.
		 */
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

/*
 * Scans, without SCAN_GUARD if the kernel does not know it: pagemap_scan_get_args() refuses unknown
 * categories.
 */
static int scan_some(struct scanner *sc, uint64_t start, uint64_t end)
{
	int n = scan_once(sc, start, end);

	if (n != -EINVAL || !(sc->return_mask & SCAN_GUARD))
		return n;
	sc->return_mask &= ~(uint64_t)SCAN_GUARD;
	return scan_once(sc, start, end);
}

/*
 * Continues after a full vector at the end of its last range. walk_end cannot be used: with a
 * vector longer than the 512 ranges that do_pagemap_scan() buffers, it may belong to an earlier
 * range, and ranges would be counted twice.
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
