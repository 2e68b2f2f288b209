// SPDX-License-Identifier: MIT
/*
 * Files of the kernel that hold a number, or a field with one, and those that are set.
 */
#include "agent.h"
#include "base/number.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Behind the field's name in its line: "anon 4096", "VmLck:\t 8 kB"; NULL: another field's. */
static const char *behind(const char *line, const char *field)
{
	size_t len = field ? strlen(field) : 0;

	if (!field)
		return line;
	if (strncmp(line, field, len) || !strchr(": \t", line[len]))
		return NULL;
	return line + len + strspn(line + len, ": \t");
}

int64_t workload_number(const char *path, const char *field, int64_t missing)
{
	FILE *f = fopen(path, "re");
	int64_t value = missing;
	bool found = false;
	char line[256];

	while (f && !found && fgets(line, sizeof(line), f)) {
		const char *at = behind(line, field);

		found = at && number_count(&at, at + strlen(at), &value) == NUMBER_OK;
	}
	if (f)
		fclose(f);
	return found ? value : missing;
}

bool workload_try_to_set(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), error;
	bool done = fd >= 0 && write(fd, value, strlen(value)) == (ssize_t)strlen(value);

	error = errno;
	if (fd >= 0)
		close(fd);
	errno = error;
	return done;
}

void workload_set(struct workload *w, const char *path, const char *value)
{
	if (!workload_try_to_set(path, value))
		workload_skip(w, "%s: %m", path);
}
