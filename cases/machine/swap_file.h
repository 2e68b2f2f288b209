// SPDX-License-Identifier: MIT
/* Makes swap areas: on a file, or on a disk that contains one. */
#ifndef CASES_MACHINE_SWAP_FILE_H
#define CASES_MACHINE_SWAP_FILE_H

#include "loads.h"

enum { SWAP_MAGIC = 10, SWAP_PRIORITY = 100 };

/*
 * Writes union swap_header of include/linux/swap.h into the first page, with the magic at its end.
 */
static inline bool swap_area_write(const struct workload *w, int fd, off_t bytes)
{
	const uint32_t header[] = { 1, (uint32_t)(bytes / (off_t)w->page_size - 1), 0 };

	return pwrite(fd, header, sizeof(header), 1024) == sizeof(header) &&
	       pwrite(fd, "SWAPSPACE2", SWAP_MAGIC, (off_t)w->page_size - SWAP_MAGIC) ==
		       SWAP_MAGIC &&
	       fsync(fd) == 0;
}

static inline bool swap_file_make(const struct workload *w, const char *path, unsigned loads)
{
	off_t bytes = (off_t)(loads * load_bytes(w));
	int fd = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
	bool made = fd >= 0 && !fallocate(fd, 0, 0, bytes) && swap_area_write(w, fd, bytes);

	close(fd);
	return made;
}

#endif
