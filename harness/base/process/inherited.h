// SPDX-License-Identifier: MIT
#ifndef RSSCK_INHERITED_H
#define RSSCK_INHERITED_H

#include <stdbool.h>

/*
 * Resets what a parent may have left: opens descriptors 0 to 2, unblocks all signals, restores the
 * default for SIGCHLD, raises limits as far as permitted, and sets the normal scheduling policy.
 */
void inherited_reset(void);

/* True if stdout was closed before inherited_reset(), so that output is lost. */
bool inherited_stdout_is_closed(void);

/*
 * The same for a program of rssck's own, between fork and exec: default signals, and files
 * that only we can read.
 */
void inherited_forget(void);

/*
 * Restores signals, limits and scheduling as they were before inherited_reset(), between fork and
 * exec of a program that should get the state of rssck's own parent.
 */
void inherited_restore(void);

#endif
