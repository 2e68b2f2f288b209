// SPDX-License-Identifier: MIT
#ifndef RSSCK_SCAN_PRIVILEGE_H
#define RSSCK_SCAN_PRIVILEGE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Returns a clause that says why rssck may not read the page tables of another user's process, and
 * who may.
 */
const char *privilege_missing(void);

/*
 * Returns how /proc hides other users' processes ("hidepid=invisible"). Returns NULL if it does
 * not, or if rssck may see them.
 */
const char *privilege_hidepid(void);

/* True if a process with that PID exists, even if /proc does not show it. */
bool process_exists(pid_t pid);

/*
 * status_has_capability(): true if the text of /proc/PID/status has that capability among the
 * effective ones. mountinfo_hidepid(): writes the hidepid option of /proc, or "", from the text of
 * mountinfo.
 */
bool status_has_capability(const char *status, unsigned capability);
void mountinfo_hidepid(const char *mountinfo, char *option, size_t size);

#endif
