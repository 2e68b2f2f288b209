// SPDX-License-Identifier: MIT
/*
 * Resets the state that a process inherits through exec. cron, init, `ssh -n` and test harnesses
 * each leave a different state.
 */
#include "inherited.h"
#include "limits.h"
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static bool stdout_was_closed;

bool inherited_stdout_is_closed(void)
{
	return stdout_was_closed;
}

/*
 * Descriptors 0 to 2 must be open. Otherwise a file that rssck opens could get such a number, and
 * messages would be written into it.
 */
static void open_standard_descriptors(void)
{
	int fd;

	stdout_was_closed = fcntl(STDOUT_FILENO, F_GETFD) < 0 && errno == EBADF;
	do {
		fd = open("/dev/null", O_RDWR);
		/* Any file will do if /dev/null is missing. */
		if (fd < 0)
			fd = open("/", O_RDONLY | O_DIRECTORY);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

static void unblock_signals(void)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/*
 * A real-time process could starve the processes that it waits for. A process under SCHED_DEADLINE
 * may not fork.
 */
static void schedule_as_others(void)
{
	int policy = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
	bool ordinary = policy == SCHED_OTHER || policy == SCHED_BATCH || policy == SCHED_IDLE;

	if (!ordinary)
		sched_setscheduler(0, SCHED_OTHER, &(struct sched_param) { 0 });
}

/*
 * If the time stamp counter is disabled, clock_gettime(2) ends rssck with SIGSEGV, because the vdso
 * reads the counter.
 */
static void read_time_stamps(void)
{
#ifdef PR_SET_TSC
	int now = PR_TSC_ENABLE;

	if (prctl(PR_GET_TSC, &now, 0, 0, 0) == 0 && now != PR_TSC_ENABLE)
		prctl(PR_SET_TSC, PR_TSC_ENABLE, 0, 0, 0);
#endif
}

static struct {
	sigset_t blocked;
	struct sigaction child, size;
	struct sched_param priority;
	int policy;
	struct rlimit limits[RLIM_NLIMITS];
	bool known;
} first;

static void remember(void)
{
	sigprocmask(SIG_SETMASK, NULL, &first.blocked);
	sigaction(SIGCHLD, NULL, &first.child);
	sigaction(SIGXFSZ, NULL, &first.size);
	first.policy = sched_getscheduler(0);
	sched_getparam(0, &first.priority);
	for (int i = 0; i < RLIM_NLIMITS; i++)
		getrlimit(i, &first.limits[i]);
	first.known = true;
}

void inherited_restore(void)
{
	if (!first.known)
		return;
	sigaction(SIGCHLD, &first.child, NULL);
	sigaction(SIGXFSZ, &first.size, NULL);
	if (sched_getscheduler(0) != first.policy)
		sched_setscheduler(0, first.policy, &first.priority);
	for (int i = 0; i < RLIM_NLIMITS; i++)
		setrlimit(i, &first.limits[i]);
	sigprocmask(SIG_SETMASK, &first.blocked, NULL);
}

void inherited_reset(void)
{
	remember();
	open_standard_descriptors();
	unblock_signals();
	signal(SIGCHLD, SIG_DFL);
	/* With SIGXFSZ ignored, a write(2) beyond RLIMIT_FSIZE fails with EFBIG. */
	signal(SIGXFSZ, SIG_IGN);
	schedule_as_others();
	read_time_stamps();
	limits_raise();
}

bool inherited_is_ignored(int sig)
{
	struct sigaction now;

	return !sigaction(sig, NULL, &now) && now.sa_handler == SIG_IGN;
}

/* True for a signal that ends all processes of a group, as a terminal sends when it closes. */
static bool ends_group(int sig)
{
	return sig == SIGHUP || sig == SIGINT || sig == SIGQUIT || sig == SIGTERM;
}

void inherited_forget(void)
{
	for (int sig = 1; sig < NSIG; sig++)
		if (sig != SIGXFSZ && !(ends_group(sig) && inherited_is_ignored(sig)))
			signal(sig, SIG_DFL);
	unblock_signals();
	umask(077);
}
