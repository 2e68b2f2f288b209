// SPDX-License-Identifier: MIT
/* Which programs a guest runs: this machine's own, or those of a folder that were built for it. */
#ifndef RSSCK_VM_PROGRAMS_H
#define RSSCK_VM_PROGRAMS_H

#include "vm/vm.h"

/* Returns whether this very program runs on such a board. */
bool programs_are_ours(const struct board *b);

/* The folder of this program. Returns 0, or -1 with a sentence in `why`. */
int programs_own_folder(char *folder, size_t length, char *why, size_t size);

/*
 * The folder with a foreign guest's programs: --programs, or build/cross/NAME beside this program.
 * Each of them must be static. Returns 0, or -1 with a sentence in `why`.
 */
int programs_find(const struct vm_options *o, char *folder, size_t length, char *why, size_t size);

#endif
