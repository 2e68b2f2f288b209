// SPDX-License-Identifier: MIT
/* Checks whether a file is a kernel that can be booted here, and finds its machine. */
#ifndef RSSCK_VM_KERNEL_H
#define RSSCK_VM_KERNEL_H

#include "vm/board.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct image {
	const struct board *board;
	uint64_t bytes;     /* size of the file, or of its unpacked content */
	uint64_t init_size; /* memory that the kernel needs to unpack itself, in bytes */
	unsigned page_size; /* the page size; 0: the image does not show it */
	int fd;             /* a memfd with the unpacked content; -1: QEMU opens the file itself */
};

/* Fills in *image. Returns 0, or -1 with a sentence in `why`. The caller closes image->fd. */
int image_check(struct image *image, const char *path, char *why, size_t size);

/*
 * True if a file with this beginning is a kernel that is packed as a whole: Image.gz, or the EFI
 * program that unpacks itself (vmlinuz.efi).
 */
bool is_packed(const unsigned char *header, size_t length);

/*
 * Unpacks a kernel. QEMU can unpack some kernels, but not for every machine, and rssck must check
 * the content. Returns a memfd, or -1 with a sentence in `why`.
 */
int image_unpack(const char *path, char *why, size_t size);

#endif
