// SPDX-License-Identifier: MIT
/*
 * The ways in which a new process, thread or program may inherit an attribute, and those in which a
 * change of the attribute may reach another one, for fork/inherited.
 */
#ifndef CASES_FORK_INHERITED_H
#define CASES_FORK_INHERITED_H

#include "attributes.h"
#include "child.h"
#include <sys/ptrace.h>

/* What is known of the attribute: by value() and, if the attribute has an option, by prctl(2). */
struct known {
	int64_t value;
	int by_prctl;
};

/* What the child of a way has read; in shared memory. */
static struct seen {
	struct known now;
	int error; /* of exec or ptrace */
	pid_t tid; /* 0 as soon as the child has ended */
} * seen;

static int by_prctl(void)
{
	return attribute->option ? prctl(attribute->option, 0, 0, 0, 0) : 0;
}

static struct known look(void)
{
	return (struct known) { attribute->value((pid_t)syscall(SYS_gettid)), by_prctl() };
}

/* ---- what the child of a way does ---- */

static int read_value(void *unused)
{
	(void)unused;
	seen->now = look();
	return 0;
}

static int set_value(void *unused)
{
	(void)unused;
	if (!attribute->set())
		seen->error = errno;
	return 0;
}

static int fork_and_read(void *unused)
{
	pid_t pid = fork();

	if (!pid) {
		read_value(unused);
		syscall(SYS_exit_group, 0);
	}
	if (pid < 0)
		seen->error = errno;
	else
		waitpid(pid, NULL, 0);
	return 0;
}

/* The new program stops before its first instruction. If it goes on, it calls prctl(2). */
static int exec_program(void *set)
{
	char option[16];

	snprintf(option, sizeof(option), "%d", attribute->option);
	if ((set && !attribute->set()) || ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0 ||
	    execl("/proc/thread-self/exe", "rssck-workload", "--prctl", option, (char *)NULL) < 0)
		seen->error = errno;
	syscall(SYS_exit_group, 1);
	return 1;
}

/* The first thread waits; exec by the other one ends it. */
static int exec_in_thread(void *set)
{
	if (set && !attribute->set())
		seen->error = errno;
	else if (clone(exec_program, stacks + STACK_BYTES, THREAD, NULL) < 0)
		seen->error = errno;
	if (!seen->error)
		for (;;)
			pause();
	_exit(1);
}

static int refused_exec(void *unused)
{
	seen->error = exec_no_program();
	return read_value(unused);
}

/* ---- ways ---- */

enum effect { BY_FORK, BY_SHARING, BY_EXEC };

static const struct way {
	const char *name;
	int flags; /* of clone(2); 0 if there is no child */
	int (*run)(void *argument);
	void *argument;
	enum effect effect;
} ways[] = {
	{ "fork", SIGCHLD, read_value, NULL, BY_FORK },
	{ "vfork", CLONE_VM | CLONE_VFORK | SIGCHLD, read_value, NULL, BY_SHARING },
	{ "clone(CLONE_VM)", CLONE_VM | SIGCHLD, read_value, NULL, BY_SHARING },
	{ "a new thread", THREAD, read_value, NULL, BY_SHARING },
	{ "fork in a new thread", THREAD, fork_and_read, NULL, BY_FORK },
	{ "exec", SIGCHLD, exec_program, &seen, BY_EXEC },
	{ "vfork and exec", CLONE_VM | CLONE_VFORK | SIGCHLD, exec_program, NULL, BY_EXEC },
	{ "fork and exec", SIGCHLD, exec_program, NULL, BY_EXEC },
	{ "exec by another thread", SIGCHLD, exec_in_thread, &seen, BY_EXEC },
	{ "fork and exec by another thread", SIGCHLD, exec_in_thread, NULL, BY_EXEC },
	{ "exec that is refused", 0, refused_exec, NULL, BY_SHARING },
};

/* In these ways the child changes the attribute. vfork is before CLONE_VM (__set_oom_adj()). */
static const struct change {
	struct way way;
	unsigned reaches; /* the scopes whose attributes change in the parent, too; as bits */
} changes[] = {
	{ { "a forked child", SIGCHLD, set_value, NULL, BY_FORK }, 0 },
	{ { "a vfork child", CLONE_VM | CLONE_VFORK | SIGCHLD, set_value, NULL, BY_SHARING },
	  1U << OF_MM },
	{ { "a child with CLONE_VM", CLONE_VM | SIGCHLD, set_value, NULL, BY_SHARING },
	  1U << OF_MM | 1U << OF_KILLER },
	{ { "a thread", THREAD, set_value, NULL, BY_SHARING },
	  1U << OF_MM | 1U << OF_KILLER | 1U << OF_PROCESS },
};

static enum becomes becomes(const struct way *y)
{
	return y->effect == BY_EXEC   ? attribute->exec
	       : y->effect == BY_FORK ? attribute->fork
				      : STAYS;
}

/* Lets the new program ask prctl(2), whose value is its exit status. */
static void await_answer(pid_t pid)
{
	int status = 0;

	seen->now.value = attribute->value(pid);
	seen->now.by_prctl = NOT_READ;
	ptrace(PTRACE_CONT, pid, NULL, NULL);
	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status))
		ptrace(PTRACE_CONT, pid, NULL, NULL);
	if (WIFEXITED(status))
		seen->now.by_prctl = WEXITSTATUS(status);
}

