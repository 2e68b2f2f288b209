// SPDX-License-Identifier: MIT
/* Lists processes, and tells which are in other namespaces. */
#ifndef RSSCK_PROCESS_LIST_H
#define RSSCK_PROCESS_LIST_H

#include <stddef.h>
#include <sys/types.h>

/* Every number in /proc, to be freed. Returns 0 or a negative errno. */
int processes_list(pid_t **pids, size_t *nr);

/*
 * "in another PID namespace, 7 there; in another mount namespace", into buf; "" if they are ours,
 * or cannot be seen. `status` is its /proc/PID/status.
 */
const char *namespaces_words(pid_t pid, const char *status, char *buf, size_t size);

#endif
