// SPDX-License-Identifier: MIT
/* Changes the size, place and protection of mappings of each kind, locked or not. */
#include <rssck/case.h>

enum { PAGES = 4, HALF = PAGES / 2, CHILD = 1 };
STEP_SYMBOLS(MOVE, REFUSED, FORK);

static const struct kind {
	int prot, flags;
	int then; /* the protection of protect_half(), which may make it another kind */
} kinds[] = {
	{ PROT_READ | PROT_WRITE, MAP_PRIVATE, PROT_READ },                 /* data, other */
	{ PROT_READ, MAP_PRIVATE, PROT_READ | PROT_EXEC },                  /* other, exec */
	{ PROT_READ | PROT_WRITE, MAP_SHARED, PROT_READ },                  /* other, other */
	{ PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_GROWSDOWN, PROT_READ }, /* stack, stack */
	{ PROT_READ | PROT_EXEC, MAP_PRIVATE, PROT_NONE },                  /* exec, other */
};

enum { KINDS = sizeof(kinds) / sizeof(*kinds), REGIONS = 2 * KINDS };

static struct region {
	const struct kind *kind;
	char *p;
} regions[REGIONS];

/*
 * Maps each kind twice. The second mapping is locked, but not touched, so no page becomes resident.
 */
static void map(struct workload *w)
{
	size_t bytes = PAGES * w->page_size;

	for (int i = 0; i < REGIONS; i++) {
		struct region *r = &regions[i];

		r->kind = &kinds[i % KINDS];
		r->p = workload_map(w, bytes, r->kind->prot, r->kind->flags | MAP_ANONYMOUS, -1, 0);
		if (i >= KINDS && syscall(SYS_mlock2, r->p, bytes, MLOCK_ONFAULT) < 0)
			workload_skip(w, "mlock2(2) of %zu bytes: %m", bytes);
	}
}

static void resize(struct workload *w, size_t from, size_t to)
{
	for (int i = 0; i < REGIONS; i++)
		regions[i].p = workload_remap(w, regions[i].p, from, to, MREMAP_MAYMOVE, NULL);
}

static void grow(struct workload *w)
{
	resize(w, PAGES, 2 * PAGES);
}

static void shrink(struct workload *w)
{
	resize(w, 2 * PAGES, PAGES);
}

