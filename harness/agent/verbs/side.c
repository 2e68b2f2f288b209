// SPDX-License-Identifier: MIT
/*
 * Runs the worker of rssck atlas. It has many regions in one process, each with its own struct
 * worker, so that a verb sees only one of them. Each window has room for two regions.
 */
#include "agent/side.h"
#include "agent/agent.h"
#include "at_once.h"
#include "base/memory.h"
#include "closer.h"
#include "data.h"
#include "verbs.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

enum { HUGE_PAGES = 8 }; /* huge pages that fit in a window */

struct place {
	struct worker k;
	struct data data;
	uint8_t region; /* the region that the sequence uses now */
	uint32_t pages; /* the length of that region */
};

static struct side *side;
static char *scratch;
static struct place *places;
static pid_t watcher; /* the worker's own PID */
static int to_neighbour = -1, from_neighbour = -1;
static struct rlimit stack_limit;
static bool locks_new; /* mlockall(MCL_FUTURE) is in effect */

static size_t huge_bytes(const struct workload *w)
{
	enum { MIB2 = 2 << 20 };

	return w->huge_page_size ? w->huge_page_size : MIB2;
}

/*
 * Returns a fixed address far from other mappings (64 bits), or another one if it is taken. Returns
 * NULL if there is no room.
 */
static char *find_arena(size_t bytes, size_t window)
{
	enum { GIB = 1 << 30 };
	char *fixed = NULL, *p;
	size_t aligned = window > GIB ? window : GIB;

#if UINTPTR_MAX > UINT32_MAX
	fixed = (char *)0x200000000000;
#else
	aligned = window;
#endif
	p = fixed ? mmap(fixed, bytes, PROT_NONE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0)
		  : MAP_FAILED;
	if (p != MAP_FAILED && munmap(p, bytes) == 0 && p == fixed)
		return p;
	p = mmap(NULL, bytes + aligned, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
		 0);
	if (p == MAP_FAILED)
		return NULL;
	munmap(p, bytes + aligned);
	return (char *)(((uintptr_t)p + aligned - 1) / aligned * aligned);
}

static void place_begin(struct place *p, struct workload *w, unsigned i)
{
	struct worker *k = &p->k;

	p->region = 0;
	p->pages = 0;
	data_begin(&p->data, (uint16_t)i);
	*k = (struct worker) { .w = w, .data = &p->data };
	k->verb = verbs;
	k->page = w->page_size;
	k->stride = side->window / 2;
	k->arena = (char *)(uintptr_t)side->arena + i * side->window;
	for (unsigned r = 0; r < 2; r++)
		k->regions[r].at = k->arena + r * k->stride;
	k->probe = -1;
	memset(k->files, -1, sizeof(k->files));
	memset(k->watch, -1, sizeof(k->watch));
	k->watcher = watcher;
	k->has_neighbours = true;
	k->stack_limit = stack_limit;
}

static void map_side(struct workload *w)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)getppid(), (int)w->argument);
	fd = open(path, O_RDWR | O_CLOEXEC);
	workload_must(w, fd, "the observer's memory");
	side = workload_try_map(sizeof(*side), PROT_READ | PROT_WRITE, MAP_SHARED, fd);
	close(fd);
	if (!side)
		workload_die(w, "mmap: %s", strerror(errno));
}

/* The neighbour has regions at the same addresses, but maps none of the worker's. */
static void neighbour_turns(void)
{
	for (unsigned i = 0; i < side->nr; i++) {
		const struct side_turn *t = &side->turns[i];
		struct act_outcome *o = &side->outcomes[i];
		struct worker *k = &places[i].k;

		*o = (struct act_outcome) { 0 };
		k->w->private->pid[0] = watcher;
		for (unsigned n = 0; n < t->nr && !o->error; n++) {
			k->outcome = (struct act_outcome) { 0 };
			act_run(k, &t->acts[n]);
			o->error = k->outcome.error;
			o->faulted += k->outcome.faulted;
		}
	}
}

static _Noreturn void be_neighbour(int in, int out)
{
	char byte;

	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	while (getppid() == watcher && read(in, &byte, 1) == 1) {
		neighbour_turns();
		if (write(out, &byte, 1) != 1)
			break;
	}
	_exit(0);
}

