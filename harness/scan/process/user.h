// SPDX-License-Identifier: MIT
/* Looks up names of users. */
#ifndef RSSCK_SCAN_USER_H
#define RSSCK_SCAN_USER_H

#include <stddef.h>
#include <sys/types.h>

/* Writes the name of a user into buf, or its number if it has no name. Returns buf. */
const char *user_name(uid_t uid, char *buf, size_t size);

#endif
