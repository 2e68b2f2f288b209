// SPDX-License-Identifier: MIT
/* Writes the results to a file. */
#ifndef RSSCK_OUTPUT_H
#define RSSCK_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

/* Checks before a run whether the file can be written. Returns 0, or -1 with a message in `why`. */
int output_check(const char *path, char *why, size_t size);

/* True for "-", a pipe, a terminal or a device: rename(2) must not replace these. */
bool output_is_special(const char *path);

/*
 * Writes the whole file, or leaves the old file unchanged. A special file (see output_is_special())
 * is written in place. Returns 0, or -1 with a message in `why`.
 */
int output_write(const char *path, const char *text, size_t length, char *why, size_t size);

/* Calls write(2) until everything is written. Returns 0, or -1 with errno. */
int write_all(int fd, const char *text, size_t length);

#endif
