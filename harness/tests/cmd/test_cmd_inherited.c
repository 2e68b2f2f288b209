// SPDX-License-Identifier: MIT
/*
 * The verdicts do not depend on what rssck inherits from its parent, and rssck can be interrupted.
 */
#include "cmd/line/sink.h"
#include "tests/support/child.h"
#include "tests/support/files.h"
#include <sys/resource.h>
#include <sys/stat.h>

static void keep(long argument)
{
	(void)argument;
}

static void close_some(long argument)
{
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (argument >> fd & 1)
			close(fd);
}

static void open_many(long argument)
{
	for (int fd = 3; fd < argument; fd++)
		dup2(STDIN_FILENO, fd);
}

static void ignore(long signal_number)
{
	signal((int)signal_number, SIG_IGN);
}

static void block_all(long argument)
{
	sigset_t all;

	(void)argument;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
}

static void lose_the_terminal(long argument)
{
	(void)argument;
	setsid();
	umask(0777);
}

static void lower_soft_limits(long argument)
{
	static const struct {
		int resource;
		rlim_t low;
	} limits[] = {
		{ RLIMIT_NOFILE, 16 },
		{ RLIMIT_FSIZE, 1000 },
		{ RLIMIT_STACK, 128 << 10 },
		{ RLIMIT_MEMLOCK, 0 },
	};

	(void)argument;
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		__rlimit_resource_t resource = (__rlimit_resource_t)limits[i].resource;
		struct rlimit l;

		if (getrlimit(resource, &l) < 0)
			continue;
		l.rlim_cur = limits[i].low;
		setrlimit(resource, &l);
	}
}

/*
 * Files are limited to less than measuring and settling need, so the workload reads the program's
 * own file instead.
 */
static void limit_files(long bytes)
{
	setrlimit(RLIMIT_FSIZE, &(struct rlimit) { (rlim_t)bytes, (rlim_t)bytes });
}

/* A child inherits the setting, then runs a case with several processes and a case with a file. */
static int check_after(void (*inherit)(long), long argument)
{
	pid_t pid = fork();

	if (pid == 0) {
		inherit(argument);
		execl(program(), program(), "check", "--quiet", "fork/cow", "file/private_write",
		      (char *)NULL);
		_exit(127);
	}
	return child_status(pid);
}

TEST(closed_descriptors_make_no_difference)
{
	for (long closed = 1; closed < 8; closed++)
		if (check_after(close_some, closed))
			fail_msg("the result depends on closed descriptors (mask %ld)", closed);
}

TEST(inherited_signals_limits_and_descriptors_make_no_difference)
{
	assert_int_equal(check_after(keep, 0), 0);
	assert_int_equal(check_after(open_many, 60), 0);
	assert_int_equal(check_after(ignore, SIGCHLD), 0);
	assert_int_equal(check_after(ignore, SIGPIPE), 0);
	assert_int_equal(check_after(block_all, 0), 0);
	assert_int_equal(check_after(lose_the_terminal, 0), 0);
	assert_int_equal(check_after(lower_soft_limits, 0), 0);
	assert_int_equal(check_after(limit_files, 100000), 0);
}

/* nohup(1) ignores SIGHUP, and the terminal sends it to all processes of the group. */
TEST(an_ignored_signal_ends_nothing)
{
	static const int signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		setpgid(0, 0);
		for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
			signal(signals[i], SIG_IGN);
		execl(program(), program(), "check", "--quiet", "fork/cow", (char *)NULL);
		_exit(127);
	}
	setpgid(pid, pid);
	/* Each run measures the counters first, so the signals come at many moments. */
	for (size_t i = 0; !waitpid(pid, &status, WNOHANG); i++) {
		usleep(20000);
		kill(-pid, signals[i % (sizeof(signals) / sizeof(*signals))]);
	}
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

/*
 * Sends `sig` to a child that writes to a FIFO without a reader. Returns the signal that ended the
 * child; 0 if the child exited, -1 if it did not end.
 */
static int signal_that_ends(int sig, const char *fifo)
{
	pid_t pid = fork();
	char why[512];
	int status;

	if (pid == 0) {
		signal(sig, SIG_DFL);
		_exit(sink_write(fifo, "{}\n", 3, why, sizeof(why)) ? 2 : 0);
	}
	usleep(50000);
	kill(pid, sig);
	for (int i = 0; i < 40; i++) {
		usleep(50000);
		if (waitpid(pid, &status, WNOHANG) == pid)
			return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	}
	child_end(pid);
	return -1;
}

TEST(a_write_without_a_reader_can_be_interrupted)
{
	static const int signals[] = { SIGTERM, SIGINT, SIGHUP };
	const char *fifo = in_folder("fifo");

	assert_int_equal(mkfifo(fifo, 0600), 0);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		assert_int_equal(signal_that_ends(signals[i], fifo), signals[i]);
}

/* Without precautions SIGPIPE would end the process without a message. */
TEST(a_broken_pipe_is_reported)
{
	char path[32], why[512] = "";
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	close(ends[0]);
	snprintf(path, sizeof(path), "/dev/fd/%d", ends[1]);
	assert_int_equal(sink_write(path, "{}\n", 3, why, sizeof(why)), -1);
	assert_says(why, "Broken pipe");
	close(ends[1]);
}
