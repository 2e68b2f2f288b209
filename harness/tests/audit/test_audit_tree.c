// SPDX-License-Identifier: MIT
/* All processes and threads of a program are stopped, and later continue as before. */
#include "audit/find.h"
#include "audit/tree.h"
#include "tests/support/child.h"
#include <pthread.h>

enum { HOLD_MS = 5000, THREADS = 3 };

/* The count of each thread of the test's two processes. */
static volatile long *counted;

static void *count(void *arg)
{
	volatile long *mine = arg;

	for (;;)
		++*mine;
	return NULL;
}

static _Noreturn void count_in_threads(size_t first)
{
	pthread_t thread;

	for (size_t i = 1; i < THREADS; i++)
		pthread_create(&thread, NULL, count, (void *)&counted[first + i]);
	count((void *)&counted[first]);
	_exit(0);
}

static pid_t start(void (*body)(void))
{
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	body();
	_exit(0);
}

static bool soon(bool (*is)(pid_t), pid_t pid)
{
	for (int i = 0; i < 500 && !is(pid); i++)
		usleep(10000);
	return is(pid);
}

/* Under valgrind a child's exit status may be that of valgrind. */
static bool is_seven(int status)
{
	return WIFEXITED(status) && (WEXITSTATUS(status) == 7 || getenv("VALGRIND"));
}

static void kill_all(struct tree *t)
{
	int status;

	for (size_t i = 0; i < t->nr_members; i++)
		kill(t->members[i].pid, SIGKILL);
	while (wait(&status) > 0)
		;
	tree_free(t);
}

static const struct traced *member(const struct tree *t, pid_t pid)
{
	for (size_t i = 0; i < t->nr_members; i++)
		if (t->members[i].pid == pid)
			return &t->members[i];
	fail_msg("process %d was not found", pid);
	return NULL;
}

/*
 * Waits until each thread has counted beyond its number in `from`; a busy machine may need a while.
 */
static bool all_have_counted(const long *from)
{
	for (int i = 0; i < 3000; i++) {
		size_t moved = 0;

		for (size_t k = 0; k < 2 * THREADS; k++)
			moved += counted[k] != from[k];
		if (moved == 2 * THREADS)
			return true;
		usleep(10000);
	}
	return false;
}

static void numbers_now(long *numbers)
{
	for (size_t i = 0; i < 2 * THREADS; i++)
		numbers[i] = counted[i];
}

static void two_that_count(void)
{
	if (fork() == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		count_in_threads(THREADS);
	}
	count_in_threads(0);
}

TEST(every_thread_of_every_descendant_is_stopped_and_continued)
{
	struct tree t = { .command = start(two_that_count) };
	long before[2 * THREADS] = { 0 };

	assert_true(all_have_counted(before));
	tree_hold(&t, HOLD_MS);
	assert_true(t.whole);
	assert_int_equal(t.nr_members, 2);
	assert_int_equal(t.members[0].threads, THREADS);
	assert_int_equal(t.members[0].users, THREADS);
	assert_int_equal(t.members[1].threads, THREADS);
	assert_int_equal(t.members[1].parent, t.command);
	numbers_now(before);
	usleep(50000);
	for (size_t i = 0; i < 2 * THREADS; i++)
		assert_int_equal(counted[i], before[i]);
	tree_release(&t);
	assert_true(all_have_counted(before));
	kill_all(&t);
}

static void stop_itself(void)
{
	raise(SIGSTOP);
	_exit(7);
}

static bool is_stopped(pid_t pid)
{
	return find_state(pid, pid) == 'T';
}

TEST(a_process_that_stopped_itself_stays_stopped)
{
	pid_t pid = start(stop_itself);
	OWNED(tree_free) struct tree t = { .command = pid };
	int status;

	assert_true(soon(is_stopped, pid));
	tree_hold(&t, HOLD_MS);
	assert_true(member(&t, pid)->still);
	tree_release(&t);
	usleep(20000);
	assert_int_equal(find_state(pid, pid), 'T');
	kill(pid, SIGCONT);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(is_seven(status));
}

static void sleep_within_vfork(void)
{
	if (vfork() == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	_exit(0);
}

static bool waits_in_vfork(pid_t pid)
{
	return find_state(pid, pid) == 'D' && find_is_in_vfork(pid, pid);
}

TEST(the_parent_of_a_vfork_counts_as_stopped_while_it_waits)
{
	pid_t pid;
	struct tree t = { .whole = false };

	/* valgrind turns vfork(2) into fork(2). */
	if (getenv("VALGRIND"))
		skip();
	pid = start(sleep_within_vfork);
	t.command = pid;
	assert_true(soon(waits_in_vfork, pid));
	tree_hold(&t, HOLD_MS);
	assert_true(t.whole);
	assert_int_equal(t.nr_members, 2);
	assert_true(member(&t, pid)->still);
	assert_int_equal(t.members[0].threads, 1);
	assert_int_equal(t.members[0].users, 2);
	assert_int_equal(t.members[1].users, 2);
	tree_release(&t);
	kill_all(&t);
}

TEST(a_signal_sent_during_a_stop_arrives_afterwards)
{
	OWNED(tree_free) struct tree t = { .command = start((void (*)(void))pause) };
	pid_t pid = t.command;

	tree_hold(&t, HOLD_MS);
	kill(pid, SIGTERM);
	tree_release(&t);
	for (int i = 0; i < 500 && t.command; i++) {
		usleep(10000);
		tree_reap(&t);
	}
	assert_int_equal(t.command, 0);
	assert_true(WIFSIGNALED(t.status));
	assert_int_equal(WTERMSIG(t.status), SIGTERM);
}

/* Starts a child as run_start() does: it waits until it is traced. */
static pid_t start_traced(struct tree *t, void (*body)(void))
{
	int go[2];
	pid_t pid;
	char c;

	assert_int_equal(pipe(go), 0);
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(go[1]);
		if (read(go[0], &c, 1) == 0)
			body();
		_exit(7);
	}
	close(go[0]);
	*t = (struct tree) { .command = pid };
	assert_int_equal(tree_trace(pid), 0);
	tree_is_traced(t);
	close(go[1]);
	return pid;
}

