// SPDX-License-Identifier: MIT
/*
 * Is this file a kernel that can be booted here?
 */
#ifndef RSSCK_VM_IMAGE_H
#define RSSCK_VM_IMAGE_H

#include <stddef.h>
#include <stdint.h>

struct image {
	uint64_t bytes;     /* of the file */
	uint64_t init_size; /* of memory, that the kernel needs to unpack itself */
};

int image_check(struct image *image, const char *path, char *why, size_t size);

#endif
