// SPDX-License-Identifier: MIT
/*
 * rssck as init, the guest's first process. It prepares the bare kernel for check, runs check,
 * sends its output to the host, and ends the machine.
 *
 * The kernel may write to the console at any time, so frames use a separate channel.
 */
#include "guest.h"
#include "base/guest.h"
#include "port.h"
#include "setup.h"
#include "vm/frame.h"
#include "vm/vm.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PIECE = 65536, TICK_MS = 50 };

/*
 * Ends the machine. QEMU runs with -no-reboot, so a reset also ends it. A kernel without ACPI can
 * only be ended by a reset.
 */
static void __attribute__((noreturn)) guest_end(const struct port *port)
{
	port_drain(port);
	sync();
	reboot(RB_AUTOBOOT);
	reboot(RB_POWER_OFF);
	for (;;)
		pause();
}

static void __attribute__((noreturn)) guest_fail(const struct port *port, const char *sentence)
{
	fprintf(stderr, "rssck: guest: %s\n", sentence);
	port_send(port, FRAME_FAIL, sentence, strlen(sentence));
	guest_end(port);
}

/*
 * If the archive has no /dev/console, init starts without open descriptors, so they are opened
 * here.
 */
static void console_open(void)
{
	int fd = open("/dev/console", O_RDWR | O_NOCTTY);

	if (fd < 0)
		fd = open("/dev/null", O_RDWR);
	for (int i = 0; i <= STDERR_FILENO; i++)
		if (fd != i)
			dup2(fd, i);
	if (fd > STDERR_FILENO)
		close(fd);
}

static void kernel_check(const struct port *port)
{
	static const char *const files[] = { "/proc/self/smaps", "/proc/self/pagemap" };
	char sentence[256];

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		if (!access(files[i], R_OK))
			continue;
		snprintf(
			sentence, sizeof(sentence),
			"this kernel has no %s, without which rssck cannot check its counters; build it with "
			"CONFIG_PROC_PAGE_MONITOR=y",
			files[i]);
		guest_fail(port, sentence);
	}
}

static char **own_arguments(const struct port *port)
{
	char **argv = arguments_read(GUEST_MARKER, "rssck");

	if (!argv)
		guest_fail(
			port,
			"the guest cannot read its arguments; give it more memory with --memory");
	return argv;
}

static pid_t check_start(const struct port *port, char **argv, const char *folder, const int out[2],
			 const int err[2])
{
	pid_t pid = fork();

	if (pid)
		return pid;
	port_drop(port);
	dup2(out[1], STDOUT_FILENO);
	dup2(err[1], STDERR_FILENO);
	setsid();
	clearenv();
	setenv("PATH", "/bin", 1);
	setenv("HOME", "/", 1);
	setenv("TERM", "dumb", 1);
	setenv("TMPDIR", folder, 1);
	if (chdir("/"))
		_exit(127);
	execv("/bin/rssck", argv);
	dprintf(STDERR_FILENO, "/bin/rssck: %s\n", strerror(errno));
	_exit(127);
}

static bool pipe_forward(int from, const struct port *port, const char *kind)
{
	static char piece[PIECE];
	ssize_t got = read(from, piece, sizeof(piece));

	if (got > 0)
		port_send(port, kind, piece, got);
	return got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN));
}

enum { OUT, ERR, JOURNAL, NR_PIPES };

/*
 * Forwards the content of all pipes. Waits for at most one tick; returns false if nothing arrived
 * in that time.
 */
static bool pipes_forward(struct pollfd *pipes, const struct port *port)
{
	static const char *const kinds[] = { FRAME_TEXT, FRAME_ERROR, FRAME_JOURNAL };

	if (poll(pipes, NR_PIPES, TICK_MS) <= 0)
		return false;
	for (int i = 0; i < NR_PIPES; i++)
		if (pipes[i].revents && !pipe_forward(pipes[i].fd, port, kinds[i]))
			pipes[i].fd = -1;
	return true;
}

/* Forwards check's output until check has ended. As init, reaps all other processes. */
static int check_wait(pid_t check, struct pollfd *pipes, const struct port *port)
{
	int status = 0, result = -1;
	bool ended = false;
	pid_t pid;

	while (!ended) {
		pipes_forward(pipes, port);
		while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
			if (pid != check)
				continue;
			result = status;
			ended = true;
		}
	}
	while (pipes_forward(pipes, port))
		;
	return result;
}

/* Creates the FIFO before check starts. It has no end of file until check closes it. */
static int journal_open(void)
{
	if (mkfifo(VM_GUEST_JOURNAL, 0600))
		return -1;
	return open(VM_GUEST_JOURNAL, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

/*
 * Gives init real-time priority, because check's findings must be sent before the next case can
 * crash the machine.
 */
static void run_first(void)
{
	const struct sched_param first = { .sched_priority = 1 };

	sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &first);
}

static void __attribute__((noreturn)) start_fail(const struct port *port)
{
	char sentence[256];

	snprintf(sentence, sizeof(sentence),
		 "the guest cannot start rssck: %m; if memory is short, give it more with "
		 "--memory");
	guest_fail(port, sentence);
}

static void check_run(const struct port *port, const char *folder)
{
	int out[2], err[2], journal = journal_open(), status;
	struct pollfd pipes[NR_PIPES];
	char number[16];
	pid_t pid;

	if (journal < 0 || pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC))
		start_fail(port);
	run_first();
	pid = check_start(port, own_arguments(port), folder, out, err);
	if (pid < 0)
		start_fail(port);
	close(out[1]);
	close(err[1]);
	pipes[OUT] = (struct pollfd) { .fd = out[0], .events = POLLIN };
	pipes[ERR] = (struct pollfd) { .fd = err[0], .events = POLLIN };
	pipes[JOURNAL] = (struct pollfd) { .fd = journal, .events = POLLIN };
	status = check_wait(pid, pipes, port);
	snprintf(number, sizeof(number), "%d", status);
	port_send(port, FRAME_EXIT, number, strlen(number));
}

int guest_main(void)
{
	struct utsname name;
	struct port port;
	const char *folder;
	char why[512];

	umask(022);
	guest_mount_first();
	console_open();
	if (port_open(&port))
		guest_fail(
			&port,
			"the guest cannot send its results, because the kernel allows no I/O ports and has no "
			"second serial port (ttyS1); build it with CONFIG_X86_IOPL_IOPERM=y, or with "
			"CONFIG_SERIAL_8250=y (and CONFIG_SERIAL_8250_PCI=y for ports on PCI) and "
			"CONFIG_SERIAL_8250_RUNTIME_UARTS=2 or more");
	uname(&name);
	port_send(&port, FRAME_HELLO, name.release, strlen(name.release));
	kernel_check(&port);
	guest_mount_more();
	guest_modules_load();
	guest_swap_on();
	guest_loopback_up();
	folder = guest_ext4_mount() ? "/tmp" : "/ext4";
	if (guest_conditions_make(why, sizeof(why)))
		guest_fail(&port, why);
	check_run(&port, folder);
	guest_end(&port);
}
