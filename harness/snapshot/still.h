// SPDX-License-Identifier: MIT
/* Whether a process stands still. */
#ifndef RSSCK_STILL_H
#define RSSCK_STILL_H

#include <rssck/source.h>

/*
 * True if a thread of the process runs, or waits for a CPU to run on; `who` then says
 * which. One that has answered us and not yet gone to sleep marks the pages that it
 * uses on its way there.
 */
bool still_runs(pid_t pid, struct text *t, char *who, size_t size);

#endif
