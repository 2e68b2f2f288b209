// SPDX-License-Identifier: MIT
/* Prepares a bare kernel for check: file systems, modules, disks, swap. */
#ifndef RSSCK_VM_GUEST_SETUP_H
#define RSSCK_VM_GUEST_SETUP_H

#include <stddef.h>

/* Mounts the file systems that init itself needs: /dev, /proc, /sys. */
void guest_mount_first(void);

/*
 * Mounts all others: shared memory, a file system with ordinary file pages, cgroups, debugfs,
 * tracefs. Then changes settings: KSM, large folios, NUMA balancing.
 */
void guest_mount_more(void);

/*
 * Loads the modules in /modules in their order. Reports each module that does not load on stderr.
 */
void guest_modules_load(void);

/* Enables swap on zram, else on the swap disk, or as --setup=swap requests. */
void guest_swap_on(void);

/*
 * Mounts the ext4 disk on /ext4. Returns 0, or -1 if there is none or the kernel cannot mount it.
 */
int guest_ext4_mount(void);

/* The value of --setup=NAME=VALUE, or NULL. */
const char *guest_wanted(const char *name);

/* Sets up all other conditions of --setup. Returns 0, or -1 with a sentence in `why`. */
int guest_conditions_make(char *why, size_t size);

/* Brings up the loopback interface. */
void guest_loopback_up(void);

#endif
