// SPDX-License-Identifier: MIT
#ifndef RSSCK_TASKS_H
#define RSSCK_TASKS_H

#include <stddef.h>

/*
 * Writes which limit (other than RLIMIT_NPROC) is reached, so that no process or thread can be
 * created: "pids.max of cgroup /a is 8", "kernel.threads-max is 200". Writes "" if none is reached.
 */
const char *tasks_full(char *text, size_t size);

#endif
