// SPDX-License-Identifier: MIT
#ifndef RSSCK_INHERITED_H
#define RSSCK_INHERITED_H

#include <stdbool.h>

/*
 * Resets the state that a parent may have left: opens descriptors 0 to 2, unblocks all signals,
 * restores the default for SIGCHLD, ignores SIGXFSZ (a write beyond RLIMIT_FSIZE then fails with
 * EFBIG), raises limits (limits_raise()), enables the time stamp counter, and sets the normal
 * scheduling policy.
 */
void inherited_reset(void);

/* True if stdout was closed before inherited_reset(): output is lost. */
bool inherited_stdout_is_closed(void);

/* True for a signal that is ignored, for example because the parent ignored it, as nohup(1) does.
 */
bool inherited_is_ignored(int sig);

/*
 * Resets the state for one of rssck's own programs, between fork and exec: default signals except
 * SIGXFSZ and those of a terminal, which stay ignored, no blocked signals, and a umask that keeps
 * new files private.
 */
void inherited_forget(void);

/*
 * Restores the signals, limits and scheduling policy that inherited_reset() changed. Call it
 * between fork and exec of a program that should inherit the state of rssck's parent.
 */
void inherited_restore(void);

#endif
