// SPDX-License-Identifier: MIT
/* Lets another process take all that there is room for, and end: all must come back. */
#include "agent.h"
#include "room.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum end { BY_EXIT, BY_KILL, BY_EXEC, BY_CHILD, ENDS };

static const char *const names[ENDS] = {
	[BY_EXIT] = "exit",
	[BY_KILL] = "SIGKILL",
	[BY_EXEC] = "execve",
	[BY_CHILD] = "the end of a forked child",
};

/* A process that takes all, says so, and waits for an order. */
struct taker {
	enum end end;
	pid_t pid;
	int channel;
	int program; /* this program, for execve */
};

static void wait_for_order(int channel)
{
	char byte;

	while (read(channel, &byte, 1) < 0 && errno == EINTR)
		;
}

static _Noreturn void end(const struct taker *t)
{
	static char *const arguments[] = { "rssck-workload", "--fresh", NULL };
	static char *const environment[] = { NULL };

	if (t->end == BY_EXEC) {
		dup2(t->channel, CHANNEL_FD);
		syscall(SYS_execveat, t->program, "", arguments, environment, AT_EMPTY_PATH);
	}
	if (t->end == BY_CHILD && !fork())
		wait_for_order(t->channel);
	_exit(0);
}

static _Noreturn void be_taker(const struct taker *t)
{
	int error = 0;

	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	for (int i = 0; i < room_for && !error; i++)
		error = room->take(i) ? 0 : errno;
	if (write(t->channel, &error, sizeof(error)) != sizeof(error))
		_exit(1);
	wait_for_order(t->channel);
	end(t);
}

static bool start(struct taker *t)
{
	int pair[2];

	t->program = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return false;
	t->pid = fork();
	t->channel = pair[!t->pid];
	close(pair[!!t->pid]);
	if (!t->pid)
		be_taker(t);
	return t->pid > 0;
}

static void let_end(const struct taker *t)
{
	char byte;

	if (t->end == BY_KILL)
		kill(t->pid, SIGKILL);
	else if (write(t->channel, "", 1) != 1)
		return;
	if (t->end == BY_EXEC) /* the new program writes; none is there if execve is refused */
		byte = read(t->channel, &byte, 1) == 1;
	else
		waitpid(t->pid, NULL, 0);
}

static void reap(const struct taker *t)
{
	close(t->channel);
	if (t->end == BY_EXEC)
		waitpid(t->pid, NULL, 0);
	if (t->program >= 0)
		close(t->program);
}

static int try_end(enum end way)
{
	struct taker t = { .end = way };
	int error = 0, result;

	if (!start(&t))
		return workload_say(IMPOSSIBLE, "a process: %m");
	if (read(t.channel, &error, sizeof(error)) != sizeof(error) || error)
		return workload_say(WRONG, "another process cannot take all: %s", strerror(error));
	result = room_must_be_full();
	let_end(&t);
	if (way == BY_CHILD) {
		if (!result && room->lasts == LASTS_INHERITED)
			result = room_must_be_full();
		reap(&t);
	}
	if (!result)
		result = room_must_be_empty(names[way]);
	if (way != BY_CHILD)
		reap(&t);
	return result;
}

int room_try_ends(void)
{
	int result = FINE;

	if (room->lasts == LASTS)
		return FINE;
	for (enum end way = 0; way < ENDS && !result; way++)
		if (way != BY_CHILD || room->lasts != LASTS_ALONE)
			result = try_end(way);
	return result;
}
