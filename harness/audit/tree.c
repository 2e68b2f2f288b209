// SPDX-License-Identifier: MIT
/* Finds, stops and releases the processes of a program. */
#include "tree.h"
#include "base/clock.h"
#include "base/memory.h"
#include "find.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>

enum {
	ROUNDS = 50,     /* number of searches for new processes; a program that forks faster is not
			    stopped completely */
	PAUSE_US = 50,   /* pause between two checks for threads that have not stopped yet */
	PATIENCE_MS = 2, /* after this time, find out why a thread does not stop */
	ENDING_MS = 20, /* how long to wait for the other threads of a process whose first thread is
			   about to end */
};

enum {
	TRACED = PTRACE_O_TRACEEXIT | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE
};

static struct thread *thread_of(const struct tree *t, pid_t tid)
{
	for (size_t i = t->nr_threads; i > 0; i--)
		if (t->threads[i - 1].tid == tid)
			return &t->threads[i - 1];
	return NULL;
}

static bool stands_at_end(const struct thread *thread)
{
	return thread->leaving && thread->standing == STANDING_HELD;
}

static void thread_forget(struct tree *t, pid_t tid)
{
	struct thread *thread = thread_of(t, tid);

	if (thread)
		*thread = t->threads[--t->nr_threads];
}

static struct thread *thread_put(struct tree *t, const struct thread *thread)
{
	t->threads = memory_one_more(t->threads, t->nr_threads, sizeof(*t->threads),
				     "the threads of a program");
	t->threads[t->nr_threads] = *thread;
	return &t->threads[t->nr_threads++];
}

/*
 * PTRACE_LISTEN lets a thread that a signal such as SIGSTOP has stopped remain stopped, and reports
 * when it continues.
 */
static void go_on(struct thread *thread)
{
	void *signal = (void *)(intptr_t)thread->signal;

	if (thread->stopped)
		ptrace(PTRACE_LISTEN, thread->tid, NULL, NULL);
	else
		ptrace(PTRACE_CONT, thread->tid, NULL, signal);
	thread->standing = STANDING_RUNS;
}

static void let_go(const struct tree *t, struct thread *thread)
{
	if (t->traced) {
		go_on(thread);
		return;
	}
	/* ESRCH: the thread was killed meanwhile, which wait(2) will report. */
	if (ptrace(PTRACE_DETACH, thread->tid, NULL, (void *)(intptr_t)thread->signal) == 0 ||
	    errno != ESRCH)
		thread->seized = false;
}

/* A new thread stops before it runs. This may be reported before its parent's fork. */
static struct thread *born(struct tree *t, pid_t tid)
{
	const struct thread thread = { .tid = tid, .pid = find_process(tid), .seized = true };

	return thread_put(t, &thread);
}

/*
 * Notes a stop that wait(2) reported. Without `stopping`, the thread is released unless it is about
 * to end.
 */
static void note_stop(struct tree *t, pid_t tid, int status, bool stopping)
{
	struct thread *thread = thread_of(t, tid);
	int event = status >> 16;

	if (!thread && t->traced)
		thread = born(t, tid);
	if (!thread || !thread->seized)
		return;
	thread->standing = STANDING_HELD;
	/* Without an event, the stop delivers a signal. */
	thread->signal = event ? 0 : WSTOPSIG(status);
	thread->stopped = event == PTRACE_EVENT_STOP && WSTOPSIG(status) != SIGTRAP;
	thread->leaving = event == PTRACE_EVENT_EXIT;
	if (stopping || event == PTRACE_EVENT_EXIT)
		return;
	let_go(t, thread);
	if (!t->traced)
		thread_forget(t, tid);
}

static void reap(struct tree *t, bool stopping)
{
	struct rusage usage;
	int status;
	pid_t pid;

	while ((pid = wait4(-1, &status, __WALL | WNOHANG, &usage)) > 0) {
		if (WIFSTOPPED(status)) {
			note_stop(t, pid, status, stopping);
			continue;
		}
		thread_forget(t, pid);
		if (pid != t->command)
			continue;
		t->command = 0;
		t->status = status;
		t->usage = usage;
	}
}

void tree_reap(struct tree *t)
{
	reap(t, false);
}

static struct traced *member_add(struct tree *t, pid_t pid, pid_t parent)
{
	t->members = memory_one_more(t->members, t->nr_members, sizeof(*t->members),
				     "the processes of a program");
	t->members[t->nr_members] = (struct traced) { .pid = pid, .parent = parent };
	return &t->members[t->nr_members++];
}

static struct traced *member_of(const struct tree *t, pid_t pid)
{
	for (size_t i = 0; i < t->nr_members; i++)
		if (t->members[i].pid == pid)
			return &t->members[i];
	return NULL;
}

