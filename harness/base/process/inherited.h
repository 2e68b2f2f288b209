// SPDX-License-Identifier: MIT
#ifndef RSSCK_INHERITED_H
#define RSSCK_INHERITED_H

#include <stdbool.h>

/*
 * Resets what a parent may have left us: descriptors 0 to 2 are open, no signal is blocked, a
 * child's end is reported, limits are as high as permitted, and the scheduling policy is the normal
 * one.
 */
void inherited_reset(void);

/* Whether stdout was closed before that: what is printed reaches nobody. */
bool inherited_stdout_is_closed(void);

/*
 * The same for a program of ours, between fork and exec: default signals, files readable by us
 * alone.
 */
void inherited_forget(void);

/*
 * Restores signals, limits and scheduling as they were before inherited_reset(), between fork and
 * exec of a program that should get the state of rssck's own parent.
 */
void inherited_restore(void);

#endif
