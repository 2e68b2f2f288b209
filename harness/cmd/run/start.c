// SPDX-License-Identifier: MIT
/* Starts the command as whoever started us would have. */
#include "base/process/inherited.h"
#include "run.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* A file of /proc leads to our end of the pipe, so that nothing is left of it. */
static void name_mark(int fd)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)getpid(), fd);
	setenv("RSSCK_MARK", path, 1);
}

static _Noreturn void become(char **command, int told)
{
	int error;

	inherited_give_back();
	execvp(command[0], command);
	error = errno;
	if (write(told, &error, sizeof(error)) < 0)
		error = ENOENT;
	_exit(error == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_RUN);
}

int run_start(struct started *s, char **command)
{
	int told[2], mark[2] = { -1, -1 }, error = 0;

	*s = (struct started) { .mark = -1 };
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) || pipe2(told, O_CLOEXEC))
		return trouble("run: %s", strerror(errno));
	/* Read and written by us, so that it has no end when a writer closes it. */
	if (pipe2(mark, O_CLOEXEC | O_NONBLOCK) == 0)
		name_mark(mark[1]);
	s->mark = mark[0];
	s->pid = fork();
	if (s->pid == 0)
		become(command, told[1]);
	close(told[1]);
	if (s->pid < 0)
		error = errno;
	else if (read(told[0], &error, sizeof(error)) == (ssize_t)sizeof(error))
		waitpid(s->pid, NULL, 0);
	close(told[0]);
	if (!error)
		return 0;
	trouble("run: %s: %s", command[0], strerror(error));
	if (s->pid < 0)
		return EXIT_TROUBLE;
	return error == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_RUN;
}
