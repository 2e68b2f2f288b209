// SPDX-License-Identifier: MIT
/* Tests whether a thread of a process runs. */
#ifndef RSSCK_STILL_H
#define RSSCK_STILL_H

#include <rssck/source.h>

/*
 * True if a thread of the process runs or waits for a CPU; `who` then names the thread. A thread
 * that has replied to rssck may still touch pages until it sleeps.
 */
bool still_runs(pid_t pid, struct text *t, char *who, size_t size);

#endif
