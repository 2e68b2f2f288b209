// SPDX-License-Identifier: MIT
#ifndef RSSCK_LIMITS_H
#define RSSCK_LIMITS_H

#include <stddef.h>

/*
 * Writes which limits of this process may have caused `error`, such as "RLIMIT_NOFILE is 64: raise
 * it (ulimit -n)" or "pids.max of cgroup /a is 8"; "" if none can have. Returns `text`.
 */
const char *limit_behind(int error, char *text, size_t size);

/*
 * Raises soft limits that could affect a case, as far as the hard limits permit: descriptors to
 * 4,096, the stack to 8 MiB, the others to infinity.
 */
void limits_raise(void);

/*
 * Writes which limit, other than RLIMIT_NPROC, is reached so that no process or thread can be
 * created: "pids.max of cgroup /a is 8", "kernel.threads-max is 200"; "" if none is. Returns
 * `text`.
 */
const char *tasks_full(char *text, size_t size);

#endif
