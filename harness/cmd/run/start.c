// SPDX-License-Identifier: MIT
/* Starts the command with the environment and the signals with which rssck was started. */
#include "base/process/inherited.h"
#include "run.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* $RSSCK_MARK is the path of the pipe's write end, below /proc, so no file is left behind. */
static void name_mark(int fd)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)getpid(), fd);
	setenv("RSSCK_MARK", path, 1);
}

/* The pipes between rssck and the child. */
struct talk {
	int failed[2]; /* carries the errno of exec(2); no data: exec(2) succeeded */
	int go[2];     /* rssck closes it when the child may continue */
};

static _Noreturn void become(char **command, const struct talk *talk)
{
	int error;

	close(talk->go[1]);
	if (read(talk->go[0], &error, sizeof(error)) < 0)
		_exit(EXIT_NOT_RUN);
	inherited_restore();
	execvp(command[0], command);
	error = errno;
	if (write(talk->failed[1], &error, sizeof(error)) < 0)
		error = ENOENT;
	_exit(error == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_RUN);
}

static int cannot_trace(pid_t pid)
{
	trouble("run: --exits: cannot trace the command: %s; omit --exits", strerror(errno));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return EXIT_TROUBLE;
}

int run_start(struct started *s, char **command, bool traced, struct group *g)
{
	int mark[2] = { -1, -1 }, error = 0;
	struct talk talk;

	*s = (struct started) { .mark = -1 };
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) || pipe2(talk.failed, O_CLOEXEC) ||
	    pipe2(talk.go, O_CLOEXEC))
		return trouble("run: %s", strerror(errno));
	/* rssck keeps both ends open, so that the pipe does not end when a writer closes it. */
	if (pipe2(mark, O_CLOEXEC | O_NONBLOCK) == 0)
		name_mark(mark[1]);
	s->mark = mark[0];
	s->pid = fork();
	if (s->pid == 0)
		become(command, &talk);
	error = s->pid < 0 ? errno : 0;
	close(talk.failed[1]);
	close(talk.go[0]);
	if (!error && g->path[0])
		group_enter(g, s->pid);
	if (!error && traced && tree_trace(s->pid))
		return cannot_trace(s->pid);
	close(talk.go[1]);
	if (!error && read(talk.failed[0], &error, sizeof(error)) == (ssize_t)sizeof(error))
		waitpid(s->pid, NULL, 0);
	close(talk.failed[0]);
	if (!error)
		return 0;
	trouble("run: %s: %s", command[0], strerror(error));
	if (s->pid < 0)
		return EXIT_TROUBLE;
	return error == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_RUN;
}
