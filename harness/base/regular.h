// SPDX-License-Identifier: MIT
/* Opens files that the user names. */
#ifndef RSSCK_REGULAR_H
#define RSSCK_REGULAR_H

#include <sys/types.h>

/*
 * Opens a regular file, and sets *length to its size in bytes. Does not wait for a FIFO and does
 * not open a device. Returns a descriptor, or -1 with the reason in *why.
 */
int regular_open(const char *path, off_t *length, const char **why);

#endif
