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

/* True if the line is that of a field which is still looked for. */
static bool take(const char *line, struct numbered *n)
{
	const char *at = n->found ? NULL : behind(line, n->field);
	int64_t value;

	if (!at || number_count(&at, at + strlen(at), &value) != NUMBER_OK)
		return false;
	n->value = value;
	n->found = true;
	return true;
}

void agent_numbers(const char *path, struct numbered *of, size_t nr)
{
	FILE *f = fopen(path, "re");
	size_t missing = nr;
	char line[256];

	while (f && missing && fgets(line, sizeof(line), f))
		for (size_t i = 0; i < nr; i++)
			missing -= take(line, &of[i]);
	if (f)
		fclose(f);
}

int64_t workload_number(const char *path, const char *field, int64_t missing)
{
	struct numbered n = { .field = field, .value = missing };

	agent_numbers(path, &n, 1);
	return n.value;
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

int workload_open(struct workload *w, const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC);

	if (fd < 0)
		workload_skip(w, "%s: %m", path);
	return fd;
}
