// SPDX-License-Identifier: MIT
/*
 * Each number that a task, a process or an mm collects, after each way to make a new one of them:
 * it starts at nothing, or goes on.
 */
#include "new_task.h"
#include "child.h"
#include <rssck/right.h>
#include <sys/ptrace.h>

STEP_SYMBOLS(EACH_WAY);

enum {
	PAGES = 3072,
	CHILD_PAGES = 1024,
	FILE_PAGES = 512,
	CALLS = 4200,
	BYTES = 1024,
	MAPPED = 128 << 20,
	BURN_MS = 60
};

static const struct workload *workload;
static int file; /* uncached, or -1 */

/* What the child of a way has read, in shared memory; `was` is before its exec. */
static struct seen {
	numbers was, now;
	bool read;
	pid_t tid; /* 0 as soon as the child has ended */
} * seen;

static numbers before, full; /* of the parent, before and after accumulate() */

/* ---- numbers rise ---- */

static void use_file(void)
{
	size_t page = workload->page_size;
	char *p;

	if (file < 0)
		return;
	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < FILE_PAGES; i++)
			if (pwrite(file, "x", 1, (off_t)(i * page)) != 1)
				return;
		if (round == 0 && !fsync(file))
			posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
		/* Each page of the file takes a major fault. */
		p = workload_try_map(FILE_PAGES * page, PROT_READ, MAP_SHARED, file);
		if (!p)
			return;
		syscall(SYS_madvise, p, FILE_PAGES * page, MADV_RANDOM);
		touch_read(workload, p, FILE_PAGES);
		munmap(p, FILE_PAGES * page);
	}
	if (ftruncate(file, 0) || ftruncate(file, (off_t)(FILE_PAGES * page)))
		return;
}

static void call(void)
{
	static char bytes[BYTES];
	int zeros = open("/dev/zero", O_RDWR | O_CLOEXEC);

	for (int i = 0; i < CALLS; i++)
		if (read(zeros, bytes, BYTES) != BYTES || write(zeros, bytes, BYTES) != BYTES)
			break;
	close(zeros);
}

