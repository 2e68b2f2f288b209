// SPDX-License-Identifier: MIT
/* Reads the name, the user and the threads of a process. */
#include "names.h"
#include "process.h"
#include <elf.h>
#include <stdio.h>
#include <string.h>

/* a flag of stat's field `flags`; include/linux/sched.h */
enum { PF_KTHREAD = 0x00200000 };

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

unsigned identity_bits(pid_t pid)
{
	unsigned char head[EI_CLASS + 1];
	char path[32];
	FILE *f;
	bool elf;

	snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
	f = fopen(path, "re");
	if (!f)
		return 0;
	elf = fread(head, sizeof(head), 1, f) == 1 && !memcmp(head, ELFMAG, SELFMAG);
	fclose(f);
	if (!elf)
		return 0;
	return head[EI_CLASS] == ELFCLASS32 ? 32 : head[EI_CLASS] == ELFCLASS64 ? 64 : 0;
}

static int read_status(struct identity *who, const char *status)
{
	const char *name = status_field(status, "Name"), *uid = status_field(status, "Uid");
	const char *state = status_field(status, "State"), *pid = status_field(status, "Pid");
	const char *threads = status_field(status, "Threads");
	const char *leader = status_field(status, "Tgid");
	size_t len = name ? strcspn(name, "\n") : 0;

	if (!name || !uid || !state || !pid || !threads ||
	    sscanf(leader ? leader : pid, "%d", &who->pid) != 1 ||
	    sscanf(uid, "%*u %u", &who->uid) != 1 || sscanf(threads, "%u", &who->threads) != 1)
		return -1;
	snprintf(who->name, sizeof(who->name), "%.*s", (int)len, name);
	name_of_status(who->name);
	who->zombie = *state == 'Z' || *state == 'X';
	return 0;
}

int identity_read(struct identity *who, const char *stat, const char *status)
{
	/* The name in stat may contain a ')', so the last one ends it. */
	const char *rest = stat ? strrchr(stat, ')') : NULL;
	unsigned long flags;
	unsigned long long started;

	if (read_status(who, status))
		return -1;
	if (!stat)
		return 0;
	if (!rest ||
	    sscanf(rest,
		   ") %*c %*d %*d %*d %*d %*d %lu %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*u %*d %llu",
		   &flags, &started) != 2)
		return -1;
	who->started = started;
	who->kernel_thread = flags & PF_KTHREAD;
	return 0;
}
