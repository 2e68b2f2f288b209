// SPDX-License-Identifier: MIT
/*
 * Disks for the guest: sparse memfds.
 */
#ifndef RSSCK_VM_DISK_H
#define RSSCK_VM_DISK_H

#include <stddef.h>

/* A disk with an empty ext4 file system. Returns a memfd, or -1 where this host cannot make one. */
int disk_ext4(void);

/* A disk that is swap space. Returns a memfd, or -1 with a sentence in `why`. */
int disk_swap(char *why, size_t size);

/* Write the header of a swap space of `bytes` (in pages of 4 KiB). Returns 0, or -1 with errno. */
int swap_header_write(int fd, unsigned long long bytes, const char *label);

#endif
