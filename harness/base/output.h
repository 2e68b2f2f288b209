// SPDX-License-Identifier: MIT
/*
 * The file that the results go to.
 */
#ifndef RSSCK_OUTPUT_H
#define RSSCK_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Checks early whether this file can be written later. Returns 0, or -1 with a sentence in `why`.
 */
int output_check(const char *path, char *why, size_t size);

/* True for a pipe, a terminal, a device, or "-": a file cannot be renamed to it. */
bool output_is_special(const char *path);

/*
 * Write the whole file or leave the old one as it is. A path that is no regular
 * file (a pipe, /dev/stdout) is written as it is; "-" is stdout.
 */
int output_write(const char *path, const char *text, size_t length, char *why, size_t size);

/* write(2) until all is written. Returns 0, or -1 with errno. */
int write_all(int fd, const char *text, size_t length);

#endif
