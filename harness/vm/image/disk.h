// SPDX-License-Identifier: MIT
/*
 * Disks for the guest: sparse memfds.
 */
#ifndef RSSCK_VM_DISK_H
#define RSSCK_VM_DISK_H

#include <stddef.h>

/*
 * Both disks have `scale` times 256 MiB. This one has an empty ext4 file system: returns a
 * memfd, or -1 if this host cannot make one.
 */
int disk_ext4(unsigned scale);

/* A disk that is swap space. Returns a memfd, or -1 with a sentence in `why`. */
int disk_swap(unsigned scale, char *why, size_t size);

/*
 * Writes the header of a swap area of `bytes`, in pages of page_size, which must be the kernel's
 * own. Returns 0, or -1 with errno.
 */
int swap_header_write(int fd, unsigned long long bytes, unsigned page_size, const char *label);

#endif