/* Call this before the worker has memory that both would share. */
static void start_neighbour(void)
{
	int there[2], back[2];
	pid_t pid;

	if (pipe2(there, O_CLOEXEC) < 0)
		return;
	pid = pipe2(back, O_CLOEXEC) < 0 ? -1 : fork();
	if (!pid)
		be_neighbour(there[0], back[1]);
	close(there[0]);
	close(back[1]);
	to_neighbour = there[1];
	from_neighbour = back[0];
	if (pid > 0)
		prctl(PR_SET_PTRACER, (unsigned long)pid, 0, 0, 0);
}

static int ask_neighbour(void)
{
	char byte = 0;

	for (unsigned i = 0; i < side->nr; i++)
		for (unsigned n = 0; n < side->turns[i].nr; n++) {
			struct act *a = &side->turns[i].acts[n];

			a->region = places[i].region;
			if (side->turns[i].whole[n] && places[i].pages)
				a->pages = places[i].pages;
		}
	if (write(to_neighbour, &byte, 1) != 1 || read(from_neighbour, &byte, 1) != 1)
		return ESRCH;
	return side->outcomes[0].error;
}

void step_side_begin(struct workload *w)
{
	char *arena;

	map_side(w);
	side->window = HUGE_PAGES * huge_bytes(w);
	arena = find_arena(SIDE_WINDOWS * side->window, side->window);
	if (!arena)
		workload_skip(w, "%zu MiB of address space",
			      (size_t)(SIDE_WINDOWS * side->window) >> 20);
	side->arena = (uintptr_t)arena;
	places = calloc(SIDE_WINDOWS, sizeof(*places));
	if (!places)
		memory_gone("the regions");
	watcher = getpid();
	getrlimit(RLIMIT_STACK, &stack_limit);
	for (unsigned i = 0; i < SIDE_WINDOWS; i++)
		place_begin(&places[i], w, i);
	start_neighbour();
	closer_start();
	if (act_cgroup_enter(w))
		snprintf(side->cgroup, sizeof(side->cgroup), "%s", act_cgroup());
	act_handle_faults();
	scratch = mmap(NULL, 3 * w->page_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (scratch == MAP_FAILED)
		memory_gone("a page");
	scratch += w->page_size;
	mprotect(scratch, w->page_size, PROT_READ | PROT_WRITE);
	*scratch = 1;
	if (side->at_once)
		at_once_open(side, &places[0].k, scratch);
	agent_prefault(w);
}

/* Returns false if the act failed; the region's other acts are then skipped. */
static bool take_act(struct place *p, struct act_outcome *all, struct act a, bool whole)
{
	struct worker *k = &p->k;

	a.region = p->region;
	if (verbs[a.verb].operands & OPERAND_REGION)
		a.to = !p->region;
	if (whole && p->pages)
		a.pages = p->pages;
	k->outcome = (struct act_outcome) { 0 };
	act_run(k, &a);
	data_follow(&p->data, k, &a);
	if (!k->outcome.error)
		act_follow(&a, whole, &p->region, &p->pages);
	all->error = k->outcome.error;
	all->faulted += k->outcome.faulted;
	all->blocks = k->outcome.blocks;
	all->data = k->outcome.data;
	all->seen = k->outcome.seen;
	all->expected = k->outcome.expected;
	return !all->error;
}

/* An act without a range affects all regions. */
static bool is_of_all(const struct side_turn *t, unsigned n)
{
	return n < t->nr && !(verbs[t->acts[n].verb].operands & OPERAND_RANGE);
}

/* The act runs once, after all regions have finished their earlier acts. */
static void take_act_of_all(unsigned n)
{
	for (unsigned i = 0; i < side->nr; i++) {
		if (!is_of_all(&side->turns[i], n))
			continue;
		take_act(&places[i], &side->outcomes[i], side->turns[i].acts[n], false);
		return;
	}
}

/*
 * Returns the end of the acts that run now: up to and including the next act that affects all
 * regions.
 */
static unsigned acts_until_all(unsigned from)
{
	unsigned until = SIDE_TURN_ACTS;

	for (unsigned i = 0; i < side->nr; i++)
		for (unsigned n = from; n < until; n++)
			if (is_of_all(&side->turns[i], n))
				until = n + 1;
	return until;
}

static void take_acts(struct place *p, unsigned window, unsigned from, unsigned until)
{
	const struct side_turn *t = &side->turns[window];
	struct act_outcome *o = &side->outcomes[window];

	for (unsigned n = from; n < until && n < t->nr && !o->error; n++)
		if (!is_of_all(t, n))
			take_act(p, o, t->acts[n], t->whole[n]);
}

/* The kernel frees closed rings later. Waits once for the rings of all regions. */
static void await_rings(void)
{
	rings_defer(false);
	if (rings_await(&places[0].k) == 0)
		return;
	for (unsigned i = 0; i < side->nr; i++) {
		const struct side_turn *t = &side->turns[i];
		struct act_outcome *o = &side->outcomes[i];

		if (t->nr && verbs[t->acts[t->nr - 1].verb].run == verb_pin_closed && !o->error)
			o->error = EAGAIN;
	}
}

static void take_turns(void)
{
	struct act_limits limits;

	/* No access may grow a MAP_GROWSDOWN mapping. */
	act_limits_set(&places[0].k, true, &limits);
	memset(side->outcomes, 0, side->nr * sizeof(*side->outcomes));
	rings_defer(true);
	for (unsigned i = 0; i < side->nr; i++)
		places[i].data.equal = side->equal[i];
	for (unsigned from = 0, until; from < SIDE_TURN_ACTS; from = until) {
		until = acts_until_all(from);
		for (side->at = 0; side->at < side->nr; side->at++)
			take_acts(&places[side->at], side->at, from, until);
		take_act_of_all(until - 1);
	}
	await_rings();
	act_limits_lift(&places[0].k, &limits);
}

/*
 * Drains this CPU's folio batches. Only then is munlocked or lazily freed memory counted
 * (lru_add_drain(), called by mlock_vma_pages_range() and populate_vma_page_range()). Without
 * permission to lock a page it does nothing.
 */
static void empty_batches(const struct workload *w)
{
	if (!mlock(scratch, w->page_size))
		munlock(scratch, w->page_size);
}

void step_side_round(struct workload *w)
{
	take_turns();
	empty_batches(w);
	if (side->settles_cgroup)
		workload_cgroup_settle(w);
	side->rounds++;
}

static void add_pair(unsigned window)
{
	const struct side_turn *t = &side->turns[window];
	struct place *p = &places[window];
	struct act of[2];

	if (t->nr != 2)
		return;
	for (unsigned i = 0; i < 2; i++) {
		of[i] = t->acts[i];
		of[i].region = p->region;
		if (t->whole[i] && p->pages)
			of[i].pages = p->pages;
	}
	at_once_add(&p->k, &of[0], &of[1]);
}

static void begin_at_once(struct act_limits *limits)
{
	act_limits_set(&places[0].k, true, limits);
	at_once_begin();
	for (unsigned i = 0; i < side->nr; i++)
		add_pair(i);
}

/* The order of two concurrent acts is not known. */
static void forget_data(void)
{
	for (unsigned i = 0; i < side->nr; i++)
		data_forget(&places[i].data);
}

static int act_in_threads(void)
{
	struct act_limits limits;
	int error;

	begin_at_once(&limits);
	error = at_once_threads(&places[0].k);
	act_limits_lift(&places[0].k, &limits);
	return error;
}

static int act_in_processes(void)
{
	struct act_limits limits;
	pid_t pid;

	begin_at_once(&limits);
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
		at_once_there();
		_exit(0);
	}
	if (pid > 0) {
		at_once_here();
		waitpid(pid, NULL, 0);
	}
	act_limits_lift(&places[0].k, &limits);
	return pid < 0 ? EAGAIN : 0;
}

