// SPDX-License-Identifier: MIT
/* The initramfs, the guest's only file system at boot. */
#ifndef RSSCK_VM_INITRAMFS_H
#define RSSCK_VM_INITRAMFS_H

#include "vm/vm.h"

/*
 * Builds the archive. It contains rssck as init with its arguments and --setup; rssck-workload and
 * the programs beside it; ps, top, pmap, atop, pidstat and busybox if the host has them; the
 * libraries of all these programs; the modules; and what the user's command needs (--run, --with).
 * For another machine, or with --programs, its programs are rssck's own, built static, and busybox
 * if there is one. Returns a memfd, or -1 with a sentence in `why`.
 */
int initramfs_build(const struct vm_options *o, char *why, size_t size);

#endif
