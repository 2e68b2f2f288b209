// SPDX-License-Identifier: MIT
/*
 * A workload for the tests, not for a case: it crashes, hangs or gives up at the step that the test
 * names.
 */
#include "misbehaving.h"
#include <errno.h>
#include <rssck/case.h>
#include <rssck/workload.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REGION, SHARED, FIRST_FREE_PROCESS = 2 };

static void exits(struct workload *w)
{
	(void)w;
	_exit(MISBEHAVING_STATUS);
}

static void exits_as_if_all_was_well(struct workload *w)
{
	(void)w;
	_exit(0);
}

static void raises(struct workload *w)
{
	(void)w;
	raise(SIGSEGV);
}

static void hangs(struct workload *w)
{
	(void)w;
	for (;;)
		pause();
}

/* A stopped process handles only SIGKILL and SIGCONT. */
static void stops(struct workload *w)
{
	(void)w;
	raise(SIGSTOP);
}

static void waits(struct workload *w)
{
	const char *fd = getenv(MISBEHAVE_TELL);
	pid_t self = getpid();

	if (!fd || write(atoi(fd), &self, sizeof(self)) != sizeof(self))
		workload_die(w, "there is nobody to tell");
	hangs(w);
}

/* Reads one letter of the test's script for each try: the verdict that this try must have. */
static void follows_the_script(struct workload *w)
{
	const char *fd = getenv(MISBEHAVE_TELL);
	char letter;

	if (!fd || read(atoi(fd), &letter, 1) != 1)
		workload_die(w, "the script is too short");
	if (letter == 's')
		workload_skip(w, "as the script says");
	if (letter == 'f')
		workload_fail(w, "as the script says");
	if (letter == 'o')
		workload_fail_once(w, "as the script says");
	if (letter == 'e')
		workload_die(w, "as the script says");
}

static void skips(struct workload *w)
{
	workload_skip(w, "a %s: ENOSYS", "made-up call");
}

static void skips_the_step(struct workload *w)
{
	workload_skip_step(w, "a made-up flag: EINVAL");
}

static void skips_the_step_late(struct workload *w)
{
	void *p = workload_map(w, MISBEHAVING_PAGES * w->page_size, PROT_READ, MAP_SHARED,
			       workload_file(w, MISBEHAVING_PAGES), 0);

	touch_read(w, p, MISBEHAVING_PAGES);
	workload_written(w, MISBEHAVING_PAGES);
	workload_expect(w, ANON_WRITE(MISBEHAVING_PAGES));
	errno = EDQUOT;
	workload_skip_step(w, "a made-up flag: %m");
}

