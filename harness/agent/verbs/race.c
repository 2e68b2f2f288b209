// SPDX-License-Identifier: MIT
/*
 * Runs operations concurrently in the threads of one process. Each thread has its own copy of the
 * state; the copies are merged when all have finished.
 */
#include "agent/agent.h"
#include "base/clock.h"
#include "verbs.h"
#include <malloc.h>
#include <sched.h>
#include <stdatomic.h>

/*
 * An operation is repeated for at most AGAIN_US, so that it overlaps with the others. That is less
 * time than rssck takes to read the numbers.
 */
enum { AGAIN_US = 200, AGAIN_MOST = 16, HEADSTART_US = 32 };

struct racer {
	struct worker k;
	struct act a;
};

static struct {
	struct racer of[ACT_THREADS];
	unsigned n;
	atomic_uint ready;
} race;

bool act_may_lead(const struct act *a)
{
	return verbs[a->verb].run == verb_fork;
}

bool act_may_race(const struct act *a)
{
	static void (*const able[])(struct worker * k, const struct act *a) = {
		verb_read,         verb_write,      verb_munmap,     verb_mprotect,
		verb_mremap,       verb_grow,       verb_mlock,      verb_madvise,
		verb_truncate,     verb_punch,      verb_pwrite,     verb_watch,
		verb_scan_protect, verb_pin,        verb_watch_copy, verb_watch_protect,
		verb_clear_refs,   verb_pread,      verb_mem_write,  verb_msync,
		verb_shrink,       verb_watch_zero,
	};

	for (size_t i = 0; i < sizeof(able) / sizeof(*able); i++)
		if (verbs[a->verb].run == able[i])
			return true;
	return false;
}

/*
 * False for forks, userfaultfd registrations, and operations that would move or grow the region
 * again at each repetition.
 */
static bool may_be_done_again(const struct verb *v)
{
	return v->effect != EFFECT_FORK && v->effect != EFFECT_MOVE &&
	       v->effect != EFFECT_MOVE_PAGES && v->effect != EFFECT_GROW &&
	       v->effect != EFFECT_WATCH;
}

/* Adds a short random delay after all threads are ready. Returns the start time. */
static int64_t await_start(void)
{
	int64_t start, wait;

	atomic_fetch_add(&race.ready, 1);
	while (atomic_load(&race.ready) < race.n)
		sched_yield();
	start = now_us();
	wait = start % HEADSTART_US;
	while (now_us() - start < wait)
		;
	return start;
}

static void do_act(struct racer *r)
{
	int64_t start = await_start();
	unsigned times = 0;

	do {
		r->k.outcome = (struct act_outcome) { 0 };
		r->k.verb->run(&r->k, &r->a);
	} while (may_be_done_again(r->k.verb) && ++times < AGAIN_MOST &&
		 now_us() - start < AGAIN_US);
}

static void thread_acts(struct workload *w, unsigned index)
{
	(void)w;
	if (index + 1 < race.n)
		do_act(&race.of[index + 1]);
}

/* Before the baseline, touches AGENT_STACK_BYTES of the thread's stack. */
static __attribute__((noinline)) void thread_begins(struct workload *w, unsigned index)
{
	volatile char deep[AGENT_STACK_BYTES];

	(void)index;
	for (size_t i = 0; i < sizeof(deep); i += w->page_size)
		deep[i] = 0;
	deep[sizeof(deep) - 1] = deep[0];
}

void act_threads_start(struct workload *w, unsigned threads)
{
	/* stdio in an operation must not allocate a heap for its thread. */
#ifdef M_ARENA_MAX
	mallopt(M_ARENA_MAX, 1);
#endif
	workload_threads(w, threads, thread_begins);
	w->private->keeps_threads = true;
}

static void take_flags(struct region *to, const struct region *from)
{
	to->huge |= from->huge;
	to->hugetlb |= from->hugetlb;
	to->watched |= from->watched;
	to->locked |= from->locked;
	to->on_disk |= from->on_disk;
	to->merged |= from->merged;
	to->placed |= from->placed;
}

/*
 * Sets all flags that a region may get during the race, in whatever order the acts run, so that
 * act_ends_no_fault() refuses dangerous combinations. n passes over the acts follow any chain of
 * moves.
 */
static void expect_all(struct worker *k, const struct act *acts, unsigned n)
{
	for (unsigned i = 0; i < n * n; i++) {
		const struct act *a = &acts[i % n];
		const struct verb *v = &verbs[a->verb];
		struct region *r = &k->regions[a->region];

		r->locked |= v->effect == EFFECT_LOCK || v->effect == EFFECT_LOCK_LATER;
		r->watched |= v->effect == EFFECT_WATCH;
		if (v->operands & OPERAND_REGION)
			take_flags(&k->regions[a->to], r);
		/* The userfaultfd is opened once, for all threads. */
		if (v->effect == EFFECT_WATCH)
			act_watch(k, a);
	}
}

static void put_together(struct worker *k, const struct worker *before, const struct worker *after)
{
	for (unsigned i = 0; i < ACT_REGIONS; i++) {
		take_flags(&k->regions[i], &after->regions[i]);
		if (after->regions[i].file != before->regions[i].file)
			k->regions[i].file = after->regions[i].file;
	}
}

void act_race(struct worker *k, const struct act *acts, unsigned n, struct act_outcome *outcomes)
{
	struct worker before;

	if (n > 1 + k->w->private->nr_threads)
		workload_die(k->w,
			     "%u concurrent operations cannot run: the process has only %u threads",
			     n, 1 + k->w->private->nr_threads);
	expect_all(k, acts, n);
	before = *k;
	race.n = n;
	atomic_store(&race.ready, 0);
	for (unsigned i = 0; i < n; i++) {
		race.of[i] = (struct racer) { before, acts[i] };
		race.of[i].k.verb = &verbs[acts[i].verb];
	}
	agent_threads_begin(k->w, thread_acts);
	do_act(&race.of[0]);
	agent_threads_await(k->w);
	for (unsigned i = 0; i < n; i++) {
		put_together(k, &before, &race.of[i].k);
		outcomes[i] = race.of[i].k.outcome;
	}
}
