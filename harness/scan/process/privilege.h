// SPDX-License-Identifier: MIT
#ifndef RSSCK_SCAN_PRIVILEGE_H
#define RSSCK_SCAN_PRIVILEGE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* A clause: why we may not see the page tables of another user's process, and who may. */
const char *privilege_missing(void);

/*
 * How /proc hides other users' processes from us ("hidepid=invisible"); NULL if it does not, or
 * if we may see them.
 */
const char *privilege_hidepid(void);

/* True if a process with that number exists, though /proc may not show it. */
bool process_exists(pid_t pid);

/*
 * From text: status_has_capability(): true if that capability is among the effective ones
 * in a /proc/PID/status. mountinfo_hidepid(): the hidepid option of the proc mounted on
 * /proc, "" for none.
 */
bool status_has_capability(const char *status, unsigned capability);
void mountinfo_hidepid(const char *mountinfo, char *option, size_t size);

#endif
