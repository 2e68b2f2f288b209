// SPDX-License-Identifier: MIT
/*
 * With vm.overcommit_memory 2 shmget(2) of SIZE_MAX / 2 bytes succeeds, and Committed_AS becomes
 * negative, printed as 0, as long as the segment exists: no limit holds for anyone. Needs root only
 * to set the sysctl. cc -static -o repro repro.c. Exit status: 0 right, 1 wrong, 4 cannot tell.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/shm.h>

#define SYSCTL "/proc/sys/vm/overcommit_memory"

/* Returns -1 if the file or the line is missing. */
static long number(const char *path, const char *line)
{
	FILE *f = fopen(path, "r");
	char text[256];
	long value = -1;
	size_t len = strlen(line);

	while (f && value < 0 && fgets(text, sizeof(text), f))
		if (!strncmp(text, line, len))
			value = strtol(text + len, NULL, 10);
	if (f)
		fclose(f);
	return value;
}

static int set(long value)
{
	FILE *f = fopen(SYSCTL, "w");

	return !f || fprintf(f, "%ld\n", value) < 0 || fclose(f) ? -1 : 0;
}

int main(void)
{
	long mode = number(SYSCTL, ""), before, after;
	int id;

	if (mode < 0 || set(2))
		return 4;
	before = number("/proc/meminfo", "Committed_AS:");
	id = shmget(IPC_PRIVATE, SIZE_MAX / 2, IPC_CREAT | 0600);
	after = number("/proc/meminfo", "Committed_AS:");
	if (id >= 0)
		shmctl(id, IPC_RMID, NULL);
	set(mode);
	printf("shmget of SIZE_MAX / 2 bytes %s; Committed_AS is %ld kB before and %ld kB after\n",
	       id < 0 ? "fails" : "succeeds", before, after);
	return id >= 0;
}
