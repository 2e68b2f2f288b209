// SPDX-License-Identifier: MIT
/*
 * Finds the programs that a guest runs: this machine's own, or programs built for the guest's
 * machine.
 */
#ifndef RSSCK_VM_PROGRAMS_H
#define RSSCK_VM_PROGRAMS_H

#include "vm/vm.h"

/* True if this program itself runs on such a board. */
bool programs_are_ours(const struct board *b);

/* Finds the folder of this program. Returns 0, or -1 with a sentence in `why`. */
int programs_own_folder(char *folder, size_t length, char *why, size_t size);

/*
 * Finds the folder with the programs for another machine: --programs, or build/cross/NAME in this
 * program's folder. Each program must be static. Returns 0, or -1 with a sentence in `why`.
 */
int programs_find(const struct vm_options *o, char *folder, size_t length, char *why, size_t size);

#endif
