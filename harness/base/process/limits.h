// SPDX-License-Identifier: MIT
#ifndef RSSCK_LIMITS_H
#define RSSCK_LIMITS_H

#include <stddef.h>

/*
 * The limit of this process that a call may have met which failed with this errno:
 * "RLIMIT_NOFILE is 64: raise it (ulimit -n)"; "" where none is behind it.
 */
const char *limit_behind(int error, char *text, size_t size);

/* Raise our own limits as far as we may without privilege, so that they decide no case.
 */
void limits_raise(void);

#endif
