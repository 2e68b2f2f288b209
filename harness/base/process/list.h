// SPDX-License-Identifier: MIT
/* Lists processes, and names those in other namespaces. */
#ifndef RSSCK_PROCESS_LIST_H
#define RSSCK_PROCESS_LIST_H

#include <stddef.h>
#include <sys/types.h>

/*
 * Lists the PIDs of all processes in /proc; the caller frees *pids. Returns 0 or a negative errno.
 */
int processes_list(pid_t **pids, size_t *nr);

/*
 * Writes "in another PID namespace, PID 7 there; in another mount namespace" into buf. Writes "" if
 * the process shares rssck's namespaces, or if its namespaces cannot be read. `status` is the text
 * of its /proc/PID/status.
 */
const char *namespaces_words(pid_t pid, const char *status, char *buf, size_t size);

#endif