static void await_process(const struct way *y, pid_t pid)
{
	int status = 0;

	waitpid(pid, &status, WUNTRACED);
	if (WIFSTOPPED(status) && y->effect == BY_EXEC)
		await_answer(pid);
}

/* Returns false with errno if the way is impossible. */
static bool go(const struct way *y)
{
	pid_t pid;

	seen->now = (struct known) { NOT_READ, NOT_READ };
	seen->error = 0;
	pid = child_run(y->flags, y->run, y->argument, &seen->tid);
	if (pid < 0)
		return false;
	if (y->flags & CLONE_THREAD)
		child_await_thread(&seen->tid);
	else if (y->flags)
		await_process(y, pid);
	errno = seen->error;
	return !seen->error;
}

/* ---- comparison ---- */

static int differs(const char *who, const char *how, struct known is, struct known should)
{
	if (is.by_prctl != should.by_prctl)
		return workload_say(WRONG, "prctl(2) %s%s is %d, should be %d", who, how,
				    is.by_prctl, should.by_prctl);
	if (is.value == should.value)
		return FINE;
	return workload_say(WRONG, "%" PRId64 " %s%s, should be %" PRId64, is.value, who, how,
			    should.value);
}

static int compare(const struct way *y, struct known was, bool *reset)
{
	enum becomes b = becomes(y);
	struct known expected = b == IS_0 ? (struct known) { 0, 0 } : was;
	int result;

	if (!go(y))
		return workload_say(IMPOSSIBLE, "%s: %m", y->name);
	if (seen->now.value == NOT_READ || seen->now.by_prctl == NOT_READ)
		return workload_say(IMPOSSIBLE, "%s: the child ended before it was read", y->name);
	if (b == STAYS_OR_IS_0 && seen->now.value == 0) {
		*reset |= y->effect == BY_EXEC;
		expected = (struct known) { 0, 0 };
	}
	/* Only the process itself can read it, or there is only prctl(2) to read it. */
	if (seen->now.value == UNKNOWN && (y->effect == BY_EXEC || was.value == UNKNOWN))
		seen->now.value = expected.value;
	result = differs("after ", y->name, seen->now, expected);
	return result ? result : differs("in the parent after ", y->name, look(), was);
}

static int try_change(const struct change *c, struct known before, struct known set)
{
	if (!go(&c->way))
		return workload_say(IMPOSSIBLE, "%s: %m", c->way.name);
	return differs("after a change by ", c->way.name, look(),
		       c->reaches & 1U << attribute->scope ? set : before);
}

/* Each change is tried in a process of its own, in which the attribute is not set yet. */
static int try_changes(struct known set)
{
	int result = FINE;

	for (size_t i = 0; i < sizeof(changes) / sizeof(*changes) && !result; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(try_change(&changes[i], look(), set));
		result = workload_result_of(pid, IMPOSSIBLE);
	}
	return result;
}

/* Returns what the attribute is when it is set. */
static struct known once_set(void)
{
	struct known none = { UNKNOWN, UNKNOWN };
	pid_t pid = fork();

	if (!pid) {
		seen->error = attribute->set() ? 0 : errno;
		seen->now = look();
		_exit(0);
	}
	return workload_result_of(pid, -1) || seen->error ? none : seen->now;
}

static int try_ways(const struct workload *w)
{
	struct known before, now;
	int result = FINE;
	bool reset = false;

	page = w->page_size;
	seen = workload_try_map(page, PROT_READ | PROT_WRITE, MAP_SHARED, -1);
	if (!seen || !stacks_map())
		return workload_say(IMPOSSIBLE, "mmap: %m");
	before = look();
	now = attribute->scope ? once_set() : before;
	if (attribute->scope && now.by_prctl != UNKNOWN)
		result = try_changes(now);
	if (result)
		return result;
	if (!attribute->set())
		return workload_say(IMPOSSIBLE, "%m");
	now = look();
	if (now.value == before.value && now.by_prctl == before.by_prctl)
		return workload_say(IMPOSSIBLE, "the value stays %" PRId64, now.value);
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways) && !result; i++)
		result = compare(&ways[i], now, &reset);
	return result ? result : reset ? RESET_BY_EXEC : FINE;
}

/* Tries `attribute`, called `name`. Returns false if exec resets it. */
static bool must_be_inherited(struct workload *w, const char *name)
{
	char text[256];
	int result = workload_in_child_that_says(w, try_ways, text, sizeof(text));

	if (result == IMPOSSIBLE)
		workload_skip_step(w, "a way to change %s (%s)", name, text);
	if (result != FINE && result != RESET_BY_EXEC)
		workload_fail(w, "%s: %s", name, text);
	return result == FINE;
}

/* Tries the attribute that is the step's argument. */
static inline void each_way(struct workload *w)
{
	attribute = &attributes[w->argument];
	workload_report(w, "kept", must_be_inherited(w, attribute->name));
	workload_checked(w);
}

#endif
