// SPDX-License-Identifier: MIT
/* Who a process is. */
#include "process.h"
#include <stdio.h>
#include <string.h>

enum { PF_KTHREAD = 0x00200000 }; /* include/linux/sched.h, in the flags of stat since 2.6.39 */

/* What follows "Key:" and its blanks in status, up to the end of the line; NULL where it is not. */
static const char *status_field(const char *status, const char *key)
{
	size_t len = strlen(key);

	for (const char *line = status; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, key, len) && line[len] == ':')
			return line + len + 1 + strspn(line + len + 1, "\t ");
	}
	return NULL;
}

static bool read_status(struct identity *who, const char *status)
{
	const char *name = status_field(status, "Name"), *uid = status_field(status, "Uid");
	size_t len = name ? strcspn(name, "\n") : 0;

	if (!name || !uid || sscanf(uid, "%*u %u", &who->uid) != 1)
		return false;
	snprintf(who->name, sizeof(who->name), "%.*s", (int)len, name);
	return true;
}

int identity_read(struct identity *who, const char *stat, const char *status)
{
	/* The name in stat may hold a ')', so the fields are counted from the last one. */
	const char *rest = strrchr(stat, ')');
	unsigned long flags;
	unsigned long long started;
	char state;

	if (!rest || sscanf(stat, "%d", &who->pid) != 1 ||
	    sscanf(rest,
		   ") %c %*d %*d %*d %*d %*d %lu %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %u %*d %llu",
		   &state, &flags, &who->threads, &started) != 4 ||
	    !read_status(who, status))
		return -1;
	who->started = started;
	who->kernel_thread = flags & PF_KTHREAD;
	who->zombie = state == 'Z' || state == 'X';
	return 0;
}
