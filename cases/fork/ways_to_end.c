// SPDX-License-Identifier: MIT
/*
 * The rusage that wait4(2) returns for a process that ends in each way, compared with what the
 * process has read of itself just before: the peak that VmHWM had, and the faults of getrusage(2).
 */
#include "refused_exec.h"
#include <linux/futex.h>
#include <pthread.h>

STEP_SYMBOLS(END);

/*
 * Each process writes and unmaps PAGES pages first. So its peak is behind it, and nothing it does
 * at its end can raise it: a new program is much smaller.
 */
enum { PAGES = 1024, PART = 300 };

/* What a process says about itself, in shared memory. */
static struct record {
	int64_t peak, minflt;
	bool nested; /* the process that ends is a child of the forked one, which fills `usage` */
	struct rusage usage;
	int status;
} * record;

static const struct workload *workload;
static char *no_access;     /* a page */
static volatile int leader; /* the kernel sets it to 0 when the first thread has ended */

/* ---- ways to end; none returns ---- */

/*
 * The first time it may fault; the second time it reads what is so at the end. It also executes the
 * code of the calls that follow, whose page may not be mapped yet. If the leader has ended,
 * /proc/self/status has no sizes.
 */
static void look(void)
{
	struct rusage self, children;

	for (int i = 0; i < 2; i++) {
		int64_t peak = workload_number("/proc/thread-self/status", "VmHWM", 0);

		kill((pid_t)syscall(SYS_getpid), 0);
		getpid();
		getrusage(RUSAGE_CHILDREN, &children);
		getrusage(RUSAGE_SELF, &self);
		record->peak = peak * 1024 / (int64_t)workload->page_size;
		record->minflt = self.ru_minflt + children.ru_minflt;
	}
}

static void execute(void)
{
	execl("/proc/thread-self/exe", "rssck-workload", "--does-it-run", (char *)NULL);
	_exit(127);
}

static void exit_at_once(void)
{
	look();
	syscall(SYS_exit_group, 0);
}

static void exit_thread(void)
{
	look();
	syscall(SYS_exit, 0);
}

static void kill_itself(void)
{
	look();
	kill(getpid(), SIGKILL);
}

static void abort_itself(void)
{
	look();
	kill(getpid(), SIGABRT);
}

static void access_nothing(void)
{
	look();
	*(volatile char *)no_access = 1;
}

static void exec_program(void)
{
	look();
	execute();
}

static void fail_to_exec(void)
{
	for (int i = 0; i < REFUSALS; i++) {
		char path[PATH];

		if (make_program(refusals[i].program, "/nowhere", path))
			try_exec(&refusals[i], path);
	}
	exit_at_once();
}

/* The old program is gone when the kernel finds out that the new one cannot be mapped. */
static void exec_what_cannot_be_mapped(void)
{
	char path[PATH];

	if (!make_program(CANNOT_BE_MAPPED, NULL, path))
		_exit(126);
	look();
	execl(path, "program", (char *)NULL);
	_exit(126);
}

/* The child shares the mm. Both have the same peak. */
static void end_of_vfork(bool executes)
{
	pid_t pid = vfork();

	if (!pid) {
		look();
		if (executes)
			execute();
		syscall(SYS_exit_group, 0);
	}
	if (pid < 0 || wait4(pid, &record->status, 0, &record->usage) != pid)
		_exit(126);
	record->nested = true;
	_exit(0);
}

static void vfork_and_exit(void)
{
	end_of_vfork(false);
}

static void vfork_and_exec(void)
{
	end_of_vfork(true);
}

static void touch_part(void)
{
	char *p = workload_try_map(PART * workload->page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE,
				   -1);

	if (!p)
		_exit(126);
	touch_write(workload, p, PART);
	munmap(p, PART * workload->page_size);
}

/* wait4(2) returns the faults of reaped children, too. */
static void reap_a_child(void)
{
	pid_t pid = fork();

	if (!pid) {
		touch_part();
		_exit(0);
	}
	if (waitpid(pid, NULL, 0) != pid)
		_exit(126);
	exit_at_once();
}

/* ---- with threads ---- */

static void (*then)(void);

static void *touch_in_thread(void *unused)
{
	touch_part();
	return unused;
}

static void *then_in_thread(void *unused)
{
	touch_part();
	then();
	for (;;)
		pause();
	return unused;
}

