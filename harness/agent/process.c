// SPDX-License-Identifier: MIT
/* Starts, controls and ends the processes and threads of a workload. */
#include "agent.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <rssck/right.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

void workload_pin(struct workload *w, int cpu)
{
	if (cpus_keep_to_one(cpu) == 0)
		return;
	if (errno == EPERM)
		workload_skip(w, "sched_setaffinity(2): %s", strerror(errno));
	workload_die(w, "sched_setaffinity to CPU %d: %s", cpu, strerror(errno));
}

int workload_set_capability(unsigned capability, bool on)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct have[2];

	if (syscall(SYS_capget, &header, have) < 0)
		return -1;
	have[0].effective &= ~(1U << capability);
	have[0].effective |= (uint32_t)on << capability;
	return (int)syscall(SYS_capset, &header, have);
}

/*
 * A process keeps only its own channel, so that rssck notices when a process ends. A channel is
 * closed only once, because its descriptor may be reused for another file.
 */
static void close_channel(struct workload *w, unsigned process)
{
	if (!w->private->channel_closed[process])
		close(CHANNEL_FD + (int)process);
	w->private->channel_closed[process] = true;
}

static void keep_channel(struct workload *w, int process)
{
	for (unsigned i = 0; i <= w->private->c->processes; i++)
		if ((int)i != process)
			close_channel(w, i);
}

void agent_locks_init(struct workload_private *p)
{
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->ordered, NULL);
	pthread_cond_init(&p->obeyed, NULL);
}

static _Noreturn void child(struct workload *w, unsigned process, pid_t parent, int ready)
{
	char byte = 0;

	/* A forked process does not outlive its parent, and the leader does not outlive rssck. */
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != parent)
		_exit(0);
	keep_channel(w, (int)process);
	w->private->channel = CHANNEL_FD + (int)process;
	w->process = process;
	memset(w->private->pid, 0, sizeof(w->private->pid));
	/* Threads of the parent may have held the locks when it forked. */
	w->private->nr_threads = 0;
	agent_locks_init(w->private);
	agent_prefault(w);
	if (write(ready, &byte, 1) != 1)
		_exit(0);
	close(ready);
	w->private->serve(w);
	_exit(0);
}

static _Noreturn void died_early(struct workload *w, unsigned process)
{
	int status = 0;

	waitpid(w->private->pid[process], &status, 0);
	w->private->pid[process] = 0;
	errno = 0;
	if (WIFSIGNALED(status))
		workload_die(w, "process %u was killed by signal %d (%s) before it was ready%s",
			     process, WTERMSIG(status), strsignal(WTERMSIG(status)),
			     WTERMSIG(status) == SIGKILL
				     ? ": by the OOM killer, or by another process"
				     : "");
	workload_die(w, "process %u ended with status %d before it was ready", process,
		     WEXITSTATUS(status));
}

void workload_fork(struct workload *w, unsigned process)
{
	pid_t parent = getpid(), pid;
	int ready[2];
	char byte;

	if (process == 0 || process > w->private->c->processes || w->private->pid[process])
		workload_die(
			w,
			"process %u cannot be forked: its number must be 1 to %u, and not in use",
			process, w->private->c->processes);
	if (pipe(ready) < 0)
		workload_die(w, "pipe: %s", strerror(errno));
	pid = fork();
	if (pid < 0)
		workload_die(w, "fork: %s", strerror(errno));
	if (pid == 0) {
		close(ready[0]);
		child(w, process, parent, ready[1]);
	}
	close(ready[1]);
	close_channel(w, process);
	w->private->pid[process] = pid;
	if (read(ready[0], &byte, 1) != 1)
		died_early(w, process);
	close(ready[0]);
}

int workload_in_child(struct workload *w, int (*fn)(const struct workload *w))
{
	pid_t pid = fork();
	int status = 0;

	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
		_exit(fn(w));
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		workload_die(w, "fork or waitpid: %m");
	if (!WIFEXITED(status))
		workload_die(w, "a forked process was killed by signal %d (%s)", WTERMSIG(status),
			     strsignal(WTERMSIG(status)));
	return WEXITSTATUS(status);
}

