// SPDX-License-Identifier: MIT
#ifndef RSSCK_INHERITED_H
#define RSSCK_INHERITED_H

#include <stdbool.h>

/*
 * Undo what a parent may have left us: descriptors 0 to 2 are open,
 * no signal is blocked, a child's end is reported, limits are as high as they may be,
 * and the scheduler treats us like everybody else.
 */
void inherited_reset(void);

/* Whether stdout was closed before that: what is printed reaches nobody. */
bool inherited_stdout_is_closed(void);

/* The same for a program of ours, between fork and exec: signals as at first, files for us alone.
 */
void inherited_forget(void);

/*
 * Signals, limits and scheduling as they were before inherited_reset(), between fork and exec of a
 * program that is to find what whoever started us has left for it.
 */
void inherited_restore(void);

#endif
