// SPDX-License-Identifier: MIT
/*
 * Kernels that are packed as a whole: Image.gz, and the EFI program that unpacks itself
 * (vmlinuz.efi).
 */
#ifndef RSSCK_VM_UNPACK_H
#define RSSCK_VM_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

/* True if a file with this beginning is a packed kernel. */
bool is_packed(const unsigned char *header, size_t length);

/*
 * Unpacks a kernel. QEMU can do it from 8.0 on, but not for every machine, and rssck must check the
 * content. Returns a memfd, or -1 with a sentence in `why`.
 */
int image_unpack(const char *path, char *why, size_t size);

#endif
