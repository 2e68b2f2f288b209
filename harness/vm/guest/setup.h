// SPDX-License-Identifier: MIT
/* Prepares a bare kernel: file systems, modules, disks, swap. */
#ifndef RSSCK_VM_GUEST_SETUP_H
#define RSSCK_VM_GUEST_SETUP_H

#include <stddef.h>

/* Mounts what init itself needs: /dev, /proc, /sys. */
void guest_mount_first(void);

/* Mounts the rest: shared memory, real file pages, cgroups, the kernel's debug files. */
void guest_mount_more(void);

/* Loads /modules in their order. A module that does not load is reported on stderr. */
void guest_modules_load(void);

/* Enables swap on zram, otherwise on the disk made for it, or as --setup=swap requests. */
void guest_swap_on(void);

/* Mounts the ext4 disk on /ext4. Returns 0, or -1 if there is none. */
int guest_ext4_mount(void);

/* The value of that name in --setup, or NULL. */
const char *guest_wanted(const char *name);

/* Sets up all other conditions of --setup. Returns 0, or -1 with a sentence in `why`. */
int guest_conditions_make(char *why, size_t size);

/* Brings the loopback interface up. */
void guest_loopback_up(void);

#endif