static void *then_alone(void *unused)
{
	for (int tid = leader; tid; tid = leader)
		syscall(SYS_futex, &leader, FUTEX_WAIT, tid, NULL, NULL, 0);
	return then_in_thread(unused);
}

static void start(void *(*fn)(void *), bool joins)
{
	pthread_t id;

	if (pthread_create(&id, NULL, fn, NULL) || (joins && pthread_join(id, NULL)))
		_exit(126);
}

/* How the threads are when `then` is called. */
enum threads { ALONE, AFTER_A_THREAD, BESIDE_THE_LEADER, AFTER_THE_LEADER };

static void end_with_threads(enum threads threads)
{
	switch (threads) {
	case ALONE:
		break;
	case AFTER_A_THREAD:
		start(touch_in_thread, true);
		break;
	case BESIDE_THE_LEADER:
		start(then_in_thread, false);
		for (;;)
			pause();
	case AFTER_THE_LEADER:
		leader = (int)syscall(SYS_set_tid_address, &leader);
		start(then_alone, false);
		syscall(SYS_exit, 0);
	}
	then();
}

static const struct way {
	const char *name;
	void (*end)(void);
	enum threads threads;
	int signal;    /* that it ends by */
	bool executes; /* the new program has faults of its own */
} ways[] = {
	{ "exit_group", exit_at_once, ALONE, 0, false },
	{ "exit of the only thread", exit_thread, ALONE, 0, false },
	{ "SIGKILL", kill_itself, ALONE, SIGKILL, false },
	{ "SIGABRT", abort_itself, ALONE, SIGABRT, false },
	{ "SIGSEGV", access_nothing, ALONE, SIGSEGV, false },
	{ "exec", exec_program, ALONE, 0, true },
	{ "exec that fails, then exit", fail_to_exec, ALONE, 0, false },
	{ "exec that fails after the point of no return", exec_what_cannot_be_mapped, ALONE,
	  SIGSEGV, true },
	{ "a vfork child exits", vfork_and_exit, ALONE, 0, false },
	{ "a vfork child executes", vfork_and_exec, ALONE, 0, true },
	{ "exit after a child", reap_a_child, ALONE, 0, false },
	{ "exit after a thread", exit_at_once, AFTER_A_THREAD, 0, false },
	{ "exec after a thread", exec_program, AFTER_A_THREAD, 0, true },
	{ "a thread calls exit_group", exit_at_once, BESIDE_THE_LEADER, 0, false },
	{ "a thread kills all", kill_itself, BESIDE_THE_LEADER, SIGKILL, false },
	{ "a thread has SIGSEGV", access_nothing, BESIDE_THE_LEADER, SIGSEGV, false },
	{ "a thread executes", exec_program, BESIDE_THE_LEADER, 0, true },
	{ "the last thread exits", exit_thread, AFTER_THE_LEADER, 0, false },
	{ "the last thread calls exit_group", exit_at_once, AFTER_THE_LEADER, 0, false },
	{ "the last thread is killed", kill_itself, AFTER_THE_LEADER, SIGKILL, false },
	{ "the last thread executes", exec_program, AFTER_THE_LEADER, 0, true },
	{ "the last thread fails to execute", fail_to_exec, AFTER_THE_LEADER, 0, false },
};

enum { WAYS = sizeof(ways) / sizeof(*ways) };

/* ---- the parent ---- */

static const struct rlimit no_core = { 0, 0 };

static _Noreturn void be_child(const struct way *way)
{
	size_t page = workload->page_size;
	char *p = workload_try_map((PAGES + 1) * page, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);

	no_access = p + PAGES * page;
	if (setrlimit(RLIMIT_CORE, &no_core) || !p || mprotect(no_access, page, PROT_NONE))
		_exit(126);
	touch_write(workload, p, PAGES);
	munmap(p, PAGES * page);
	then = way->end;
	end_with_threads(way->threads);
	_exit(126);
}

/* What the parent sees of a process that has ended. */
struct seen {
	struct rusage usage, before, after; /* before, after: those of RUSAGE_CHILDREN */
	int status;
	int64_t zombie, score; /* minflt and cminflt in stat, oom_score of the zombie */
};

