// SPDX-License-Identifier: MIT
/* A process of three threads whose ends a listener of taskstats is told, for taskstats_exit. */
#ifndef CASES_COUNTERS_TASKSTATS_GROUP_H
#define CASES_COUNTERS_TASKSTATS_GROUP_H

#include "taskstats.h"
#include <inttypes.h>
#include <linux/futex.h>
#include <pthread.h>
#include <rssck/right.h>

STEP_SYMBOLS(ENDS);

enum { THREADS = 3, PAGES = 300, CALLS = 1500, BYTES = 700, NONE = -1, LOST = -2 };

#define LISTENER "a listener of taskstats (CONFIG_TASKSTATS, CAP_NET_ADMIN, no namespaces)"

/* ---- the numbers ---- */

/* The same number in a file of /proc: a field of stat, or a line. */
static const struct member {
	const char *name;
	size_t at;
	const char *file, *line;
	unsigned field;
	bool in_kb, is_delay;
} members[] = {
#define MEMBER(name, ...)                                            \
	{                                                            \
#name, offsetof(struct taskstats, name), __VA_ARGS__ \
	}
#define DELAY(name)                                       \
	MEMBER(name##_count, NULL, NULL, 0, false, true), \
		MEMBER(name##_delay_total, NULL, NULL, 0, false, true)
	MEMBER(ac_minflt, "stat", NULL, 10, false, false),
	MEMBER(ac_majflt, "stat", NULL, 12, false, false),
	MEMBER(hiwater_rss, "status", "VmHWM", 0, false, false),
	MEMBER(hiwater_vm, "status", "VmPeak", 0, false, false),
	MEMBER(read_char, "io", "rchar", 0, true, false),
	MEMBER(write_char, "io", "wchar", 0, true, false),
	MEMBER(read_syscalls, "io", "syscr", 0, true, false),
	MEMBER(write_syscalls, "io", "syscw", 0, true, false),
	MEMBER(read_bytes, "io", "read_bytes", 0, true, false),
	MEMBER(write_bytes, "io", "write_bytes", 0, true, false),
	MEMBER(cancelled_write_bytes, "io", "cancelled_write_bytes", 0, true, false),
	DELAY(swapin),
	DELAY(freepages),
	DELAY(thrashing),
#if TASKSTATS_VERSION >= 11
	DELAY(compact),
#endif
#if TASKSTATS_VERSION >= 13
	DELAY(wpcopy),
#endif
#undef DELAY
#undef MEMBER
};

enum { MEMBERS = sizeof(members) / sizeof(*members) };

static int64_t member(const struct taskstats *t, const struct member *m)
{
	int64_t value;

	memcpy(&value, (const char *)t + m->at, sizeof(value));
	return value;
}

static int64_t member_of_proc(const struct member *m, pid_t tid)
{
	char path[64], text[1024];
	const char *at;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/%s", tid, tid, m->file);
	if (m->line)
		return workload_number(path, m->line, -1);
	if (workload_read_text(path, text, sizeof(text)) <= 0)
		return -1;
	at = strrchr(text, ')');
	for (unsigned f = 2; at && f < m->field; f++)
		at = strchr(at + 1, ' ');
	return at ? strtoll(at, NULL, 10) : -1;
}

/* ---- the process ---- */

enum end { STAY, END_THREAD, END_ALL };

static const struct workload *workload;

/* In shared memory. */
static struct crew {
	pid_t pid;
	pid_t tids[THREADS];
	int waits[THREADS]; /* 1 as soon as the thread only waits for its end */
	int end[THREADS];   /* enum end */
} * crew;

static struct taskstats live[THREADS], at_end[THREADS];
static bool has_ended[THREADS];
static int last; /* that ends */

static pid_t tid_of(int i)
{
	return crew->tids[i];
}

static int nr_ended(void)
{
	int n = 0;

	for (int i = 0; i < THREADS; i++)
		n += has_ended[i];
	return n;
}

/* Each thread takes other numbers of faults and of calls, and is delayed. */
static void load(int i)
{
	static char bytes[BYTES];
	size_t pages = (size_t)PAGES * (size_t)(i + 1), size = pages * workload->page_size;
	int zeros = open("/dev/zero", O_RDWR | O_CLOEXEC);
	char *p = workload_try_map(size, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);

	if (!p)
		_exit(1);
	touch_read(workload, p, pages);
	touch_write(workload, p, pages);
	syscall(SYS_madvise, p, size / 2, MADV_PAGEOUT);
	touch_read(workload, p, pages);
	munmap(p, size);
	for (int k = 0; k < CALLS * (i + 1); k++)
		if (read(zeros, bytes, BYTES) != BYTES || write(zeros, bytes, BYTES) != BYTES)
			_exit(1);
	close(zeros);
}

/* After its last system call but one nothing faults: the thread has gone the same way before. */
static void *be_thread(void *index)
{
	int i = (int)(intptr_t)index;

	load(i);
	crew->tids[i] = (pid_t)syscall(SYS_gettid);
	__atomic_store_n(&crew->waits[i], 1, __ATOMIC_SEQ_CST);
	while (!__atomic_load_n(&crew->end[i], __ATOMIC_SEQ_CST))
		syscall(SYS_futex, &crew->end[i], FUTEX_WAIT, STAY, NULL, NULL, 0);
	syscall(crew->end[i] == END_ALL ? SYS_exit_group : SYS_exit, 0);
	return NULL;
}

static _Noreturn void be_process(void)
{
	pthread_t id;

	for (int i = 1; i < THREADS; i++)
		if (pthread_create(&id, NULL, be_thread, (void *)(intptr_t)i))
			_exit(1);
	be_thread(NULL);
	_exit(1);
}

/* Returns the state of a task, such as 'S'; 0 if it is gone. */
static char state_of(pid_t tid)
{
	char path[64], text[1024];
	const char *at;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", crew->pid, tid);
	if (workload_read_text(path, text, sizeof(text)) <= 0)
		return 0;
	at = strrchr(text, ')');
	return at ? at[2] : '\0';
}

static bool has_state(pid_t tid, const char *states)
{
	struct patience p = { .seconds = 10 };

	while (!strchr(states, state_of(tid)))
		if (!workload_pause(&p))
			return false;
	return true;
}

/* A thread that sleeps after it has said so waits for its end. */
static bool crew_starts(void)
{
	struct patience p = { .seconds = 10 };
	pid_t pid;

	crew = workload_try_map(sizeof(*crew), PROT_READ | PROT_WRITE, MAP_SHARED, -1);
	if (!crew)
		return false;
	memset(has_ended, 0, sizeof(has_ended));
	memset(at_end, 0, sizeof(at_end));
	pid = fork();
	if (!pid)
		be_process();
	crew->pid = pid;
	for (int i = 0; crew->pid > 0 && i < THREADS; i++) {
		while (!__atomic_load_n(&crew->waits[i], __ATOMIC_SEQ_CST))
			if (!workload_pause(&p))
				return false;
		if (!has_state(crew->tids[i], "S"))
			return false;
	}
	return crew->pid > 0;
}

/* Returns when the thread is gone, or a zombie. Then its message has been sent. */
static void let_end(int i, enum end how)
{
	__atomic_store_n(&crew->end[i], (int)how, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &crew->end[i], FUTEX_WAKE, 1, NULL, NULL, 0);
	has_state(crew->tids[i], "ZX");
}

static void await_zombie(void)
{
	siginfo_t info;

	waitid(P_PID, (id_t)crew->pid, &info, WEXITED | WNOWAIT);
}

/* ---- the listener ---- */

static struct {
	int fd;
	uint16_t family;
	char cpus[64];
} listener;

static bool listener_asks(uint16_t type)
{
	return tell(listener.fd, listener.family, TASKSTATS_CMD_GET, type, listener.cpus,
		    strlen(listener.cpus) + 1);
}

static bool listen_begin(void)
{
	int bytes = 1 << 20;

	workload_read_text("/sys/devices/system/cpu/possible", listener.cpus,
			   sizeof(listener.cpus));
	listener.cpus[strcspn(listener.cpus, "\n")] = '\0';
	listener.fd = open_taskstats(&listener.family);
	if (listener.fd < 0)
		return false;
	setsockopt(listener.fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof(bytes));
	return listener_asks(TASKSTATS_CMD_ATTR_REGISTER_CPUMASK);
}

static void listen_end(void)
{
	listener_asks(TASKSTATS_CMD_ATTR_DEREGISTER_CPUMASK);
	close(listener.fd);
}

/*
 * Takes the next message that is about a thread of the crew. Returns its index; NONE if there is no
 * message, LOST if the kernel could not send one. `has_group`: it also has the numbers of the
 * process.
 */
static int next_end(struct taskstats *t, struct taskstats *group, bool *has_group)
{
	char answer[BUFFER];
	ssize_t n;

	while ((n = recv(listener.fd, answer, sizeof(answer), MSG_DONTWAIT)) > 0) {
		if (!copy_taskstats(answer, n, TASKSTATS_TYPE_AGGR_PID, t))
			continue;
		for (int i = 0; i < THREADS; i++)
			if ((pid_t)t->ac_pid == crew->tids[i]) {
				*has_group = copy_taskstats(answer, n, TASKSTATS_TYPE_AGGR_TGID,
							    group);
				return i;
			}
	}
	return errno == ENOBUFS ? LOST : NONE;
}

#endif
