// SPDX-License-Identifier: MIT
#include "kernel_file.h"
#include "list.h"
#include "number.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/*
 * Returns the text after the field's name in a line such as "anon 4096" or "VmLck:\t 8 kB"; NULL if
 * the line belongs to another field.
 */
static const char *behind(const char *line, const char *field)
{
	size_t len = field ? strlen(field) : 0;

	if (!field)
		return line;
	if (strncmp(line, field, len) || !strchr(": \t", line[len]))
		return NULL;
	return line + len + strspn(line + len, ": \t");
}

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

void kernel_numbers(const char *path, struct numbered *of, size_t nr)
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

int64_t kernel_number(const char *path, const char *field, int64_t missing)
{
	struct numbered n = { .field = field, .value = missing };

	kernel_numbers(path, &n, 1);
	return n.value;
}

int64_t kernel_number_in(const char *text, const char *field, int64_t missing)
{
	struct numbered n = { .field = field, .value = missing };

	for (; *text && !take(text, &n); text += *text == '\n')
		text += strcspn(text, "\n");
	return n.value;
}

bool kernel_set(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), error;
	bool done = fd >= 0 && write(fd, value, strlen(value)) == (ssize_t)strlen(value);

	error = errno;
	if (fd >= 0)
		close(fd);
	errno = error;
	return done;
}

bool kernel_option_has(char *line, const char *option, const char *values)
{
	size_t len = strlen(option);
	char *word, *one;

	while ((word = strsep(&line, " \n"))) {
		if (strncmp(word, option, len) || word[len] != '=')
			continue;
		word += len + 1;
		while ((one = strsep(&word, ",")))
			if (list_has(values, ",", one))
				return true;
	}
	return false;
}

/* The lines are "9:cpuset,memory:/name" for cgroup v1 and "0::/name" for cgroup v2. */
bool kernel_cgroup(const char *controller, char *name, size_t size)
{
	FILE *f = fopen("/proc/self/cgroup", "re");
	char line[512], *controllers, *path;
	bool found = false;

	while (f && !found && fgets(line, sizeof(line), f)) {
		controllers = strchr(line, ':');
		path = controllers ? strchr(++controllers, ':') : NULL;
		if (!path)
			continue;
		*path++ = '\0';
		found = controller ? list_has(controllers, ",", controller) : !*controllers;
		snprintf(name, size, "%.*s", (int)strcspn(path, "\n"), path);
	}
	if (f)
		fclose(f);
	return found;
}

bool kernel_swap(char *area, size_t size)
{
	FILE *f = fopen("/proc/swaps", "re");
	char line[512] = "";
	bool found = f && fgets(line, sizeof(line), f) && fgets(line, sizeof(line), f);

	snprintf(area, size, "%.*s", (int)strcspn(line, " \t\n"), found ? line : "");
	if (f)
		fclose(f);
	return found;
}