static void watch_end(struct workload *w, const struct way *way, struct seen *s)
{
	char task[32], path[48];
	siginfo_t info;
	pid_t pid;

	memset(record, 0, sizeof(*record));
	getrusage(RUSAGE_CHILDREN, &s->before);
	pid = fork();
	workload_must(w, pid, "fork");
	if (!pid)
		be_child(way);
	workload_must(w, waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), "waitid");
	snprintf(task, sizeof(task), "%d", (int)pid);
	snprintf(path, sizeof(path), "/proc/%d/oom_score", (int)pid);
	s->zombie = workload_stat(w, task, 10) + workload_stat(w, task, 11);
	s->score = workload_number(path, NULL, 0);
	workload_must(w, wait4(pid, &s->status, 0, &s->usage), "wait4");
	getrusage(RUSAGE_CHILDREN, &s->after);
}

static void must_be(struct workload *w, const struct way *way, const char *what, int64_t seen,
		    int64_t least, int64_t most)
{
	if (seen < least || seen > most)
		workload_fail(w, "%s: %s is %lld instead of %lld%s", way->name, what,
			      (long long)seen, (long long)least, most > least ? " or more" : "");
}

static void compare(struct workload *w, const struct way *way, const struct seen *s)
{
	const struct rusage *u = record->nested ? &record->usage : &s->usage;
	int64_t page = (int64_t)w->page_size / 1024, before = s->before.ru_maxrss;
	/* A program that has just started has taken fewer faults. */
	int64_t more = way->executes ? PAGES / 2 : 0;

	must_be(w, way, "ru_maxrss", u->ru_maxrss / page, record->peak, record->peak);
	must_be(w, way, "ru_minflt", u->ru_minflt, record->minflt, record->minflt + more);
	must_be(w, way, "minflt + cminflt of the zombie", s->zombie, s->usage.ru_minflt,
		s->usage.ru_minflt);
	must_be(w, way, "oom_score of the zombie", s->score, 0, 0);
	must_be(w, way, "ru_minflt of RUSAGE_CHILDREN", s->after.ru_minflt,
		s->before.ru_minflt + s->usage.ru_minflt, s->before.ru_minflt + s->usage.ru_minflt);
	if (s->usage.ru_maxrss > before)
		before = s->usage.ru_maxrss;
	must_be(w, way, "ru_maxrss of RUSAGE_CHILDREN", s->after.ru_maxrss, before, before);
}

static void end_in_each_way(struct workload *w)
{
	int64_t least = INT64_MAX, ended = 0;
	struct seen s;

	workload = w;
	record = workload_map(w, sizeof(*record), PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < WAYS; i++) {
		const struct way *way = &ways[i];

		watch_end(w, way, &s);
		if (WIFEXITED(s.status) && WEXITSTATUS(s.status) == 126)
			continue; /* no thread, or no program in a memfd */
		if (way->signal ? !WIFSIGNALED(s.status) || WTERMSIG(s.status) != way->signal
				: s.status)
			workload_die(w, "%s: the process ended with status %#x", way->name,
				     s.status);
		if (record->peak <= 0)
			workload_skip(w, "VmHWM in status, %s", way->name);
		compare(w, way, &s);
		least = record->peak < least ? record->peak : least;
		ended++;
	}
	workload_report(w, "ended", ended);
	workload_report(w, "least peak", least);
	workload_unmap(w, record, sizeof(*record));
	workload_checked(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_true(j, END, trial_reported(t, END, "ended") >= WAYS - 2,
		   "a process can end in nearly all ways");
	judge_true(j, END,
		   trial_reported(t, END, "least peak") >=
			   PAGES - judge_bound(t, j, METRIC_STATUS_VMHWM, 1),
		   "VmHWM counts what the process has written and unmapped");
}

CASE(fork_ways_to_end) {
	.claim =
		"However a process ends, wait4(2) returns its VmHWM as ru_maxrss and all its faults as ru_minflt: those of threads that have ended, of the program before exec, of reaped children",
	.because =
		"do_exit() and exec_mmap() store the peak of the mm in the signal struct, __exit_signal() adds the faults of a thread, de_thread() releases the other threads. A vfork child has the peak of the mm that it shares.",
	.said_by = SAID_BY("getrusage(2)", "wait4(2)", "proc_pid_stat(5), minflt",
			   "proc_pid_oom_score(5)"),
	.flags = CASE_ONE_CPU,
	.limit_s = 120,
	.steps = STEPS(STEP_AS(END, "end in each way", end_in_each_way, .checks = 1)),
	.judge = judge,
};
