// SPDX-License-Identifier: MIT
/* Files named by the user, to be read as a whole. */
#ifndef RSSCK_REGULAR_H
#define RSSCK_REGULAR_H

#include <sys/types.h>

/*
 * Open a regular file; *length is in bytes. A FIFO is not waited for and a
 * device is left alone. Returns a descriptor, or -1 with the reason in *why.
 */
int regular_open(const char *path, off_t *length, const char **why);

#endif
