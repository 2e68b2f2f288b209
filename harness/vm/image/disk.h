// SPDX-License-Identifier: MIT
/* The guest's disks: sparse memfds. */
#ifndef RSSCK_VM_DISK_H
#define RSSCK_VM_DISK_H

#include <stddef.h>

/*
 * Makes a disk of `scale` times 256 MiB with an empty ext4 file system. Returns a memfd, or -1 if
 * this host cannot make one.
 */
int disk_ext4(unsigned scale);

/* Makes a swap disk of the same size. Returns a memfd, or -1 with a sentence in `why`. */
int disk_swap(unsigned scale, char *why, size_t size);

/*
 * Writes the header of a swap area of `bytes` bytes. page_size must be the kernel's page size.
 * Returns 0, or -1 with errno.
 */
int swap_header_write(int fd, unsigned long long bytes, unsigned page_size, const char *label);

#endif
