// SPDX-License-Identifier: MIT
#ifndef RSSCK_LIMITS_H
#define RSSCK_LIMITS_H

#include <stddef.h>

/*
 * Writes which limit of this process may have caused `error`, such as "RLIMIT_NOFILE is 64: raise
 * it (ulimit -n)" or "pids.max of cgroup /a is 8". Writes "" if no limit can have caused it.
 */
const char *limit_behind(int error, char *text, size_t size);

/*
 * Raises rssck's soft limits as far as needed (4,096 descriptors, 8 MiB of stack) or permitted, so
 * that they do not affect a case.
 */
void limits_raise(void);

/*
 * Writes which limit (other than RLIMIT_NPROC) is reached, so that no process or thread can be
 * created: "pids.max of cgroup /a is 8", "kernel.threads-max is 200". Writes "" if none is reached.
 */
const char *tasks_full(char *text, size_t size);

#endif
