// SPDX-License-Identifier: MIT
#ifndef RSSCK_TASKS_H
#define RSSCK_TASKS_H

#include <stddef.h>

/*
 * Which limit, besides RLIMIT_NPROC, allows no more processes and threads now: "pids.max of cgroup
 * /a is 8", "kernel.threads-max is 200"; "" if none does.
 */
const char *tasks_full(char *text, size_t size);

#endif
