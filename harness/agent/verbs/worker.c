// SPDX-License-Identifier: MIT
/*
 * The workload of random programs: regions at places that are the same in every run, so
 * that nothing depends on where the kernel puts a mapping, and no two regions are
 * neighbours that it could merge.
 */
#include "agent/agent.h"
#include "verbs.h"
#include <errno.h>
#include <fcntl.h>
#include <rssck/source.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

static struct worker worker;

/* Each region has room for the pages that an act can name, and begins where a huge page can. */
static size_t region_stride(const struct workload *w)
{
	size_t bytes = ACT_REGION_PAGES * w->page_size, huge = w->huge_page_size;

	return huge ? (bytes + huge - 1) / huge * huge + huge : bytes + w->page_size;
}

/*
 * The address space of all regions: found once, and left free. What else is mapped
 * later lies above it: the kernel takes the highest place that is free.
 */
static void find_arena(struct worker *k)
{
	size_t huge = k->w->huge_page_size ? k->w->huge_page_size : k->page;
	size_t bytes = (2 * ACT_REGIONS + 1) * k->stride;
	char *p = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		workload_skip(k->w, "%zu MiB of address space: %s", bytes >> 20, strerror(errno));
	munmap(p, bytes);
	k->arena = (char *)(((uintptr_t)p + huge - 1) / huge * huge);
}

/* Before the first act of a program. */
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
	/* Closing the books unmaps whatever is there then. */
	workload_remember(w, k->arena, ACT_REGIONS * k->stride);
}

/* khugepaged shall look at us only while an act asks for huge pages. */
static void let_huge_pages_come(bool come)
{
	prctl(PR_SET_THP_DISABLE, !come, 0, 0, 0);
}

/* Not who waits for ksmd, and touches nothing: khugepaged would have all that time. */
static bool wants_huge_pages(const struct worker *k, const struct act *a)
{
	const struct verb *v = &verbs[a->verb];

	return v->run != verb_ksm_merge && v->operands & OPERAND_RANGE &&
	       (v->huge || k->regions[a->region].huge || v->effect == EFFECT_COLLAPSE ||
		v->effect == EFFECT_HUGE);
}

/* The first act of a case makes the arena. The program numbers the processes. */
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

/* What is of the whole process, around its acts: huge pages, where one of them wants any. */
static bool let_in(struct worker *k, const struct act *acts, unsigned n, struct act_limits *limits)
{
	bool huge = false, region = false;

	for (unsigned i = 0; i < n; i++) {
		huge |= wants_huge_pages(k, &acts[i]);
		region |= verbs[acts[i].verb].operands & OPERAND_RANGE;
	}
	if (huge)
		let_huge_pages_come(true);
	k->verb = &verbs[acts->verb];
	act_limits_set(k, region, limits);
	return huge;
}

static void shut_out(const struct worker *k, bool huge, const struct act_limits *limits)
{
	act_limits_lift(k, limits);
	if (huge)
		let_huge_pages_come(false);
}

void act_run(struct worker *k, const struct act *a)
{
	bool huge = wants_huge_pages(k, a);

	if (huge)
		let_huge_pages_come(true);
	k->verb = &verbs[a->verb];
	k->verb->run(k, a);
	if (huge)
		let_huge_pages_come(false);
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

/* Before a program; a process that was forked in it has its regions, and no threads yet. */
static void prepare(struct worker *k, struct workload *w)
{
	if (!w->process)
		begin(k, w);
	/* Forked while another thread's act let them come. */
	let_huge_pages_come(false);
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
		workload_fail(w, "%s: %lld, not %lld: %s", k->verb->asks,
			      (long long)k->outcome.seen, (long long)k->outcome.expected,
			      k->verb->rule);
	k->outcome.arena = (uintptr_t)k->arena;
	k->outcome.stride = k->stride;
	if (p->nr_acts < 2)
		p->reply.outcomes[0] = k->outcome;
}
