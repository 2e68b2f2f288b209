// SPDX-License-Identifier: MIT
/* Holds the processes of a program. */
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
	ROUNDS = 50,     /* a program that forks faster than we look is not held as a whole */
	PAUSE_US = 50,   /* between two looks at those that have not stopped yet */
	PATIENCE_MS = 2, /* then it is asked what they wait for */
};

static struct thread *thread_of(struct tree *t, pid_t tid)
{
	for (size_t i = t->nr_threads; i > 0; i--)
		if (t->threads[i - 1].tid == tid)
			return &t->threads[i - 1];
	return NULL;
}

static void thread_forget(struct tree *t, pid_t tid)
{
	struct thread *thread = thread_of(t, tid);

	if (thread)
		*thread = t->threads[--t->nr_threads];
}

/* Let one go that has stopped. */
static void let_go(struct thread *thread)
{
	/* Killed meanwhile: wait(2) tells. */
	if (ptrace(PTRACE_DETACH, thread->tid, NULL, (void *)(intptr_t)thread->signal) == 0 ||
	    errno != ESRCH)
		thread->seized = false;
}

/* `held`: we are holding; otherwise what stops now was asked to long ago, and may go on. */
static void note_stop(struct tree *t, pid_t tid, int status, bool held)
{
	struct thread *thread = thread_of(t, tid);

	if (!thread || !thread->seized)
		return;
	thread->standing = STANDING_HELD;
	/* Not an interrupt's or a group's stop: a signal is on its way. */
	thread->signal = status >> 16 ? 0 : WSTOPSIG(status);
	if (held)
		return;
	let_go(thread);
	thread_forget(t, tid);
}

static void reap(struct tree *t, bool held)
{
	struct rusage usage;
	int status;
	pid_t pid;

	while ((pid = wait4(-1, &status, __WALL | WNOHANG, &usage)) > 0) {
		if (WIFSTOPPED(status)) {
			note_stop(t, pid, status, held);
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

static struct held *member_add(struct tree *t, pid_t pid, pid_t parent)
{
	if (t->nr_members == t->member_room) {
		t->member_room = t->member_room ? 2 * t->member_room : 64;
		t->members = reallocarray(t->members, t->member_room, sizeof(*t->members));
		if (!t->members)
			memory_gone("the processes of a program");
	}
	t->members[t->nr_members] = (struct held) { .pid = pid, .parent = parent };
	return &t->members[t->nr_members++];
}

static struct held *member_of(struct tree *t, pid_t pid)
{
	for (size_t i = 0; i < t->nr_members; i++)
		if (t->members[i].pid == pid)
			return &t->members[i];
	return NULL;
}

static void thread_add(struct tree *t, pid_t pid, pid_t tid)
{
	struct thread thread = { .tid = tid, .pid = pid };

	if (t->nr_threads == t->thread_room) {
		t->thread_room = t->thread_room ? 2 * t->thread_room : 64;
		t->threads = reallocarray(t->threads, t->thread_room, sizeof(*t->threads));
		if (!t->threads)
			memory_gone("the threads of a program");
	}
	thread.seized = ptrace(PTRACE_SEIZE, tid, NULL, NULL) == 0;
	if (thread.seized)
		ptrace(PTRACE_INTERRUPT, tid, NULL, NULL);
	t->threads[t->nr_threads++] = thread;
}

/* The threads of a process that are not held yet; how many. */
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

/* Everybody who is there and not held yet; how many. Members grow while they are walked. */
static size_t find_new(struct tree *t)
{
	struct pids found = { .of = NULL };
	size_t added = 0;

	find_children(getpid(), &found);
	for (size_t i = 0; i < found.nr; i++)
		if (!member_of(t, found.of[i]))
			member_add(t, found.of[i], 0);
	for (size_t i = 0; i < t->nr_members; i++) {
		pid_t pid = t->members[i].pid;

		added += threads_find(t, pid);
		found.nr = 0;
		find_children(pid, &found);
		for (size_t k = 0; k < found.nr; k++)
			if (!member_of(t, found.of[k]))
				member_add(t, found.of[k], pid);
	}
	pids_free(&found);
	return added;
}

/* What stands still without us. */
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

static void note_members(struct tree *t)
{
	for (size_t i = 0; i < t->nr_members; i++)
		t->members[i].still = true;
	for (size_t i = 0; i < t->nr_threads; i++) {
		struct held *m = member_of(t, t->threads[i].pid);

		if (!m)
			continue;
		m->threads++;
		m->still &= t->threads[i].standing != STANDING_RUNS;
		m->denied |= !t->threads[i].seized;
	}
	for (size_t i = 0; i < t->nr_members; i++) {
		struct held *m = &t->members[i];
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
	for (int round = 0; added && round < ROUNDS && now_ms() < until; round++) {
		added = find_new(t);
		wait_for_stops(t, until);
	}
	t->whole = added == 0;
	note_members(t);
}

/* Who has not stopped yet is let go when he does. */
void tree_release(struct tree *t)
{
	reap(t, true);
	for (size_t i = 0; i < t->nr_threads;) {
		struct thread *thread = &t->threads[i];

		if (thread->seized && thread->standing == STANDING_HELD)
			let_go(thread);
		if (thread->seized) {
			thread->standing = STANDING_RUNS;
			i++;
		} else {
			*thread = t->threads[--t->nr_threads];
		}
	}
}

size_t tree_count(struct tree *t)
{
	struct pids found = { .of = NULL };
	size_t n;

	find_children(getpid(), &found);
	for (n = 0; n < found.nr; n++)
		find_children(found.of[n], &found);
	pids_free(&found);
	(void)t;
	return n;
}

void tree_free(struct tree *t)
{
	free(t->threads);
	free(t->members);
	*t = (struct tree) { .command = 0 };
}
