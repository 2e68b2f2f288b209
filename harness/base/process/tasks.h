// SPDX-License-Identifier: MIT
#ifndef RSSCK_TASKS_H
#define RSSCK_TASKS_H

#include <stddef.h>

/*
 * What allows no more processes and threads now, beside RLIMIT_NPROC: "pids.max of cgroup /a is 8",
 * "kernel.threads-max is 200"; "" if neither.
 */
const char *tasks_full(char *text, size_t size);

#endif
