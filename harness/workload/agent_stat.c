// SPDX-License-Identifier: MIT
/*
 * One number of /proc/.../stat, for what a process tells of itself.
 */
#include "agent.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int64_t workload_stat(struct workload *w, const char *task, unsigned field)
{
	char path[80], line[1024] = "";
	const char *at;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%s/stat", task);
	f = fopen(path, "re");
	if (!f || !fgets(line, sizeof(line), f))
		workload_die(w, "%s: %m", path);
	fclose(f);
	/* The second field may hold anything, spaces and brackets, too. */
	at = strrchr(line, ')');
	for (unsigned i = 2; at && i < field; i++)
		at = strchr(at + 1, ' ');
	if (!at)
		workload_die(w, "%s has no field %u", path, field);
	return strtoll(at, NULL, 10);
}
