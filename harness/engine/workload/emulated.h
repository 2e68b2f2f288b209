// SPDX-License-Identifier: MIT
/*
 * Detects programs of another architecture, which an emulator runs (qemu-user by binfmt_misc,
 * Rosetta).
 */
#ifndef RSSCK_EMULATED_H
#define RSSCK_EMULATED_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * True, with a sentence in `why`, if process `pid`, started as `program`, runs a program of
 * another architecture instead: then the kernel counts the emulator's memory. False if either
 * cannot be read.
 */
bool emulated(pid_t pid, const char *program, char *why, size_t size);

#endif
