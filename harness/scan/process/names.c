// SPDX-License-Identifier: MIT
/* Undoes the kernel's escapes in names. */
#include "names.h"
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char newline[] = "\\012";

void name_of_status(char *name)
{
	char *to = name;

	for (const char *from = name; *from; from++) {
		if (from[0] == '\\' && (from[1] == 'n' || from[1] == '\\'))
			*to++ = *++from == 'n' ? '\n' : '\\';
		else
			*to++ = *from;
	}
	*to = '\0';
}

static void take_newlines(char *name)
{
	char *to = name;

	for (const char *from = name; *from; from++) {
		bool is_one = !strncmp(from, newline, sizeof(newline) - 1);

		*to++ = is_one ? '\n' : *from;
		from += is_one ? sizeof(newline) - 2 : 0;
	}
	*to = '\0';
}

void name_of_mapping(char *name, pid_t pid, uint64_t start, uint64_t end)
{
	char path[80], is[PATH_MAX];
	ssize_t n;

	if (!strstr(name, newline))
		return;
	snprintf(path, sizeof(path), "/proc/%d/map_files/%llx-%llx", (int)pid,
		 (unsigned long long)start, (unsigned long long)end);
	n = readlink(path, is, sizeof(is));
	/* A longer name belongs to another file that was mapped there meanwhile. */
	if (n <= 0 || (size_t)n > strlen(name))
		take_newlines(name);
	else
		*(char *)mempcpy(name, is, (size_t)n) = '\0';
}
