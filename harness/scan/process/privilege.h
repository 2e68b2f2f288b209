// SPDX-License-Identifier: MIT
#ifndef RSSCK_SCAN_PRIVILEGE_H
#define RSSCK_SCAN_PRIVILEGE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* A clause: why we may not see the page tables of another user's process, and who may. */
const char *privilege_missing(void);

/*
 * How /proc hides from us the processes of others ("hidepid=invisible"); NULL where it does not,
 * or where we are among those who see them.
 */
const char *privilege_hidepid(void);

/* True if there is a process of that number, though /proc may not show it. */
bool process_exists(pid_t pid);

/*
 * From text: is the capability of that number among the effective ones of a
 * /proc/PID/status; the hidepid option of the proc on /proc in a mountinfo, "" for none.
 */
bool status_has_capability(const char *status, unsigned capability);
void mountinfo_hidepid(const char *mountinfo, char *option, size_t size);

#endif
