// SPDX-License-Identifier: MIT
/*
 * Programs of the host that are asked for something.
 */
#ifndef RSSCK_COMMAND_H
#define RSSCK_COMMAND_H

#include <stddef.h>

/* For programs that answer at once on a machine that is not busy. */
enum { COMMAND_LIMIT_S = 60 };

/*
 * The path of a program: as it is if it has a slash, otherwise looked for in
 * $PATH and the sbin folders, which are not in everybody's. Returns 0, or -1.
 */
int command_find(const char *name, char *path, size_t size);

/*
 * Run a program (argv[0] is its path) to its end, or for so many seconds; it
 * dies when we die. Returns what it printed, to be freed; or NULL with a
 * sentence in `why`, with what it printed, if it could not run, failed or was
 * killed.
 */
char *command_output(char *const argv[], unsigned limit_s, char *why, size_t size);

#endif