/* Where a process of workload_in_child_that_says() writes to. */
static int says_to = -1;

int workload_in_child_that_says(struct workload *w, int (*fn)(const struct workload *w), char *text,
				size_t size)
{
	int ends[2], result;
	ssize_t n;

	workload_must(w, pipe2(ends, O_CLOEXEC), "pipe");
	says_to = ends[1];
	result = workload_in_child(w, fn);
	close(ends[1]);
	n = read(ends[0], text, size - 1);
	text[n > 0 ? n : 0] = '\0';
	close(ends[0]);
	return result;
}

int workload_say(int result, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vdprintf(says_to, format, list);
	va_end(list);
	return result;
}

void workload_must_be_right(struct workload *w, int (*fn)(const struct workload *w), char *text,
			    size_t size, const char *needs)
{
	int result = workload_in_child_that_says(w, fn, text, size);

	if (result == WRONG)
		workload_fail(w, "%s", text);
	if (result == CANNOT)
		workload_skip(w, "%s", *text ? text : needs);
}

void workload_report_if_right_(struct workload *w, int (*fn)(const struct workload *w),
			       const char *needs, const char *const *names)
{
	char text[640], *next = text;

	workload_must_be_right(w, fn, text, sizeof(text), needs);
	for (; *names; names++)
		workload_report(w, *names, strtoll(next, &next, 10));
	workload_checked(w);
}

int workload_result_of(pid_t pid, int none)
{
	int status;

	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status)
									       : none;
}

static _Noreturn void be_companion(const struct workload *w,
				   int64_t (*fn)(const struct workload *w), int end)
{
	int64_t answer;

	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	answer = fn ? fn(w) : 0;
	if (write(end, &answer, sizeof(answer)) != sizeof(answer))
		_exit(1);
	for (;;)
		pause();
}

pid_t workload_companion(struct workload *w, int64_t (*fn)(const struct workload *w),
			 int64_t *answer)
{
	int64_t said;
	int ends[2];
	pid_t pid;

	if (pipe(ends) < 0)
		workload_die(w, "pipe: %m");
	pid = fork();
	if (pid < 0)
		workload_die(w, "fork: %m");
	if (pid == 0)
		be_companion(w, fn, ends[1]);
	close(ends[1]);
	if (read(ends[0], &said, sizeof(said)) != sizeof(said))
		workload_die(w, "the companion process ended early");
	close(ends[0]);
	if (answer)
		*answer = said;
	return pid;
}

void workload_companion_ends(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/*
 * Waits until the new program runs. That program then waits on a socket, whose other end stays open
 * until this process ends.
 */
void workload_exec_fresh(struct workload *w, unsigned process)
{
	pid_t parent = getpid(), pid;
	int pair[2];
	char byte;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		workload_die(w, "socketpair: %s", strerror(errno));
	pid = fork();
	if (pid < 0)
		workload_die(w, "fork: %s", strerror(errno));
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
		if (getppid() != parent)
			_exit(0);
		keep_channel(w, -1);
		dup2(pair[1], CHANNEL_FD);
		execl("/proc/self/exe", "rssck-workload", "--fresh", (char *)NULL);
		_exit(127);
	}
	close(pair[1]);
	close_channel(w, process);
	w->private->pid[process] = pid;
	if (read(pair[0], &byte, 1) != 1)
		workload_die(w, "the fresh program did not start");
}

void workload_reap(struct workload *w, unsigned process)
{
	pid_t pid = w->private->pid[process];

	if (!pid)
		return;
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	w->private->pid[process] = 0;
}

