// SPDX-License-Identifier: MIT
#ifndef RSSCK_ENDED_H
#define RSSCK_ENDED_H

#include <stddef.h>
#include <sys/types.h>

/*
 * Writes how a process ended, as in "killed by signal 9 (Killed): by the OOM killer, or by another
 * process". Returns `text`.
 */
const char *ended_by(int sig, char *text, size_t size);

/*
 * Returns the signal that ended a process which is not our child; 0 if there was none or it is
 * unknown. The wait status is the last number of /proc/PID/stat until the parent reaps the process
 * (fs/proc/array.c do_task_stat()). Waits at most 100 ms for a process that is about to end.
 */
int ended_signal(pid_t pid);

#endif
