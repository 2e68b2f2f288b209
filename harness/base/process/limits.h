// SPDX-License-Identifier: MIT
#ifndef RSSCK_LIMITS_H
#define RSSCK_LIMITS_H

#include <stddef.h>

/*
 * The limit of this process that may have caused this errno: "RLIMIT_NOFILE is 64: raise it (ulimit
 * -n)", "pids.max of cgroup /a is 8"; "" if none may have.
 */
const char *limit_behind(int error, char *text, size_t size);

/* Raises our own limits as far as possible without privilege, so that they affect no case. */
void limits_raise(void);

#endif
