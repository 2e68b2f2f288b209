// SPDX-License-Identifier: MIT
/*
 * Runs a program as the child of a guard process. The guard kills the program when rssck's end of a
 * socket closes, which happens however rssck ends.
 */
#include "program.h"
#include "base/clock.h"
#include "inherited.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { OUTPUT_MAX = 4 * 1024 * 1024 };

/* A memfd has no name, so no file is left behind. */
static int input_open(const char *input)
{
	int fd = input ? memfd_create("rssck-input", MFD_CLOEXEC) : -1;
	size_t len = input ? strlen(input) : 0;

	if (fd < 0 || write(fd, input, len) != (ssize_t)len || lseek(fd, 0, SEEK_SET))
		return open("/dev/null", O_RDONLY | O_CLOEXEC);
	return fd;
}

static _Noreturn void become_program(const struct program *p, const char *home, int out)
{
	char path[HOME_MAX + 8], variable[HOME_MAX + 8];
	const char *folders = getenv("PATH");
	char *const environment[] = { path,
				      variable,
				      "LC_ALL=C",
				      p->terminal ? "TERM=vt100" : "TERM=dumb",
				      p->terminal ? NULL : "COLUMNS=512",
				      "LINES=1000",
				      NULL };

	snprintf(path, sizeof(path), "PATH=%.*s", HOME_MAX, folders ? folders : "/usr/bin:/bin");
	snprintf(variable, sizeof(variable), "HOME=%s", home);
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (p->terminal) {
		/* setsid() gives the program its own session, and so its own process group. */
		setsid();
		ioctl(out, TIOCSCTTY, 0);
		dup2(out, STDIN_FILENO);
	} else {
		setpgid(0, 0);
		dup2(input_open(p->input), STDIN_FILENO);
	}
	dup2(out, STDOUT_FILENO);
	dup2(out, STDERR_FILENO);
	execve(p->argv[0], p->argv, p->inherits ? environ : environment);
	dprintf(STDERR_FILENO, "%s: %s\n", p->argv[0], strerror(errno));
	_exit(127);
}

/* If the child has ended, *status is a status as of wait(2). */
static bool has_ended(pid_t child, int *status)
{
	siginfo_t end = { .si_pid = 0 };

	/*
	 * WNOWAIT leaves the child unreaped: its PID must not be reused before its process group is
	 * killed.
	 */
	if (waitid(P_PID, (id_t)child, &end, WEXITED | WNOWAIT | WNOHANG) < 0 || !end.si_pid)
		return false;
	*status = end.si_code == CLD_EXITED ? end.si_status << 8 : end.si_status;
	return true;
}

/*
 * Waits until the other end of `alive` closes. If the child ends before that, sends its status
 * there.
 */
static void watch(pid_t child, int alive, int child_signals)
{
	struct pollfd p[] = { { .fd = alive, .events = POLLIN },
			      { .fd = child_signals, .events = POLLIN } };
	struct signalfd_siginfo taken;
	int status;

	while (p[0].revents == 0) {
		if (poll(p, 2, -1) < 0 || p[1].revents == 0)
			continue;
		if (read(child_signals, &taken, sizeof(taken)) < 0 || !has_ended(child, &status))
			continue;
		send(alive, &status, sizeof(status), MSG_NOSIGNAL);
	}
}

