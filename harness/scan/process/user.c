// SPDX-License-Identifier: MIT
/* Looks up names of users. */
#include "user.h"
#include <pwd.h>
#include <stdio.h>

const char *user_name(uid_t uid, char *buf, size_t size)
{
	struct passwd entry, *found = NULL;
	char space[4096];

	if (getpwuid_r(uid, &entry, space, sizeof(space), &found) == 0 && found)
		snprintf(buf, size, "%s", found->pw_name);
	else
		snprintf(buf, size, "%u", uid);
	return buf;
}