int tree_trace(pid_t pid)
{
	return ptrace(PTRACE_SEIZE, pid, NULL, (void *)(intptr_t)TRACED) ? -1 : 0;
}

void tree_is_traced(struct tree *t)
{
	const struct thread thread = { .tid = t->command, .pid = t->command, .seized = true };

	t->traced = true;
	thread_put(t, &thread);
}

static void thread_add(struct tree *t, pid_t pid, pid_t tid)
{
	struct thread thread = { .tid = tid, .pid = pid };
	intptr_t options = t->traced ? TRACED : 0;

	/*
	 * PTRACE_SEIZE also fails if rssck traces the thread already, but its first stop was not
	 * reported yet.
	 */
	thread.seized = ptrace(PTRACE_SEIZE, tid, NULL, (void *)options) == 0 ||
			(t->traced && find_tracer(tid) == getpid());
	if (thread.seized)
		ptrace(PTRACE_INTERRUPT, tid, NULL, NULL);
	thread_put(t, &thread);
}

static size_t threads_find(struct tree *t, pid_t pid)
{
	struct pids found = { .of = NULL };
	size_t added = 0;

	find_threads(pid, &found);
	for (size_t i = 0; i < found.nr; i++) {
		if (thread_of(t, found.of[i]))
			continue;
		thread_add(t, pid, found.of[i]);
		added++;
	}
	pids_free(&found);
	return added;
}

static size_t members_add(struct tree *t, const struct pids *found, pid_t parent)
{
	size_t added = 0;

	for (size_t i = 0; i < found->nr; i++) {
		if (found->of[i] == t->guard || member_of(t, found->of[i]))
			continue;
		member_add(t, found->of[i], parent);
		added++;
	}
	return added;
}

/*
 * Adds all processes and threads that are not in the tables yet, and interrupts the threads.
 * Returns their number. The list of members grows during the loop.
 */
static size_t find_new(struct tree *t)
{
	struct pids found = { .of = NULL };
	size_t added = 0;

	find_children(getpid(), &found);
	added += members_add(t, &found, 0);
	for (size_t i = 0; i < t->nr_members; i++) {
		pid_t pid = t->members[i].pid;

		added += threads_find(t, pid);
		found.nr = 0;
		find_children(pid, &found);
		added += members_add(t, &found, pid);
	}
	pids_free(&found);
	return added;
}

/* A thread that another thread's exec(2) ended is dropped, because no event reports its end. */
static void interrupt_traced(struct tree *t)
{
	for (size_t i = 0; t->traced && i < t->nr_threads;) {
		struct thread *thread = &t->threads[i];

		if (thread->standing == STANDING_HELD) {
			i++;
		} else if (find_state(thread->pid, thread->tid)) {
			ptrace(PTRACE_INTERRUPT, thread->tid, NULL, NULL);
			i++;
		} else {
			*thread = t->threads[--t->nr_threads];
		}
	}
}

/* Notes a thread that is not stopped but does not run, because it waits, sleeps or has ended. */
static void ask(struct thread *thread)
{
	char state = find_state(thread->pid, thread->tid);

	if (!state || state == 'Z' || state == 'X')
		thread->standing = STANDING_RESTS;
	else if (state == 'D' && find_is_in_vfork(thread->pid, thread->tid))
		thread->standing = STANDING_RESTS;
	else if (!thread->seized && (state == 'S' || state == 'T' || state == 't' || state == 'I'))
		thread->standing = STANDING_RESTS;
}

static bool all_stand(struct tree *t, bool asking)
{
	bool all = true;

	for (size_t i = 0; i < t->nr_threads; i++) {
		struct thread *thread = &t->threads[i];

		if (thread->standing == STANDING_RUNS && (asking || !thread->seized))
			ask(thread);
		all &= thread->standing != STANDING_RUNS;
	}
	return all;
}

static void wait_for_stops(struct tree *t, int64_t until)
{
	int64_t patience = now_ms() + PATIENCE_MS;

	for (;;) {
		int64_t now;

		reap(t, true);
		now = now_ms();
		if (all_stand(t, now >= patience) || now >= until)
			return;
		nanosleep(&(struct timespec) { .tv_nsec = PAUSE_US * 1000L }, NULL);
	}
}

static struct traced *first_of_memory(const struct tree *t, struct traced *m)
{
	struct traced *parent = member_of(t, m->parent);

	while (parent && find_is_same_memory(m->pid, parent->pid)) {
		m = parent;
		parent = member_of(t, m->parent);
	}
	return m;
}

/* Each thread that shares the memory may hold back counts. */
static void note_users(struct tree *t)
{
	for (size_t i = 0; i < t->nr_members; i++) {
		struct traced *m = &t->members[i], *first = first_of_memory(t, m);

		first->users += m->threads;
		first->still &= m->still;
	}
	for (size_t i = 0; i < t->nr_members; i++) {
		struct traced *m = &t->members[i], *first = first_of_memory(t, m);

		m->users = first->users;
		m->still = first->still;
	}
}