/* The guard has its own process group because Ctrl-C is meant for rssck only. */
static _Noreturn void become_guard(const struct program *p, int out, int alive)
{
	char home[HOME_MAX];
	sigset_t ends, none;
	pid_t child = -1;

	setpgid(0, 0);
	inherited_forget();
	sigemptyset(&none);
	sigemptyset(&ends);
	sigaddset(&ends, SIGCHLD);
	sigprocmask(SIG_SETMASK, &ends, NULL);
	if (!home_make(p, home))
		dprintf(out, "%s: %s\n", home, strerror(errno));
	else
		child = fork();
	if (child == 0) {
		sigprocmask(SIG_SETMASK, &none, NULL);
		become_program(p, home, out);
	}
	close(out);
	if (child > 0) {
		setpgid(child, child);
		watch(child, alive, signalfd(-1, &ends, SFD_CLOEXEC));
		kill(-child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	home_remove(p, home);
	_exit(0);
}

/* Reads more output into *out. Returns 1 if more may follow, 0 at the end, or a negative errno. */
static int take_more(int fd, struct text *out, int64_t until)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	int64_t left = until - now_ms();
	ssize_t n;

	if (out->capacity - out->len < 4096) {
		size_t capacity = out->capacity ? 2 * out->capacity : 64 * 1024;
		char *data = capacity > OUTPUT_MAX ? NULL : realloc(out->data, capacity);

		if (!data)
			return -EFBIG;
		out->data = data;
		out->capacity = capacity;
	}
	if (left <= 0 || poll(&poll_fd, 1, (int)left) == 0)
		return -ETIMEDOUT;
	n = read(fd, out->data + out->len, out->capacity - out->len - 1);
	/* EIO: no process has the terminal open any more. */
	if (n < 0 && errno == EIO) {
		out->data[out->len] = '\0';
		return 0;
	}
	if (n < 0)
		return errno == EINTR || errno == EAGAIN ? 1 : -errno;
	out->len += (size_t)n;
	out->data[out->len] = '\0';
	return n > 0;
}

/*
 * Opens a new pseudo-terminal and types the input. ends[0] is rssck's end, ends[1] the program's.
 */
static int terminal_open(const struct program *p, int ends[2])
{
	const struct winsize size = { .ws_row = TERMINAL_LINES, .ws_col = TERMINAL_COLUMNS };
	size_t len = p->input ? strlen(p->input) : 0;
	struct termios mode;
	char name[64];

	ends[0] = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (ends[0] < 0)
		return -1;
	ends[1] = -1;
	if (grantpt(ends[0]) == 0 && unlockpt(ends[0]) == 0 &&
	    ptsname_r(ends[0], name, sizeof(name)) == 0)
		ends[1] = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (ends[1] < 0 || tcgetattr(ends[1], &mode) < 0) {
		close(ends[0]);
		return -1;
	}
	mode.c_lflag &= ~(tcflag_t)(ECHO | ICANON);
	tcsetattr(ends[1], TCSANOW, &mode);
	ioctl(ends[1], TIOCSWINSZ, &size);
	return len == 0 || write(ends[0], p->input, len) == (ssize_t)len ? 0 : -1;
}

/*
 * Starts the guard and returns its PID, or -1 with errno. *output and *alive are rssck's ends of
 * the output pipe and of the guard's socket.
 */
static pid_t start(const struct program *p, int *output, int *alive)
{
	int out[2], life[2];
	pid_t guard = -1;

	if ((p->terminal ? terminal_open(p, out) : pipe2(out, O_CLOEXEC)) < 0)
		return -1;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, life) == 0) {
		guard = fork();
		if (guard == 0) {
			close(out[0]);
			close(life[1]);
			become_guard(p, out[1], life[0]);
		}
		close(life[0]);
	} else {
		life[1] = -1;
	}
	close(out[1]);
	*output = out[0];
	*alive = life[1];
	return guard;
}

/*
 * Waits for the status of the program. Call it after the end of the output. Returns 0 or a negative
 * errno.
 */
static int take_status(int alive, int *status, int64_t until)
{
	struct pollfd p = { .fd = alive, .events = POLLIN };
	int64_t left = until - now_ms();

	if (left <= 0 || poll(&p, 1, (int)left) == 0)
		return -ETIMEDOUT;
	return recv(alive, status, sizeof(*status), 0) == sizeof(*status) ? 0 : -ECHILD;
}

static void say_status(int status, const struct text *out, const char *program, char *why,
		       size_t size)
{
	if (WIFSIGNALED(status))
		snprintf(why, size, "%s: was killed by signal %d (%s)", program, WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else
		snprintf(why, size, "%s: failed with status %d: %.500s", program,
			 WEXITSTATUS(status), out->data);
}

int program_output(const struct program *p, struct text *out, char *why, size_t size)
{
	int64_t until = now_ms() + (int64_t)p->limit_s * 1000;
	int output = -1, alive = -1, more = 1, status = 0;
	pid_t guard = start(p, &output, &alive);

	out->len = 0;
	if (guard < 0)
		more = -errno;
	while (more > 0)
		more = take_more(output, out, until);
	if (more == 0 && p->must_succeed)
		more = take_status(alive, &status, until);
	close(output);
	close(alive);
	while (guard > 0 && waitpid(guard, NULL, 0) < 0 && errno == EINTR)
		;
	if (more == -ETIMEDOUT)
		snprintf(why, size, "%s did not end within %u s and was killed", p->argv[0],
			 p->limit_s);
	else if (more < 0)
		snprintf(why, size, "%s: cannot be run: %s", p->argv[0], strerror(-more));
	else if (status)
		say_status(status, out, p->argv[0], why, size);
	return status ? -1 : more;
}

char *program_ask(char *const argv[], char *why, size_t size)
{
	struct text out = { .data = NULL };

	if (program_output(&(struct program) { .argv = argv,
					       .inherits = true,
					       .must_succeed = true,
					       .limit_s = PROGRAM_ASK_LIMIT_S },
			   &out, why, size) == 0)
		return out.data;
	text_free(&out);
	return NULL;
}
