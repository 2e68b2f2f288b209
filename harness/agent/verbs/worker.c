// SPDX-License-Identifier: MIT
/*
 * Runs the acts of random programs. Each region keeps its address during the worker's whole life,
 * so that results do not depend on where the kernel puts a mapping. No two regions are adjacent, so
 * they cannot merge.
 */
#include "agent/agent.h"
#include "verbs.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

static struct worker worker;

/*
 * Returns the distance between regions: more than ACT_REGION_PAGES pages, aligned to a huge page.
 */
static size_t region_stride(const struct workload *w)
{
	size_t bytes = ACT_REGION_PAGES * w->page_size, huge = w->huge_page_size;

	return huge ? (bytes + huge - 1) / huge * huge + huge : bytes + w->page_size;
}

/*
 * The arena stays unmapped. With the usual top-down layout the kernel places later mappings above
 * it, in the highest gap.
 */
static void find_arena(struct worker *k)
{
	size_t huge = k->w->huge_page_size ? k->w->huge_page_size : k->page;
	size_t bytes = (2 * ACT_REGIONS + 1) * k->stride;
	char *p = workload_try_map(bytes, PROT_NONE, MAP_PRIVATE | MAP_NORESERVE, -1);

	if (!p)
		workload_skip(k->w, "%zu MiB of address space: %s", bytes >> 20, strerror(errno));
	munmap(p, bytes);
	k->arena = (char *)(((uintptr_t)p + huge - 1) / huge * huge);
}

static void begin(struct worker *k, struct workload *w)
{
	k->w = w;
	k->page = w->page_size;
	k->stride = region_stride(w);
	if (!k->arena) {
		find_arena(k);
		getrlimit(RLIMIT_STACK, &k->stack_limit);
		act_thread_begins(k);
	}
	for (unsigned i = 0; i < ACT_REGIONS; i++)
		k->regions[i] = (struct region) { .at = k->arena + i * k->stride };
	if (k->locks_new)
		munlockall();
	k->locks_new = false;
	memset(k->files, -1, sizeof(k->files));
	act_handle_faults();
	/* The end of a trial then unmaps the whole arena. */
	workload_remember(w, k->arena, ACT_REGIONS * k->stride);
}

/*
 * Huge pages are allowed only while an operation needs them, because khugepaged may scan the
 * process at any time.
 */
static void let_huge_pages_come(bool come)
{
	prctl(PR_SET_THP_DISABLE, !come, 0, 0, 0);
}

/* In a guest of rssck atlas khugepaged is paused. */
static bool khugepaged_is_paused(void)
{
	static int paused = -1;

	if (paused < 0)
		paused = workload_number(KHUGEPAGED "scan_sleep_millisecs", NULL, 0) >=
			 strtoll(KHUGEPAGED_PAUSED, NULL, 10);
	return paused;
}

/*
 * Between operations, huge pages are allowed only if khugepaged is paused. While they are
 * forbidden, smaps shows 0 in THPeligible of each mapping.
 */
static void let_huge_pages_rest(void)
{
	let_huge_pages_come(khugepaged_is_paused());
}

/*
 * Call this before an operation; if it returns true, call let_huge_pages_rest() after the
 * operation. If huge pages are forbidden already and the operation wants none, it does nothing.
 */
static bool let_huge_pages_for(bool wanted)
{
	bool changes = wanted || khugepaged_is_paused();

	if (changes)
		let_huge_pages_come(wanted);
	return changes;
}

/*
 * An operation that waits for ksmd must not allow huge pages, because khugepaged could scan the
 * process all that time.
 */
static bool wants_huge_pages(const struct worker *k, const struct act *a)
{
	const struct verb *v = &verbs[a->verb];

	return v->run != verb_ksm_merge && v->operands & OPERAND_RANGE &&
	       (v->huge || k->regions[a->region].huge || v->effect == EFFECT_COLLAPSE ||
		v->effect == EFFECT_HUGE);
}

/*
 * The first act sets up the arena. In a case, process N of the acts is process N of the workload,
 * so `to` is also the channel.
 */
static void read_act(struct workload *w, struct act *a)
{
	uint16_t serial = (uint16_t)(w->step - w->private->c->steps + 1);
	char why[128];

	if (act_parse(a, w->step->act, why, sizeof(why)) < 0)
		workload_die(w, "%s", why);
	a->process = (uint8_t)w->process;
	a->channel = a->to;
	a->serial = serial;
	w->private->nr_acts = 1;
	if (worker.w != w)
		begin(&worker, w);
}

/* The settings hold for the whole process: limits, and huge pages if any operation needs them. */
static bool let_in(struct worker *k, const struct act *acts, unsigned n, struct act_limits *limits)
{
	bool huge = false, region = false;

	for (unsigned i = 0; i < n; i++) {
		huge |= wants_huge_pages(k, &acts[i]);
		region |= verbs[acts[i].verb].operands & OPERAND_RANGE;
	}
	huge = let_huge_pages_for(huge);
	k->verb = &verbs[acts->verb];
	act_limits_set(k, region, limits);
	return huge;
}

static void shut_out(const struct worker *k, bool huge, const struct act_limits *limits)
{
	act_limits_lift(k, limits);
	if (huge)
		let_huge_pages_rest();
}

void act_run(struct worker *k, const struct act *a)
{
	bool huge = let_huge_pages_for(wants_huge_pages(k, a));

	k->verb = &verbs[a->verb];
	k->verb->run(k, a);
	if (huge)
		let_huge_pages_rest();
	if (k->verb->operands & OPERAND_RANGE)
		act_blocks(k, a);
}

static void do_one(struct worker *k, const struct act *a)
{
	struct act_limits limits;

	k->verb = &verbs[a->verb];
	act_limits_set(k, k->verb->operands & OPERAND_RANGE, &limits);
	act_run(k, a);
	act_limits_lift(k, &limits);
}

static void do_together(struct worker *k, const struct act *acts, unsigned n,
			struct act_outcome *outcomes)
{
	struct act_limits limits;
	bool huge = let_in(k, acts, n, &limits);

	act_race(k, acts, n, outcomes);
	shut_out(k, huge, &limits);
}

/* A process forked during the program has its regions already, but no threads. */
static void prepare(struct worker *k, struct workload *w)
{
	if (!w->process)
		begin(k, w);
	/* The fork may have happened while another thread's operation allowed huge pages. */
	let_huge_pages_rest();
	if (w->argument > 1 && !w->private->nr_threads)
		act_threads_start(w, (unsigned)w->argument - 1);
}

void step_act(struct workload *w)
{
	struct workload_private *p = w->private;
	struct act *a = p->acts;
	struct worker *k = &worker;

	if (w->step->act)
		read_act(w, a);
	k->outcome = (struct act_outcome) { 0 };
	if (!a->serial)
		prepare(k, w);
	else if (p->nr_acts > 1)
		do_together(k, a, p->nr_acts, p->reply.outcomes);
	else
		do_one(k, a);
	if (w->step->act && !k->outcome.error && k->outcome.seen != k->outcome.expected)
		workload_fail(w, "%s: %lld, expected %lld: %s", k->verb->checks,
			      (long long)k->outcome.seen, (long long)k->outcome.expected,
			      k->verb->rule);
	k->outcome.arena = (uintptr_t)k->arena;
	k->outcome.stride = k->stride;
	if (p->nr_acts < 2)
		p->reply.outcomes[0] = k->outcome;
}
