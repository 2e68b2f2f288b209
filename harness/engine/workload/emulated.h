// SPDX-License-Identifier: MIT
/* Programs of another machine, which an emulator runs (qemu-user by binfmt_misc, Rosetta). */
#ifndef RSSCK_EMULATED_H
#define RSSCK_EMULATED_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * True, with a sentence, if process `pid`, which was started as `program`, runs a program for
 * another machine instead: what the kernel counts of it is the emulator's memory. False where
 * either cannot be read.
 */
bool emulated(pid_t pid, const char *program, char *why, size_t size);

#endif
