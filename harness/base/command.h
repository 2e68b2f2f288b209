// SPDX-License-Identifier: MIT
/*
 * Programs of the host that are asked for something.
 */
#ifndef RSSCK_VM_COMMAND_H
#define RSSCK_VM_COMMAND_H

#include <stddef.h>

/*
 * The path of a program: as it is if it has a slash, otherwise looked for in
 * $PATH and the sbin folders, which are not in everybody's. Returns 0, or -1.
 */
int command_find(const char *name, char *path, size_t size);

/*
 * Run a program (argv[0] is its path) to its end. Returns what it printed on
 * stdout, to be freed; or NULL with a sentence in `why`, with what it printed
 * last, if it could not run or failed.
 */
char *command_output(char *const argv[], char *why, size_t size);

#endif
