// SPDX-License-Identifier: MIT
/* The file to which the results are written. */
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
 * Writes the whole file, or leaves the old one as it is. If path is not a regular file (a
 * pipe, /dev/stdout) it is written in place; "-" is stdout. Returns 0, or -1 with a
 * sentence in `why`.
 */
int output_write(const char *path, const char *text, size_t length, char *why, size_t size);

/* write(2) until all is written. Returns 0, or -1 with errno. */
int write_all(int fd, const char *text, size_t length);

#endif