static void check_data(unsigned process)
{
	for (unsigned i = 0; i < side->nr; i++) {
		struct side_data *d = &side->data[process][i];

		d->wrong = data_check(&places[i].data, &places[i].k, &d->page, &d->seen,
				      &d->expected);
	}
}

/* Waits until the parent ends this child, and then checks the child's data. */
static _Noreturn void stay(const sigset_t *end)
{
	int sig;

	sigwait(end, &sig);
	check_data(1);
	_exit(0);
}

static _Noreturn void be_child(int end, bool stays)
{
	char byte = 0;
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR1);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	for (unsigned i = 0; i < side->nr; i++)
		data_forked(&places[i].data, &places[i].k);

	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (side->event == SIDE_FORK_EXEC) {
		close(STDERR_FILENO);
		execl("/proc/self/exe", "rssck-worker", (char *)NULL);
	}
	take_turns();
	if (write(end, &byte, 1) != 1)
		_exit(1);
	if (stays)
		stay(&signals);
	_exit(0);
}

/* The child checks its data before it ends. */
static void end_child(void)
{
	if (!side->child)
		return;
	kill(side->child, SIGUSR1);
	waitpid(side->child, NULL, 0);
	side->child = 0;
}

static int fork_child(bool stays)
{
	int ends[2];
	char byte;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return errno;
	pid = fork();
	if (!pid)
		be_child(ends[1], stays);
	close(ends[1]);
	/* If the child executes a program, exec closes its end of the pipe: read(2) returns 0. */
	if (pid > 0 && read(ends[0], &byte, 1) == 1)
		side->child = pid;
	close(ends[0]);
	if (pid > 0 && !stays)
		waitpid(pid, NULL, 0);
	if (!stays)
		side->child = 0;
	return pid < 0 ? EAGAIN : 0;
}

