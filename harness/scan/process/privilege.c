// SPDX-License-Identifier: MIT
/*
 * Explains why rssck may not read another user's process: a privilege is missing (ptrace(2),
 * "Ptrace access mode checking"), or /proc is mounted with hidepid (proc(5)).
 */
#include "privilege.h"
#include <errno.h>
#include <rssck/source.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* include/uapi/linux/capability.h */
enum { CAPABILITY_PTRACE = 19 };

bool status_has_capability(const char *status, unsigned capability)
{
	const char *line = strstr(status, "\nCapEff:");

	return line && strtoull(line + strlen("\nCapEff:"), NULL, 16) >> capability & 1;
}

void mountinfo_hidepid(const char *mountinfo, char *option, size_t size)
{
	const char *at, *end, *line = NULL;

	*option = '\0';
	/* Only the last mount on /proc is visible. */
	for (at = mountinfo; (at = strstr(at, " /proc ")); at++)
		line = at;
	if (!line || !(at = strstr(line, " - proc ")))
		return;
	end = at + strcspn(at, "\n");
	at = strstr(at, "hidepid=");
	if (!at || at > end || !strncmp(at, "hidepid=off", 11) || !strncmp(at, "hidepid=0", 9))
		return;
	snprintf(option, size, "%.*s", (int)strcspn(at, ", \n"), at);
}

static bool may_trace(void)
{
	struct text t = { .data = NULL };
	bool may = text_read(&t, 0, "/proc/self/status") == 0 &&
		   status_has_capability(t.data, CAPABILITY_PTRACE);

	text_free(&t);
	return may;
}

/* If /proc hides other users' processes from rssck, /proc/1 cannot be read. */
const char *privilege_hidepid(void)
{
	static char option[32];
	struct text t = { .data = NULL };

	option[0] = '\0';
	if (access("/proc/1/status", R_OK) && text_read(&t, 0, "/proc/self/mountinfo") == 0)
		mountinfo_hidepid(t.data, option, sizeof(option));
	text_free(&t);
	return option[0] ? option : NULL;
}

const char *privilege_missing(void)
{
	static char clause[200];
	const char *hidepid = privilege_hidepid();
	int n;

	n = snprintf(
		clause, sizeof(clause),
		"page tables are shown only to the process's own user and with CAP_SYS_PTRACE, which "
		"%s",
		may_trace() ? "rssck has: a security module or another user namespace forbids it"
		: geteuid() == 0 ? "this root lacks (a container, a service)"
				 : "root has");
	if (hidepid && n > 0 && (size_t)n < sizeof(clause))
		snprintf(clause + n, sizeof(clause) - (size_t)n, "; /proc is mounted with %s",
			 hidepid);
	return clause;
}

bool process_exists(pid_t pid)
{
	return kill(pid, 0) == 0 || errno == EPERM;
}