static void note_members(struct tree *t)
{
	for (size_t i = 0; i < t->nr_members; i++)
		t->members[i].still = true;
	for (size_t i = 0; i < t->nr_threads; i++) {
		struct traced *m = member_of(t, t->threads[i].pid);

		if (!m)
			continue;
		m->threads++;
		m->still &= t->threads[i].standing != STANDING_RUNS;
		m->denied |= !t->threads[i].seized;
	}
	note_users(t);
	for (size_t i = 0; i < t->nr_members; i++) {
		struct traced *m = &t->members[i];
		char state = find_state(m->pid, m->pid);

		m->ended = !state || ((state == 'Z' || state == 'X') && m->threads <= 1);
		t->whole &= m->still;
	}
}

void tree_hold(struct tree *t, int64_t limit_ms)
{
	int64_t until = now_ms() + limit_ms;
	size_t added = 1;

	t->nr_members = 0;
	interrupt_traced(t);
	for (int round = 0; added && round < ROUNDS && now_ms() < until; round++) {
		added = find_new(t);
		wait_for_stops(t, until);
	}
	t->whole = added == 0;
	note_members(t);
}

/*
 * Threads that are about to end stay stopped (tree_next_end(), tree_let_end()). A thread that stops
 * later for another reason is released immediately.
 */
void tree_release(struct tree *t)
{
	reap(t, true);
	for (size_t i = 0; i < t->nr_threads;) {
		struct thread *thread = &t->threads[i];

		if (stands_at_end(thread)) {
			i++;
			continue;
		}
		if (thread->seized && thread->standing == STANDING_HELD)
			let_go(t, thread);
		if (thread->seized) {
			thread->standing = STANDING_RUNS;
			i++;
		} else {
			*thread = t->threads[--t->nr_threads];
		}
	}
}

/*
 * Returns how many of the process's threads are about to end. *running is the number of its other
 * living threads.
 */
static unsigned at_end(const struct tree *t, pid_t pid, unsigned *running)
{
	struct pids found = { .of = NULL };
	unsigned standing = 0;

	*running = 0;
	find_threads(pid, &found);
	for (size_t i = 0; i < found.nr; i++) {
		const struct thread *thread = thread_of(t, found.of[i]);
		char state = find_state(pid, found.of[i]);

		if (thread && stands_at_end(thread))
			standing++;
		else
			*running += state && state != 'Z' && state != 'X';
	}
	pids_free(&found);
	return standing;
}

/*
 * Waits until all threads of a process are about to end, and returns their number. Returns 0 if
 * some thread continues: the process then cannot be read, because /proc/PID belongs to the first
 * thread.
 */
static unsigned all_at_end(struct tree *t, pid_t pid)
{
	int64_t until = now_ms() + ENDING_MS;
	unsigned standing, running;

	for (;;) {
		standing = at_end(t, pid, &running);
		if (!running || now_ms() >= until)
			return running ? 0 : standing;
		nanosleep(&(struct timespec) { .tv_nsec = PAUSE_US * 1000L }, NULL);
		reap(t, false);
	}
}

bool tree_next_end(struct tree *t, struct traced *who)
{
	size_t i = 0;

	while (i < t->nr_threads) {
		struct thread thread = t->threads[i];
		unsigned threads;

		if (!stands_at_end(&thread)) {
			i++;
			continue;
		}
		threads = thread.tid == thread.pid ? all_at_end(t, thread.pid) : 0;
		if (threads) {
			*who = (struct traced) { thread.pid, .threads = threads, .users = threads,
						 .still = true };
			return true;
		}
		/* Waiting may have moved the thread in the table. */
		if (thread_of(t, thread.tid))
			let_go(t, thread_of(t, thread.tid));
		i = 0;
	}
	return false;
}

void tree_let_end(struct tree *t, pid_t pid)
{
	for (size_t i = 0; i < t->nr_threads; i++)
		if (t->threads[i].pid == pid && stands_at_end(&t->threads[i]))
			let_go(t, &t->threads[i]);
}

/* Also true if sharing cannot be determined (no CONFIG_KCMP). */
bool tree_shares_memory(const struct tree *t, pid_t pid)
{
	if (!find_is_same_memory(pid, pid))
		return true;
	for (size_t i = 0; i < t->nr_threads; i++) {
		const struct thread *thread = &t->threads[i];

		if (thread->pid != pid && thread->tid == thread->pid &&
		    find_is_same_memory(pid, thread->pid))
			return true;
	}
	return false;
}

void tree_free(struct tree *t)
{
	free(t->threads);
	free(t->members);
	*t = (struct tree) { .command = 0 };
}