static bool next_end(struct tree *t, struct traced *who)
{
	for (int i = 0; i < 1000; i++) {
		tree_reap(t);
		if (tree_next_end(t, who))
			return true;
		usleep(5000);
	}
	return false;
}

/* Lets every traced process end. Returns the wait status of the command. */
static int end_all(struct tree *t)
{
	struct traced who;
	int status;

	for (int i = 0; i < 1000 && t->command; i++) {
		tree_reap(t);
		while (tree_next_end(t, &who))
			tree_let_end(t, who.pid);
		usleep(5000);
	}
	assert_int_equal(t->command, 0);
	status = t->status;
	tree_free(t);
	return status;
}

static size_t maps_of(pid_t pid)
{
	char path[64], text[4096];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? 0 : read(fd, text, sizeof(text));
	close(fd);
	return n > 0 ? (size_t)n : 0;
}

static void *sleep_on(void *arg)
{
	for (;;)
		pause();
	return arg;
}

static void a_child_with_threads(void)
{
	pthread_t thread;

	if (fork() == 0) {
		for (size_t i = 1; i < THREADS; i++)
			pthread_create(&thread, NULL, sleep_on, NULL);
		_exit(0);
	}
	wait(NULL);
}

TEST(a_traced_process_stops_at_its_end_with_its_memory)
{
	struct traced child, parent;
	struct tree t;
	pid_t pid = start_traced(&t, a_child_with_threads);

	assert_true(next_end(&t, &child));
	assert_int_not_equal(child.pid, pid);
	assert_true(maps_of(child.pid) > 0);
	assert_true(child.threads >= 1);
	assert_false(tree_shares_memory(&t, child.pid));
	tree_let_end(&t, child.pid);
	assert_true(next_end(&t, &parent));
	assert_int_equal(parent.pid, pid);
	assert_int_equal(parent.threads, 1);
	assert_true(maps_of(pid) > 0);
	assert_int_not_equal(t.command, 0);
	tree_let_end(&t, pid);
	assert_true(is_seven(end_all(&t)));
}

static void the_first_thread_leaves(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, sleep_on, NULL);
	pthread_exit(NULL);
}

static bool is_zombie(pid_t pid)
{
	return find_state(pid, pid) == 'Z';
}

TEST(the_end_of_the_first_thread_is_not_the_end_of_the_process)
{
	struct traced who;
	struct tree t;
	pid_t pid = start_traced(&t, the_first_thread_leaves);

	for (int i = 0; i < 1000 && !is_zombie(pid); i++) {
		tree_reap(&t);
		assert_false(tree_next_end(&t, &who));
		usleep(5000);
	}
	assert_true(is_zombie(pid));
	kill(pid, SIGKILL);
	assert_int_equal(WTERMSIG(end_all(&t)), SIGKILL);
}

static void vfork_and_end(void)
{
	if (vfork() == 0)
		_exit(0);
}

TEST(a_process_that_shares_memory_after_vfork_is_recognised)
{
	struct traced who;
	struct tree t;
	pid_t pid;

	/* valgrind turns vfork(2) into fork(2). */
	if (getenv("VALGRIND"))
		skip();
	pid = start_traced(&t, vfork_and_end);
	assert_true(next_end(&t, &who));
	assert_int_not_equal(who.pid, pid);
	assert_true(tree_shares_memory(&t, who.pid));
	assert_true(is_seven(end_all(&t)));
}

static void stop_and_go(void)
{
	raise(SIGSTOP);
	raise(SIGUSR1);
}

TEST(signals_stop_continue_and_kill_a_traced_process)
{
	struct traced who;
	struct tree t;
	pid_t pid = start_traced(&t, stop_and_go);

	/* Waits, so that an audit that wrongly continues the process is noticed. */
	for (int i = 0; i < 20; i++) {
		tree_reap(&t);
		usleep(5000);
	}
	assert_false(tree_next_end(&t, &who));
	tree_hold(&t, HOLD_MS);
	assert_true(t.whole);
	tree_release(&t);
	assert_false(tree_next_end(&t, &who));
	kill(pid, SIGCONT);
	assert_int_equal(WTERMSIG(end_all(&t)), SIGUSR1);
}

static bool is_running(pid_t pid)
{
	return find_state(pid, pid) == 'S';
}

TEST(stopped_processes_continue_when_rssck_is_killed)
{
	int told[2], status;
	pid_t holder, held;

	assert_int_equal(pipe(told), 0);
	holder = fork();
	if (holder == 0) {
		struct tree t = { .command = fork() };

		if (t.command == 0) {
			for (;;)
				pause();
		}
		tree_hold(&t, HOLD_MS);
		if (write(told[1], &t.command, sizeof(t.command)) > 0)
			pause();
		_exit(1);
	}
	assert_int_equal(read(told[0], &held, sizeof(held)), sizeof(held));
	assert_int_equal(find_state(held, held), 't');
	kill(holder, SIGKILL);
	waitpid(holder, &status, 0);
	assert_true(soon(is_running, held));
	kill(held, SIGKILL);
	waitpid(held, &status, 0);
	close(told[0]);
	close(told[1]);
}

FIXTURE(setup)
{
	counted = (volatile long *)map_shared(4096);
	return adopt_orphans(state);
}

TESTS_SHARE(setup, NULL);