/* The mapping is not reported to the engine. */
static void skips_the_step_untidily(struct workload *w)
{
	void *p = mmap(NULL, MISBEHAVING_PAGES * w->page_size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	workload_must(w, (p == MAP_FAILED) ? -1 : 0, "mmap");
	workload_skip_step(w, "a made-up flag: EINVAL");
}

/*
 * Acts on a CPU other than its own, then returns: this looks as if another process had acted on its
 * memory.
 */
static void acts_elsewhere(struct workload *w)
{
	int here = sched_getcpu(), there = 0;
	cpu_set_t own;

	/* The process is pinned to one CPU, so the other CPUs come from the parent's set. */
	workload_must(w, sched_getaffinity(getppid(), sizeof(own), &own), "sched_getaffinity");
	while (there < CPU_SETSIZE && (there == here || !CPU_ISSET(there, &own)))
		there++;
	workload_pin(w, there);
	touch_write(w, w->slot[REGION], MISBEHAVING_PAGES);
	workload_pin(w, here);
}

static int is_killed(const struct workload *w)
{
	(void)w;
	return raise(SIGKILL);
}

static int says_seven(const struct workload *w)
{
	(void)w;
	return 7;
}

static void has_a_child_killed(struct workload *w)
{
	workload_in_child(w, is_killed);
}

static void asks_a_child(struct workload *w)
{
	workload_fail(w, "the child says %d", workload_in_child(w, says_seven));
}

static void reads_numbers(struct workload *w)
{
	const char *path = getenv(MISBEHAVE_FILE);

	workload_fail(w, "%lld %lld %lld %lld", (long long)workload_number(path, NULL, -7),
		      (long long)workload_number(path, "anon", -7),
		      (long long)workload_number(path, "VmLck", -7),
		      (long long)workload_number(path, "Vm", -7));
}

static void sets_what_is_not_there(struct workload *w)
{
	workload_set(w, "/nowhere/setting", "1");
}

static void waits_in_vain(struct workload *w)
{
	struct patience p = { .seconds = 1 };

	for (;;)
		workload_wait(w, &p, "a %s that is made up", "thing");
}

/* Waits after each check except the last, so there is one more check than there are waits. */
static void waits_a_little(struct workload *w)
{
	struct patience p = { .seconds = 10 };
	int asked = 0, paused = 0;

	while (++asked < 4)
		paused += workload_pause(&p);
	workload_fail(w, "asked %d times, paused %d times", asked, paused);
}

static int64_t answers(const struct workload *w)
{
	touch_write(w, w->slot[REGION], 1);
	return getppid();
}

static void has_a_companion(struct workload *w)
{
	int64_t answer;
	pid_t pid = workload_companion(w, answers, &answer);
	bool lives = kill(pid, 0) == 0, knows_us = answer == getpid();

	workload_companion_ends(pid);
	workload_fail(w, "it %s us, %s and %s", knows_us ? "knows" : "knows not",
		      lives ? "stays" : "is gone", kill(pid, 0) < 0 ? "ends" : "stays on");
}

static int64_t dies_at_once(const struct workload *w)
{
	(void)w;
	return raise(SIGKILL);
}

static void has_a_dead_companion(struct workload *w)
{
	workload_companion(w, dies_at_once, NULL);
}

static void restores(void)
{
	workload_try_to_set(getenv(MISBEHAVE_FILE), "1");
}

static void is_killed_under_a_guard(struct workload *w)
{
	workload_guard_begin(w, restores);
	raise(SIGKILL);
}

/* A child of the workload also has the guard's pipe open; the guard must end nevertheless. */
static void ends_a_guard(struct workload *w)
{
	struct workload_guard g = workload_guard_begin(w, restores);
	int64_t before = workload_number(getenv(MISBEHAVE_FILE), NULL, -1);
	pid_t child = workload_companion(w, answers, NULL);

	workload_guard_end(w, &g);
	workload_companion_ends(child);
	workload_fail(w, "the setting was %d and is %d", (int)before,
		      (int)workload_number(getenv(MISBEHAVE_FILE), NULL, -1));
}

static void fails(struct workload *w)
{
	workload_fail(w, "the file holds %d", 7);
}

static void dies(struct workload *w)
{
	workload_die(w, "mmap: made up");
}

static void forks_one_too_many(struct workload *w)
{
	workload_fork(w, FIRST_FREE_PROCESS);
}

/* The forked process gets no message and is a zombie when its files are to be read. */
static void kills_the_child(struct workload *w)
{
	pid_t pid = *(volatile pid_t *)w->slot[SHARED];
	siginfo_t info;

	kill(pid, SIGKILL);
	waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
}

static void expects_too_much(struct workload *w)
{
	for (int i = 0; i <= POSTINGS_MAX / 2; i++)
		workload_expect(w, VIRT_DATA(1), ANON_WRITE(1));
}

/* The step's MOVES() say what it really moves; these additional postings add up to 0. */
static void expects_nothing_between(struct workload *w)
{
	workload_expect(w, FILE_READ(0), SHMEM_READ(2), ANON_WRITE(0), SHMEM_READ(-2));
}

static void forgets_the_pages(struct workload *w)
{
	step_write(w);
}

static const struct {
	const char *name;
	void (*act)(struct workload *w);
} misbehaviours[] = {
	{ "exit", exits },
	{ "exit 0", exits_as_if_all_was_well },
	{ "signal", raises },
	{ "hang", hangs },
	{ "stop", stops },
	{ "wait", waits },
	{ "skip", skips },
	{ "skip step", skips_the_step },
	{ "skip step late", skips_the_step_late },
	{ "skip step untidily", skips_the_step_untidily },
	{ "act elsewhere", acts_elsewhere },
	{ "a child is killed", has_a_child_killed },
	{ "ask a child", asks_a_child },
	{ "read numbers", reads_numbers },
	{ "set nothing", sets_what_is_not_there },
	{ "wait in vain", waits_in_vain },
	{ "wait a little", waits_a_little },
	{ "companion", has_a_companion },
	{ "dead companion", has_a_dead_companion },
	{ "be killed under a guard", is_killed_under_a_guard },
	{ "end a guard", ends_a_guard },
	{ "fail", fails },
	{ "die", dies },
	{ "fork", forks_one_too_many },
	{ "expect too much", expects_too_much },
	{ "expect nothing", expects_nothing_between },
	{ "forget the pages", forgets_the_pages },
	{ "kill child", kills_the_child },
	{ "script", follows_the_script },
};

static void misbehave(struct workload *w, const char *step)
{
	const char *how = getenv(MISBEHAVE_HOW);
	size_t len = strlen(step);

	if (!how || strncmp(how, step, len) || how[len] != ':')
		return;
	for (size_t i = 0; i < sizeof(misbehaviours) / sizeof(*misbehaviours); i++)
		if (!strcmp(misbehaviours[i].name, how + len + 1))
			misbehaviours[i].act(w);
}

static void map(struct workload *w)
{
	misbehave(w, "map");
	w->slot[REGION] = workload_map(w, MISBEHAVING_PAGES * w->page_size, PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void write_all(struct workload *w)
{
	misbehave(w, "write");
	touch_write(w, w->slot[REGION], MISBEHAVING_PAGES);
}

static void fork_child(struct workload *w)
{
	misbehave(w, "fork");
	w->slot[SHARED] = workload_map(w, w->page_size, PROT_READ | PROT_WRITE,
				       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	workload_fork(w, MISBEHAVING_CHILD);
}

/* The child's number reaches the leader by a page that both processes map. */
static void child(struct workload *w)
{
	misbehave(w, "child");
	*(volatile pid_t *)w->slot[SHARED] = getpid();
	touch_write(w, w->slot[REGION], MISBEHAVING_PAGES);
}

static void unmap(struct workload *w)
{
	misbehave(w, "unmap");
	munmap(w->slot[REGION], MISBEHAVING_PAGES * w->page_size);
	workload_forget(w, w->slot[REGION]);
}

CASE(misbehaving) {
	.claim = "A workload that goes wrong is noticed, named and gone",
	.flags = CASE_HIDDEN,
	.processes = MISBEHAVING_CHILD,
	.steps = MISBEHAVING_STEPS(map, write_all, fork_child, child, unmap),
};