/* Faults in the program's own writable memory again, but not the regions. */
static void come_back(void)
{
	uint64_t end_of_arena = side->arena + SIDE_WINDOWS * side->window;
	FILE *f = fopen("/proc/self/maps", "re");
	char line[512];

	while (f && fgets(line, sizeof(line), f)) {
		unsigned long long start, end;
		char may_write;

		if (sscanf(line, "%llx-%llx %*c%c", &start, &end, &may_write) != 3 ||
		    may_write != 'w')
			continue;
		if (end <= side->arena || start >= end_of_arena)
			madvise((void *)(uintptr_t)start, (size_t)(end - start),
				MADV_POPULATE_READ);
	}
	if (f)
		fclose(f);
}

void step_side_event(struct workload *w)
{
	struct place *p = &places[0];

	end_child();
	side->at = 0;
	switch (side->event) {
	case SIDE_EACH:
		take_turns();
		side->event_error = 0;
		break;
	case SIDE_THREADS:
		side->event_error = act_in_threads();
		forget_data();
		break;
	case SIDE_PROCESSES:
		side->event_error = act_in_processes();
		forget_data();
		break;
	case SIDE_NEIGHBOUR:
		side->event_error = ask_neighbour();
		break;
	case SIDE_ACT:
		p->k.outcome = (struct act_outcome) { 0 };
		act_run(&p->k, &side->turns[0].acts[0]);
		side->event_error = p->k.outcome.error;
		locks_new |= verbs[side->turns[0].acts[0].verb].effect == EFFECT_LOCK_NEW;
		if (p->k.verb->run == verb_cgroup_reclaim)
			come_back();
		break;
	default:
		side->event_error = fork_child(side->event == SIDE_FORK);
	}
	empty_batches(w);
	side->rounds++;
}

static void close_files(struct workload *w, struct worker *k)
{
	if (k->probe >= 0)
		closer_close(k->probe);
	for (unsigned i = 0; i < 2; i++)
		if (k->watch[i] >= 0)
			close(k->watch[i]);
	for (unsigned i = 0; i <= ACT_STEPS_MAX; i++)
		if (k->files[i] >= 0)
			close(k->files[i]);
	w->private->nr_files = 0;
}

void step_side_clear(struct workload *w)
{
	memset(side->data, 0, sizeof(side->data));
	end_child();
	check_data(0);
	act_cgroup_back(w);
	if (locks_new)
		munlockall();
	locks_new = false;
	munmap((void *)(uintptr_t)side->arena, SIDE_WINDOWS * side->window);
	for (unsigned i = 0; i < SIDE_WINDOWS; i++) {
		close_files(w, &places[i].k);
		place_begin(&places[i], w, i);
	}
	if (side->settles_cgroup)
		workload_cgroup_settle(w);
	side->rounds++;
}