static void move(struct workload *w)
{
	int moved = 0;

	for (int i = 0; i < REGIONS; i++) {
		char *from = regions[i].p;
		char *to = workload_map(w, 2 * PAGES * w->page_size, PROT_NONE,
					MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		workload_forget(w, to);
		regions[i].p = workload_remap(w, regions[i].p, 2 * PAGES, 2 * PAGES,
					      MREMAP_MAYMOVE | MREMAP_FIXED, to);
		moved += regions[i].p == to && to != from;
	}
	workload_report(w, "moved", moved);
}

/* PR_SET_MDWE, a filter of system calls or a security module may refuse executable memory. */
static void protect(struct workload *w, char *p, int prot)
{
	if (mprotect(p, HALF * w->page_size, prot) == 0)
		return;
	if (prot & PROT_EXEC)
		workload_skip(w, "memory that becomes executable: mprotect: %m");
	workload_die(w, "mprotect: %m");
}

static void protect_half(struct workload *w)
{
	for (int i = 0; i < REGIONS; i++)
		protect(w, regions[i].p, regions[i].kind->then);
}

static void protect_back(struct workload *w)
{
	for (int i = 0; i < REGIONS; i++)
		protect(w, regions[i].p, regions[i].kind->prot);
}

static void fork_without(struct workload *w)
{
	for (int i = 0; i < REGIONS; i++)
		workload_advise(w, regions[i].p, PAGES * w->page_size, MADV_DONTFORK);
	workload_fork(w, CHILD);
}

/* The limit is below what the process has mapped, so nothing more can be mapped. */
static void ask_in_vain(struct workload *w)
{
	const struct rlimit none = { 0, RLIM_INFINITY }, all = { RLIM_INFINITY, RLIM_INFINITY };
	struct rlimit before;
	size_t bytes = PAGES * w->page_size;
	int got = 0;

	workload_must(w, getrlimit(RLIMIT_AS, &before), "getrlimit");
	if (before.rlim_max != RLIM_INFINITY)
		workload_skip_step(
			w, "an unlimited hard RLIMIT_AS, which the step lowers and restores");
	workload_must(w, setrlimit(RLIMIT_AS, &none), "setrlimit");
	for (int i = 0; i < REGIONS; i++) {
		const struct kind *k = regions[i].kind;

		got += mmap(NULL, bytes, k->prot, k->flags | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
		got += mremap(regions[i].p, bytes, 2 * bytes, MREMAP_MAYMOVE) != MAP_FAILED;
	}
	workload_must(w, setrlimit(RLIMIT_AS, before.rlim_cur == RLIM_INFINITY ? &all : &before),
		      "setrlimit");
	workload_report(w, "got", got);
}

static void replace_half(struct workload *w)
{
	for (int i = 0; i < REGIONS; i++)
		if (mmap(regions[i].p, HALF * w->page_size, PROT_READ,
			 MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
			workload_die(w, "mmap: %m");
}

static void unmap(struct workload *w)
{
	for (int i = 0; i < REGIONS; i++)
		workload_unmap(w, regions[i].p, PAGES * w->page_size);
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_reported_in(t, j, "mappings", MOVE, "moved", "moved mappings", REGIONS,
			  "each mapping has moved");
	judge_equal(j, FORK, "status.VmLck", trial_pages(t, FORK, CHILD, METRIC_STATUS_VMLCK), 0,
		    "fork(2) leaves nothing locked in the child");
	if (trial_snapshot(t, REFUSED, 0))
		judge_reported_in(t, j, "mappings", REFUSED, "got", "granted mappings", 0,
				  "RLIMIT_AS refuses each mmap(2) and mremap(2)");
}

/* N pages of each of the five kinds, plain and locked. */
#define OF_EACH_KIND(n) \
	VIRT_DATA(2 * (n)), VIRT_OTHER(4 * (n)), VIRT_STACK(2 * (n)), VIRT_EXEC(2 * (n))

CASE(virtual_each_kind) {
	.claim =
		"mremap, mprotect, MAP_FIXED and MADV_DONTFORK change VmSize, VmData, VmStk, VmLib and VmLck by the pages of each mapping; a refused call changes none of them",
	.because = "mremap(2), mprotect(2) and MAP_FIXED subtract the old mapping from total_vm "
		   "and from the total of its kind, and add the new one (vm_stat_account()). "
		   "fork(2) copies the totals, and subtracts the mappings with MADV_DONTFORK from "
		   "the child's.",
	.said_by = SAID_BY("proc_pid_status(5), VmSize, VmData, VmStk, VmLib, VmLck", "mremap(2)"),
	.processes = 1,
	.steps = STEPS(
		STEP("map", map, MOVES(OF_EACH_KIND(PAGES), VIRT_LOCKED(KINDS *PAGES))),
		STEP("grow", grow, MOVES(OF_EACH_KIND(PAGES), VIRT_LOCKED(KINDS *PAGES))),
		STEP_AS(MOVE, "move", move),
		STEP("shrink", shrink, MOVES(OF_EACH_KIND(-PAGES), VIRT_LOCKED(-KINDS *PAGES))),
		STEP("mprotect half", protect_half, MOVES(DATA_TO_OTHER(2 * HALF))),
		STEP("restore the protection", protect_back, MOVES(DATA_TO_OTHER(-2 * HALF))),
		STEP_AS(REFUSED, "exceed RLIMIT_AS", ask_in_vain),
		STEP_AS(FORK, "MADV_DONTFORK, fork", fork_without),
		STEP("child exits", step_reap, .child = CHILD),
		STEP("map shared memory over half", replace_half,
		     MOVES(OF_EACH_KIND(-HALF), VIRT_OTHER(REGIONS *HALF),
			   VIRT_LOCKED(-KINDS *HALF))),
		STEP("unmap", unmap,
		     MOVES(OF_EACH_KIND(-HALF), VIRT_OTHER(-REGIONS *HALF),
			   VIRT_LOCKED(-KINDS *HALF)))),
	.judge = judge,
};