/* A new order has a new serial number, so that each thread obeys it exactly once. */
static void *thread_main(void *arg)
{
	struct agent_thread *t = arg;
	struct workload_private *p = t->w->private;
	enum thread_order order = ORDER_RUN;
	unsigned seen = 0;

	for (;;) {
		if (order == ORDER_RUN)
			p->thread_fn(t->w, t->index);
		pthread_mutex_lock(&p->lock);
		p->nr_obeyed++;
		pthread_cond_signal(&p->obeyed);
		while (p->order_serial == seen && order != ORDER_END)
			pthread_cond_wait(&p->ordered, &p->lock);
		seen = p->order_serial;
		if (order == ORDER_END)
			break;
		order = p->order;
		pthread_mutex_unlock(&p->lock);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

static void await_all(struct workload_private *p)
{
	while (p->nr_obeyed < p->nr_threads)
		pthread_cond_wait(&p->obeyed, &p->lock);
}

static int create_thread(struct agent_thread *t)
{
	pthread_attr_t attr;
	int error = pthread_attr_init(&attr);

	if (error)
		return error;
	error = pthread_attr_setstacksize(&attr, WORKLOAD_THREAD_STACK);
	if (!error)
		error = pthread_create(&t->id, &attr, thread_main, t);
	pthread_attr_destroy(&attr);
	return error;
}

/* pthread_create(3) returns EAGAIN also if its stack cannot be mapped; errno is then ENOMEM. */
static void start_thread(struct workload *w, struct agent_thread *t)
{
	int error;

	errno = 0;
	error = create_thread(t);
	if (!error)
		return;
	errno = error == EAGAIN && errno == ENOMEM ? ENOMEM : error;
	workload_die(w, "thread %u: %m", t->index);
}

void workload_threads(struct workload *w, unsigned n,
		      void (*fn)(struct workload *w, unsigned index))
{
	struct workload_private *p = w->private;

	if (n > WORKLOAD_THREADS || p->nr_threads)
		workload_die(
			w,
			"%u threads cannot be started: a case may start threads only once, and at most %d of them",
			n, WORKLOAD_THREADS);
	p->thread_fn = fn;
	p->order_serial = 0;
	p->nr_obeyed = 0;
	for (unsigned i = 0; i < n; i++) {
		p->threads[i] = (struct agent_thread) { .w = w, .index = i };
		start_thread(w, &p->threads[i]);
		p->nr_threads = i + 1;
	}
	pthread_mutex_lock(&p->lock);
	await_all(p);
	pthread_mutex_unlock(&p->lock);
}

static void begin_order(struct workload_private *p, enum thread_order order)
{
	pthread_mutex_lock(&p->lock);
	p->order = order;
	p->nr_obeyed = 0;
	p->order_serial++;
	pthread_cond_broadcast(&p->ordered);
	pthread_mutex_unlock(&p->lock);
}

static void await_order(struct workload_private *p)
{
	pthread_mutex_lock(&p->lock);
	await_all(p);
	pthread_mutex_unlock(&p->lock);
}

static void give_order(struct workload_private *p, enum thread_order order)
{
	begin_order(p, order);
	await_order(p);
}

void agent_threads_begin(struct workload *w, void (*fn)(struct workload *w, unsigned index))
{
	w->private->thread_fn = fn;
	begin_order(w->private, ORDER_RUN);
}

void agent_threads_await(struct workload *w)
{
	await_order(w->private);
}

void workload_threads_run(struct workload *w, void (*fn)(struct workload *w, unsigned index))
{
	w->private->thread_fn = fn;
	give_order(w->private, ORDER_RUN);
}

void workload_threads_end(struct workload *w)
{
	struct workload_private *p = w->private;

	if (!p->nr_threads)
		return;
	give_order(p, ORDER_END);
	for (unsigned i = 0; i < p->nr_threads; i++)
		pthread_join(p->threads[i].id, NULL);
	p->nr_threads = 0;
}

static void survive(int unused)
{
	(void)unused;
}

void workload_survive_sigbus(void)
{
	signal(SIGBUS, survive);
}
