// SPDX-License-Identifier: MIT
/*
 * A kernel that is packed as a whole: Image.gz, and the EFI program that unpacks itself
 * (vmlinuz.efi).
 */
#ifndef RSSCK_VM_UNPACK_H
#define RSSCK_VM_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

/* Returns whether a file with that beginning is such a kernel. */
bool is_packed(const unsigned char *header, size_t length);

/*
 * Unpacks it. QEMU does that itself from 8.0 on, but not for every machine; and the content must be
 * checked. Returns a memfd, or -1 with a sentence in `why`.
 */
int image_unpack(const char *path, char *why, size_t size);

#endif
