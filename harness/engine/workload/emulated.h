// SPDX-License-Identifier: MIT
/*
 * Detects another program that runs the workload: an emulator (qemu-user by binfmt_misc, Rosetta)
 * or valgrind.
 */
#ifndef RSSCK_EMULATED_H
#define RSSCK_EMULATED_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * True if process `pid`, started as `program`, actually runs another program, whose memory the
 * kernel then counts. `why` has a message. False if either program cannot be read.
 */
bool emulated(pid_t pid, const char *program, char *why, size_t size);

#endif