static int64_t cpu_ms(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000 +
	       (u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1000;
}

/* Raises each number by at least its row's `least`, and returns the memory. */
static void accumulate(void)
{
	size_t page = workload->page_size;
	char *p = workload_try_map(PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);
	char *space = workload_try_map(MAPPED, PROT_NONE, MAP_PRIVATE, -1);
	int64_t until = cpu_ms() + BURN_MS;
	pid_t pid;

	if (!p || !space)
		return;
	touch_write(workload, p, PAGES);
	while (cpu_ms() < until)
		;
	munmap(space, MAPPED);
	munmap(p, PAGES * page);
	pid = fork();
	if (!pid) {
		p = workload_try_map(CHILD_PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);
		if (p)
			touch_write(workload, p, CHILD_PAGES);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	call();
	use_file();
}

/* ---- ways ---- */

static int look(void *unused)
{
	(void)unused;
	numbers_of_self(seen->now);
	seen->read = true;
	return 0;
}

static int execute(void *unused)
{
	(void)unused;
	if (!ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		execl("/proc/thread-self/exe", "rssck-workload", "--does-it-run", (char *)NULL);
	syscall(SYS_exit_group, 1);
	return 1;
}

static int accumulate_and_execute(void *unused)
{
	accumulate();
	numbers_of_self(seen->was);
	return execute(unused);
}

static int accumulate_and_execute_in_thread(void *unused)
{
	accumulate();
	numbers_of_self(seen->was);
	if (clone(execute, stacks + STACK_BYTES, THREAD, unused) > 0)
		for (;;)
			pause();
	_exit(1);
}

static int execute_in_vain(void *unused)
{
	exec_no_program();
	return look(unused);
}

enum becomes { ANEW, GOES_ON };

/*
 * `becomes`: the numbers of the task, of the process, of the mm, and ru_maxrss. What goes on is
 * that of the process that accumulates: the parent, or the child before its exec. The first way has
 * no child whose numbers the parent's later include.
 */
static const struct way {
	const char *name;
	int flags; /* of clone(2); 0 if there is no child */
	int (*run)(void *);
	bool executes;
	enum becomes becomes[OWNERS];
} ways[] = {
	{ "exec that is refused",
	  0,
	  execute_in_vain,
	  false,
	  { GOES_ON, GOES_ON, GOES_ON, GOES_ON } },
	{ "fork", SIGCHLD, look, false, { ANEW, ANEW, ANEW, ANEW } },
	{ "vfork",
	  CLONE_VM | CLONE_VFORK | SIGCHLD,
	  look,
	  false,
	  { ANEW, ANEW, GOES_ON, GOES_ON } },
	{ "clone(CLONE_VM)", CLONE_VM | SIGCHLD, look, false, { ANEW, ANEW, GOES_ON, GOES_ON } },
	{ "a new thread", THREAD, look, false, { ANEW, GOES_ON, GOES_ON, GOES_ON } },
	{ "fork and exec", SIGCHLD, execute, true, { ANEW, ANEW, ANEW, ANEW } },
	{ "vfork and exec",
	  CLONE_VM | CLONE_VFORK | SIGCHLD,
	  execute,
	  true,
	  { ANEW, ANEW, ANEW, GOES_ON } },
	{ "exec", SIGCHLD, accumulate_and_execute, true, { GOES_ON, GOES_ON, ANEW, GOES_ON } },
	{ "exec by another thread",
	  SIGCHLD,
	  accumulate_and_execute_in_thread,
	  true,
	  { ANEW, GOES_ON, ANEW, GOES_ON } },
};

/* The new program stops before its first instruction. */
static void await_process(const struct way *y, pid_t pid)
{
	struct rusage usage;
	int status = 0;

	waitpid(pid, &status, WUNTRACED);
	if (!WIFSTOPPED(status))
		return;
	if (y->executes)
		numbers_read(pid, pid, seen->now);
	kill(pid, SIGKILL);
	if (wait4(pid, NULL, 0, &usage) != pid)
		return;
	seen->now[MAXRSS] = usage.ru_maxrss;
	seen->read = y->executes;
}

static bool go(const struct way *y)
{
	pid_t pid;

	memcpy(seen->was, full, sizeof(full));
	seen->read = false;
	pid = child_run(y->flags, y->run, NULL, &seen->tid);
	if (pid < 0)
		return false;
	if (y->flags & CLONE_THREAD)
		child_await_thread(&seen->tid);
	else if (y->flags)
		await_process(y, pid);
	return seen->read;
}

/* ---- comparison ---- */

static bool is_tried(int n)
{
	return before[n] >= 0 && full[n] - before[n] >= rows[n].least;
}

/*
 * What starts anew is less than half of what has been collected, apart from the size that any mm
 * has. What goes on is no less than it was, and has not been collected twice.
 */
static bool is_right(int n, enum becomes b, int64_t was, int64_t now)
{
	int64_t much = full[n] - before[n];
	int64_t own = rows[n].owner == MM || rows[n].owner == PEAK ? before[n] : 0;

	return b == ANEW ? now >= 0 && now < own + much / 2 : now >= was && now < was + much / 2;
}

static int compare(const struct way *y)
{
	static numbers now;

	for (int n = 0; n < NUMBERS; n++) {
		enum becomes b = y->becomes[rows[n].owner];

		if (is_tried(n) && !is_right(n, b, seen->was[n], seen->now[n]))
			return workload_say(WRONG,
					    "%s after %s is %" PRId64 "; it was %" PRId64
					    ", and must %s",
					    rows[n].name, y->name, seen->now[n], seen->was[n],
					    b == ANEW ? "start anew" : "go on");
	}
	numbers_of_self(now);
	for (int n = 0; n < NUMBERS; n++)
		if (is_tried(n) && !rows[n].adds_children && !is_right(n, GOES_ON, full[n], now[n]))
			return workload_say(WRONG,
					    "%s of the parent after %s is %" PRId64
					    "; it was %" PRId64 ", and must go on",
					    rows[n].name, y->name, now[n], full[n]);
	return RIGHT;
}

static int try_ways(const struct workload *w)
{
	int tried = 0, result = RIGHT;

	workload = w;
	seen = workload_try_map(sizeof(*seen), PROT_READ | PROT_WRITE, MAP_SHARED, -1);
	if (!seen || !stacks_map())
		return CANNOT;
	numbers_of_self(before);
	accumulate();
	numbers_of_self(full);
	for (int n = 0; n < NUMBERS; n++)
		tried += is_tried(n);
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways) && result == RIGHT; i++)
		result = go(&ways[i])
				 ? compare(&ways[i])
				 : workload_say(CANNOT, "%s: the child ended before it was read",
						ways[i].name);
	return result != RIGHT ? result : workload_say(RIGHT, "%d", tried);
}

static void each_way(struct workload *w)
{
	file = workload_try_file_uncached(w, FILE_PAGES);
	workload_report_if_right(w, try_ways, "clone(2), and exec of its own program", "tried");
}

static void judge(const struct trial *t, struct judgement *j)
{
	/* minflt, VmPeak, VmHWM and ru_maxrss are counted everywhere. */
	judge_true(j, EACH_WAY, trial_reported(t, EACH_WAY, "tried") >= 6,
		   "the numbers that each kernel has rise as the workload acts");
}

CASE(fork_new_task) {
	.claim =
		"Faults, bytes and calls of a task are 0 in a new task and stay with exec; those of a process, too, and include its ended threads and the old program. VmPeak and VmHWM start with each mm, by fork or exec, and are the mm's for all that share it. An exec that is refused resets nothing, and no number is collected twice. taskstats agrees",
	.because =
		"copy_mm() sets min_flt and maj_flt to 0, task_io_accounting_init() and acct_clear_integrals() the others; copy_signal() makes a signal_struct of zeroes. begin_new_exec() changes only the mm. When de_thread() ends the other threads, __exit_signal() adds their numbers to the signal_struct.",
	.said_by = SAID_BY("proc_pid_stat(5), minflt, cminflt", "proc_pid_io(5)",
			   "proc_pid_status(5), VmPeak, VmHWM", "getrusage(2), ru_maxrss",
			   "Documentation/accounting/taskstats-struct.rst"),
	.flags = CASE_ONE_CPU,
	.limit_s = 60,
	.steps = STEPS(STEP_AS(EACH_WAY, "each way", each_way, .checks = 1)),
	.judge = judge,
};
