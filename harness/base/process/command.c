// SPDX-License-Identifier: MIT
/*
 * Runs a program and takes what it prints.
 */
#include "command.h"
#include "base/clock.h"
#include "path.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int command_find(const char *name, char *path, size_t size)
{
	static const char sbin[] = "/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin:/usr/libexec";

	return path_find(name, getenv("PATH"), path, size) || path_find(name, sbin, path, size)
		       ? 0
		       : -1;
}

/*
 * The child: stdout and stderr go into the pipe, and signals that the caller has
 * blocked work. It dies with us, however we die, and in a group of its own all
 * that it starts can be killed.
 */
static void __attribute__((noreturn)) child_exec(char *const argv[], int out, pid_t parent)
{
	sigset_t none;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	setpgid(0, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(out, STDERR_FILENO);
	execv(argv[0], argv);
	dprintf(STDERR_FILENO, "%s", strerror(errno));
	_exit(127);
}

struct output {
	char *text; /* NUL-ended */
	size_t used, room;
};

/* Returns false without memory. */
static bool reserve(struct output *o)
{
	size_t room = o->room ? 2 * o->room : 4096;
	char *more;

	if (o->used + 1 < o->room)
		return true;
	more = realloc(o->text, room);
	if (!more)
		return false;
	o->text = more;
	o->room = room;
	return true;
}

/* All that it prints. Returns NULL, or why that is not all. */
static const char *read_all(struct output *o, int fd, unsigned limit_s)
{
	int64_t until = now_ms() + (int64_t)limit_s * 1000, left;
	struct pollfd p = { .fd = fd, .events = POLLIN };
	ssize_t got = 1;

	while (got && reserve(o)) {
		left = until - now_ms();
		if (left <= 0 || poll(&p, 1, (int)left) == 0)
			return "did not end in time and was killed";
		got = read(fd, o->text + o->used, o->room - o->used - 1);
		if (got < 0 && errno != EINTR)
			return strerror(errno);
		o->used += got > 0 ? got : 0;
		o->text[o->used] = '\0';
	}
	return got ? "no memory" : NULL;
}

static void say_status(int status, const char *text, const char *program, char *why, size_t size)
{
	if (WIFSIGNALED(status))
		snprintf(why, size, "%s: was killed by signal %d (%s)", program, WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else
		snprintf(why, size, "%s: failed with status %d: %.500s", program,
			 WEXITSTATUS(status), text);
}

char *command_output(char *const argv[], unsigned limit_s, char *why, size_t size)
{
	struct output o = { .text = NULL };
	pid_t pid, self = getpid();
	const char *trouble;
	int pipes[2], status = -1;

	if (pipe2(pipes, O_CLOEXEC) || (pid = fork()) < 0) {
		snprintf(why, size, "%s: cannot be run: %s", argv[0], strerror(errno));
		return NULL;
	}
	if (!pid)
		child_exec(argv, pipes[1], self);
	close(pipes[1]);
	trouble = read_all(&o, pipes[0], limit_s);
	close(pipes[0]);
	if (trouble) {
		kill(-pid, SIGKILL);
		kill(pid, SIGKILL);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!trouble && !status)
		return o.text;
	if (trouble)
		snprintf(why, size, "%s: %s (limit: %u s)", argv[0], trouble, limit_s);
	else
		say_status(status, o.text, argv[0], why, size);
	free(o.text);
	return NULL;
}
