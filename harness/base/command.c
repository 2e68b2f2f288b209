// SPDX-License-Identifier: MIT
/*
 * Runs a program and takes what it prints.
 */
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int command_find(const char *name, char *path, size_t size)
{
	const char *folders = getenv("PATH");
	char all[8192], *save = NULL;

	if (strchr(name, '/')) {
		snprintf(path, size, "%s", name);
		return access(path, X_OK);
	}
	snprintf(all, sizeof(all), "%s:/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin:/usr/libexec",
		 folders ? folders : "");
	for (char *folder = strtok_r(all, ":", &save); folder;
	     folder = strtok_r(NULL, ":", &save)) {
		snprintf(path, size, "%s/%s", folder, name);
		if (!access(path, X_OK))
			return 0;
	}
	return -1;
}

/* The child: stdout and stderr go into the pipe, and signals that the caller has blocked work. */
static void __attribute__((noreturn)) child_exec(char *const argv[], int out)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(out, STDOUT_FILENO);
	dup2(out, STDERR_FILENO);
	execv(argv[0], argv);
	dprintf(STDERR_FILENO, "%s", strerror(errno));
	_exit(127);
}

static char *read_all(int fd)
{
	char *text = NULL, *more;
	size_t used = 0, room = 0;
	ssize_t got = 0;

	do {
		used += got;
		if (used + 1 >= room) {
			room = room ? 2 * room : 4096;
			more = realloc(text, room);
			if (!more)
				break;
			text = more;
		}
		got = read(fd, text + used, room - used - 1);
	} while (got > 0 || (got < 0 && errno == EINTR && !(got = 0)));
	if (text)
		text[used] = '\0';
	return text;
}

char *command_output(char *const argv[], char *why, size_t size)
{
	int pipes[2], status = -1;
	char *text;
	pid_t pid;

	if (pipe2(pipes, O_CLOEXEC) || (pid = fork()) < 0) {
		snprintf(why, size, "%s: cannot be run: %s", argv[0], strerror(errno));
		return NULL;
	}
	if (!pid)
		child_exec(argv, pipes[1]);
	close(pipes[1]);
	text = read_all(pipes[0]);
	close(pipes[0]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (text && !status)
		return text;
	snprintf(why, size, "%s: failed (wait status %#x): %.500s", argv[0], status,
		 text ? text : "no memory");
	free(text);
	return NULL;
}
