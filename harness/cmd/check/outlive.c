// SPDX-License-Identifier: MIT
/* A child process runs the function, and its parent waits. */
#include "outlive.h"
#include "base/memory.h"
#include "base/process/inherited.h"
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct outlived *ours;

struct outlived *outlived_new(void)
{
	struct outlived *o = mmap(NULL, sizeof(*o), PROT_READ | PROT_WRITE,
				  MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return o == MAP_FAILED ? NULL : o;
}

void outlived_free(struct outlived *o)
{
	if (o)
		munmap(o, sizeof(*o));
}

static void keep_sentence(const char *sentence)
{
	snprintf(ours->why, sizeof(ours->why), "%s", sentence);
}

static _Noreturn void become_run(struct outlived *o, pid_t parent, const sigset_t *before,
				 int (*run)(void *), void *data)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != parent)
		_exit(2);
	sigprocmask(SIG_SETMASK, before, NULL);
	ours = o;
	memory_gone_hook = keep_sentence;
	o->status = run(data);
	o->finished = true;
	exit(o->status);
}

/* Sets the reason, unless there is one already: later events are consequences of the first one. */
__attribute__((format(printf, 2, 3))) static void say(struct outlived *o, const char *format, ...)
{
	va_list args;

	if (o->why[0])
		return;
	va_start(args, format);
	vsnprintf(o->why, sizeof(o->why), format, args);
	va_end(args);
}

static bool has_ended(struct outlived *o, pid_t child)
{
	int status;
	pid_t ended = waitpid(child, &status, WNOHANG);

	/* If a filter forbids wait4(2), the parent must not wait forever. */
	if (ended < 0 && errno != EINTR && errno != ECHILD)
		say(o, "wait4(2): %s", strerror(errno));
	if (ended != child)
		return false;
	/* A sanitizer reports errors at exit, and then changes the exit status. */
	o->finished &= WIFEXITED(status) && WEXITSTATUS(status) == o->status;
	if (o->finished)
		return true;
	if (WIFSIGNALED(status) && !o->signal && !o->why[0])
		o->signal = WTERMSIG(status);
	if (WIFSIGNALED(status))
		say(o, "rssck was killed by signal %d (%s)", WTERMSIG(status),
		    strsignal(WTERMSIG(status)));
	else
		say(o, "rssck ended with status %d", WEXITSTATUS(status));
	return true;
}

/*
 * Kills the child, and waits at most 5 s for its end, because it may be stuck in the kernel. The
 * report is then made without it.
 */
static void kill_run(struct outlived *o, pid_t child)
{
	enum { TRIES = 500, PAUSE_NS = 10000000 };

	kill(child, SIGKILL);
	for (int i = 0; i < TRIES && !has_ended(o, child); i++)
		nanosleep(&(struct timespec) { .tv_nsec = PAUSE_NS }, NULL);
}

/*
 * Waits for the child's end. Counts its own waits of one second, so that time during a suspend or
 * after Ctrl-Z does not count.
 */
static void wait_for_end(struct outlived *o, pid_t child, const sigset_t *signals, unsigned quiet_s)
{
	const struct timespec second = { .tv_sec = 1 };
	unsigned steps = o->steps, quiet = 0;

	while (!has_ended(o, child)) {
		int signal = sigtimedwait(signals, NULL, &second);

		if (signal > 0 && signal != SIGCHLD) {
			o->signal = signal;
			say(o, "rssck was ended by signal %d (%s)", signal, strsignal(signal));
		}
		quiet = o->steps != steps ? 0 : quiet + (signal < 0 && errno == EAGAIN);
		steps = o->steps;
		if (quiet > quiet_s)
			say(o, "rssck hung: no progress in %u s", quiet_s);
		if (!o->why[0])
			continue;
		kill_run(o, child);
		return;
	}
}

const char *outlive_refused(void)
{
	pid_t own = getpid(), parent = getppid();

	/*
	 * The C library does not convert the results of these two calls to errno, because they can
	 * only fail if a filter forbids them.
	 */
	errno = own < 0 ? -own : -parent;
	if (own < 0 || parent < 0)
		return own < 0 ? "getpid(2)" : "getppid(2)";
	return kill(own, 0) < 0 ? "kill(2)" : NULL;
}

bool outlive(struct outlived *o, unsigned quiet_s, int (*run)(void *), void *data)
{
	/*
	 * The signals with which users, terminals, timers and limits end a process. Signals that
	 * report the process's own faults, and most real-time signals, are left out.
	 */
	const int waited[] = { SIGCHLD, SIGINT,    SIGTERM,  SIGHUP,       SIGQUIT, SIGALRM,
			       SIGUSR1, SIGUSR2,   SIGXCPU,  SIGVTALRM,    SIGPROF, SIGIO,
			       SIGPWR,  SIGSTKFLT, SIGRTMIN, SIGRTMIN + 1, SIGRTMAX };
	sigset_t signals, before;
	pid_t parent = getpid(), child;

	sigemptyset(&signals);
	for (size_t i = 0; i < sizeof(waited) / sizeof(*waited); i++)
		if (!inherited_is_ignored(waited[i]))
			sigaddset(&signals, waited[i]);
	sigprocmask(SIG_BLOCK, &signals, &before);
	fflush(NULL);
	child = fork();
	if (child == 0)
		become_run(o, parent, &before, run, data);
	if (child > 0)
		wait_for_end(o, child, &signals, quiet_s);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return child > 0;
}
