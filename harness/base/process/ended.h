// SPDX-License-Identifier: MIT
#ifndef RSSCK_ENDED_H
#define RSSCK_ENDED_H

#include <stddef.h>
#include <sys/types.h>

/* "killed by signal 9 (Killed): by the OOM killer, or by hand". Returns `text`. */
const char *ended_by(int sig, char *text, size_t size);

/*
 * The signal that ended a process which is not our child: the last number of its stat until its
 * parent reaps it (fs/proc/array.c do_task_stat()). Waits at most a tenth of a second for a process
 * that is about to end. 0: none, or unknown.
 */
int ended_signal(pid_t pid);

#endif
