// SPDX-License-Identifier: MIT
/* Names of users. */
#ifndef RSSCK_SCAN_USER_H
#define RSSCK_SCAN_USER_H

#include <stddef.h>
#include <sys/types.h>

/* Writes the name of a user, or the number if it has no name, into buf; returns buf. */
const char *user_name(uid_t uid, char *buf, size_t size);

#endif
