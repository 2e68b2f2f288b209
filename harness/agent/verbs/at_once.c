// SPDX-License-Identifier: MIT
/*
 * Runs two acts concurrently on each region, several times: in two threads, or in a process and its
 * child. rssck reads no numbers meanwhile and ignores the outcomes. The checks afterwards must hold
 * for either order.
 */
#include "at_once.h"
#include "base/clock.h"
#include "base/memory.h"
#include <malloc.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 8, WAIT_US = 100000, HEADSTART_US = 16, STAGGERED = 4 };

struct pair {
	struct worker k;
	struct act of[2];
};

static struct pair *pairs;
static unsigned nr_pairs;
static struct side *side;
static char *scratch; /* a page to lock */

void at_once_open(struct side *s, struct worker *k, char *page)
{
	side = s;
	scratch = page;
	/* With several malloc arenas, stdio in a thread would create another heap. */
#ifdef M_ARENA_MAX
	mallopt(M_ARENA_MAX, 1);
#endif
	pairs = malloc(SIDE_WINDOWS * sizeof(*pairs));
	if (!pairs)
		memory_gone("concurrent acts");
	memset(pairs, 0, SIDE_WINDOWS * sizeof(*pairs));
	act_thread_begins(k);
}

void at_once_begin(void)
{
	nr_pairs = 0;
	side->arrived[0] = side->arrived[1] = 0;
}

void at_once_add(const struct worker *k, const struct act *one, const struct act *other)
{
	pairs[nr_pairs++] = (struct pair) { *k, { *one, *other } };
}

/* Waits for at most WAIT_US, because the other thread or process may be blocked or dead. */
static void meet(unsigned me)
{
	uint32_t mine = __atomic_add_fetch(&side->arrived[me], 1, __ATOMIC_SEQ_CST);
	int64_t start = now_us();

	while (__atomic_load_n(&side->arrived[!me], __ATOMIC_SEQ_CST) < mine &&
	       now_us() - start < WAIT_US)
		sched_yield();
}

/* Delays the two in turns, so that each of them is sometimes first. */
static void hold_back(unsigned me, unsigned round)
{
	int64_t wait = round % 2 == me ? round / 2 % STAGGERED * HEADSTART_US : 0;
	int64_t start = now_us();

	while (now_us() - start < wait)
		;
}

static void act_rounds(unsigned me)
{
	for (unsigned round = 0; round < ROUNDS; round++)
		for (unsigned i = 0; i < nr_pairs; i++) {
			struct worker k = pairs[i].k;
			const struct act *a = &pairs[i].of[me];

			k.verb = &verbs[a->verb];
			/* Shows progress to rssck. */
			if (!me) {
				side->at = i;
				side->rounds++;
			}
			meet(me);
			hold_back(me, round);
			k.verb->run(&k, a);
		}
	/*
	 * mlock(2) drains this CPU's folio batches. Until then, the machine's numbers may lack the
	 * pages in them.
	 */
	if (!mlock(scratch, pairs->k.page))
		munlock(scratch, pairs->k.page);
}

static void go_elsewhere(void)
{
	int here = sched_getcpu();
	cpu_set_t all;

	memset(&all, 0xff, sizeof(all));
	if (here >= 0)
		CPU_CLR((unsigned)here, &all);
	sched_setaffinity(0, sizeof(all), &all);
}

void at_once_there(void)
{
	go_elsewhere();
	act_rounds(1);
}

static void run_there(struct worker *k, const struct act *a)
{
	(void)k;
	(void)a;
	at_once_there();
}

static void run_here(struct worker *k, const struct act *a)
{
	(void)k;
	(void)a;
	act_rounds(0);
}

void at_once_here(void)
{
	act_rounds(0);
}

int at_once_threads(struct worker *k)
{
	k->outcome = (struct act_outcome) { 0 };
	act_beside(k, NULL, run_there, run_here);
	return k->outcome.error;
}
