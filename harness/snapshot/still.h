// SPDX-License-Identifier: MIT
/* Tests whether a process stands still. */
#ifndef RSSCK_STILL_H
#define RSSCK_STILL_H

#include <rssck/source.h>

/*
 * True if a thread of the process runs, or waits for a CPU; `who` then names it. A thread that
 * has replied but does not sleep yet still touches pages.
 */
bool still_runs(pid_t pid, struct text *t, char *who, size_t size);

#endif
