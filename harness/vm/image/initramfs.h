// SPDX-License-Identifier: MIT
/*
 * The guest's only file system at boot.
 */
#ifndef RSSCK_VM_INITRAMFS_H
#define RSSCK_VM_INITRAMFS_H

#include "vm/vm.h"

/*
 * Build the archive: rssck as init, rssck-workload, ps, top and pmap where the
 * host has them, the libraries of all, the modules. Returns a memfd, or -1.
 */
int initramfs_build(const struct vm_options *o, char *why, size_t size);

#endif
