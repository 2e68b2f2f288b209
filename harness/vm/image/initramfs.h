// SPDX-License-Identifier: MIT
/* The initramfs, the guest's only file system at boot. */
#ifndef RSSCK_VM_INITRAMFS_H
#define RSSCK_VM_INITRAMFS_H

#include "vm/vm.h"

/*
 * Builds the archive. It contains rssck as init; rssck-workload; ps, top and pmap if the host has
 * them; the libraries of all these programs; and the modules. Returns a memfd, or -1 with a
 * sentence in `why`.
 */
int initramfs_build(const struct vm_options *o, char *why, size_t size);

#endif
