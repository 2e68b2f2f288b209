// SPDX-License-Identifier: MIT
/* Runs a tool on a process, and reads its output. */
#include "base/process/path.h"
#include "base/process/program.h"
#include "screen.h"
#include <limits.h>
#include <rssck/tool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 16, ARGUMENT_MAX = 512, LIMIT_S = 20 };

static bool find(const struct tool *t, char path[PATH_MAX])
{
	const char *name = t->argv[0], *folders = getenv("PATH");

	if (!strcmp(name, "rssck") || !strncmp(name, "rssck-", 6))
		return path_beside(name, path, PATH_MAX);
	return path_find(name, folders ? folders : "/usr/bin:/bin", path, PATH_MAX);
}

static bool say_absent(const struct tool *t, char *why, size_t size)
{
	static const char usual[] = "/usr/bin:/bin:/usr/sbin:/sbin";
	char path[PATH_MAX];

	if (!find(t, path) && path_find(t->argv[0], usual, path, sizeof(path))) {
		snprintf(why, size, "%s is not in $PATH: it is installed as %s", t->name, path);
		return false;
	}
	snprintf(why, size, "%s is not installed (package %s)", t->name, t->package);
	return false;
}

bool tool_is_here(const struct tool *t, char *why, size_t size)
{
	char path[PATH_MAX], real[PATH_MAX];

	if (!find(t, path) || !realpath(path, real))
		return say_absent(t, why, size);
	if (!strstr(strrchr(real, '/'), "busybox") || !strcmp(t->argv[0], "busybox"))
		return true;
	snprintf(why, size, "%s is busybox here, not the program of package %s", t->name,
		 t->package);
	return false;
}

static bool fill_in(const char *argument, pid_t pid, char filled[ARGUMENT_MAX])
{
	const char *place = strstr(argument, "@PID@");
	int n;

	if (!place)
		n = snprintf(filled, ARGUMENT_MAX, "%s", argument);
	else
		n = snprintf(filled, ARGUMENT_MAX, "%.*s%d%s", (int)(place - argument), argument,
			     (int)pid, place + strlen("@PID@"));
	return n < ARGUMENT_MAX;
}

int tool_read(const struct tool *t, pid_t pid, struct tool_values *v, char *why, size_t size)
{
	char path[PATH_MAX], filled[ARGUMENTS_MAX][ARGUMENT_MAX],
		*argv[ARGUMENTS_MAX + 1] = { path };
	struct program p = { .argv = argv,
			     .settings = t->settings,
			     .settings_name = t->settings_name,
			     .terminal = t->terminal,
			     .input = t->terminal ? "q" : NULL,
			     .limit_s = LIMIT_S };
	struct text out = { .data = NULL };
	int error = -1;

	v->nr = 0;
	if (!find(t, path)) {
		say_absent(t, why, size);
		return -1;
	}
	for (size_t i = 1; i < ARGUMENTS_MAX && t->argv[i]; i++) {
		if (!fill_in(t->argv[i], pid, filled[i])) {
			snprintf(why, size, "%s: an argument is longer than %d bytes", t->name,
				 ARGUMENT_MAX);
			return -1;
		}
		argv[i] = filled[i];
	}
	if (program_output(&p, &out, why, size) == 0) {
		if (t->terminal)
			screen_draw(&out);
		error = tool_parse(t, pid, out.data, v, why, size);
	}
	text_free(&out);
	return error;
}

bool tool_can_run(const struct tool *t, char *why, size_t size)
{
	struct tool_values v;
	char said[300];

	if (tool_read(t, getpid(), &v, said, sizeof(said)) == 0)
		return true;
	if (t->absent && strstr(said, t->absent))
		return say_absent(t, why, size);
	snprintf(why, size, "cannot be used here: %s", said);
	return false;
}
