// SPDX-License-Identifier: MIT
/*
 * Only an access makes a page Referenced: when the kernel changes or moves the entry of an old page
 * (accessed bit clear), the page stays old.
 */
#include "range_acts.h"
#include <inttypes.h>
#include <sys/swap.h>
#include <sys/uio.h>

/* READ: read by process_vm_readv(2), which marks the page as accessed, but not its entry. */
enum { OLD, YOUNG, READ, STATES };
static const char *const states[] = { "old", "young", "remotely read" };
STEP_SYMBOLS(ACT);

struct kind {
	const char *name;
	char *(*map)(struct workload *w);
};

static char *map_small(struct workload *w, int flags)
{
	size_t bytes = (size_t)w->huge * w->page_size;
	char *p = workload_map(w, bytes, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);

	madvise(p, bytes, MADV_NOHUGEPAGE);
	touch_write(w, p, (size_t)w->huge);
	return p;
}

static char *map_anonymous(struct workload *w)
{
	return map_small(w, MAP_PRIVATE);
}

static char *map_shmem(struct workload *w)
{
	return map_small(w, MAP_SHARED);
}

static char *map_huge(struct workload *w)
{
	char *p = workload_huge_map(w, 1, -1);

	madvise(p, w->huge_page_size, MADV_HUGEPAGE);
	touch_write(w, p, (size_t)w->huge);
	return p;
}

static const struct kind kinds[] = {
	{ "anonymous", map_anonymous },
	{ "shmem", map_shmem },
	{ "huge", map_huge },
};

enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

static struct workload *self;

static bool swap_off(const struct workload *w, char *p, size_t bytes)
{
	size_t pages = bytes / w->page_size;
	char device[128];
	bool off;

	if (!workload_swap_area(device, sizeof(device)) || madvise(p, bytes, MADV_PAGEOUT) ||
	    workload_pages_swapped(self, p, pages) < (int64_t)pages)
		return false;
	off = swapoff(device) == 0;
	if (off && swapon(device, 0) < 0)
		workload_die(self, "swapon(2) of %s: %m", device);
	return off;
}

/* KEEPS: a young page stays young. FORGETS: it may become old. COOLS: it must become old. */
enum effect { KEEPS, FORGETS, COOLS };

static const struct act {
	const char *name;
	range_act *act;
	enum effect effect;
} acts[] = {
	{ "mprotect", range_protect, KEEPS }, { "mprotect of half", range_protect_half, KEEPS },
	{ "mremap", range_move, KEEPS },      { "clear_refs 4", range_clear_soft_dirty, KEEPS },
	{ "fork", range_fork, KEEPS },        { "migration", range_migrate, FORGETS },
	{ "swapoff", swap_off, FORGETS },     { "MADV_COLD", range_cool, COOLS },
};

enum { ACTS = sizeof(acts) / sizeof(*acts), TRIES = 3 };

/* clear_refs 1 does not flush the TLB; mprotect(2) does. */
static void make_old(struct workload *w, char *p, size_t bytes)
{
	workload_clear_refs(w, '1');
	range_protect(w, p, bytes);
}

static void read_from_afar(struct workload *w, char *p, size_t bytes)
{
	static char to[64];

	for (size_t at = 0; at < bytes; at += w->page_size) {
		struct iovec here = { to, 1 }, there = { p + at, 1 };

		if (process_vm_readv(getpid(), &here, 1, &there, 1, 0) != 1)
			return;
	}
}

static int64_t referenced_after(struct workload *w, const struct kind *k, const struct act *a,
				int state)
{
	size_t bytes = (size_t)w->huge * w->page_size;
	int64_t referenced = -1;
	char *p = k->map(w);

	make_old(w, p, bytes);
	if (state == YOUNG)
		touch_read(w, p, (size_t)w->huge);
	if (state == READ)
		read_from_afar(w, p, bytes);
	if (workload_pages_referenced(w, p) == (state == OLD ? 0 : w->huge) && a->act(w, p, bytes))
		referenced = workload_pages_referenced(w, p);
	workload_unmap(w, p, bytes);
	return referenced;
}

/*
 * Repeats the act, because DAMON or another task may make a page Referenced, but hardly each time.
 * Returns true if the act could be done.
 */
static bool try_one(struct workload *w, const struct kind *k, const struct act *a, int state)
{
	int64_t must = state == OLD || a->effect == COOLS ? 0 : w->huge, now = -1;

	/* READ marks the page, not its entry; only MADV_COLD must clear this mark. */
	if (state == READ && a->effect != COOLS)
		return false;

	for (int i = 0; i < TRIES; i++) {
		now = referenced_after(w, k, a, state);
		if (now < 0 || now == must || (state == YOUNG && a->effect == FORGETS))
			return now >= 0;
	}
	workload_fail(w,
		      "%s of %s memory with %s pages: %" PRId64
		      " pages are Referenced afterwards, should be %" PRId64,
		      a->name, k->name, states[state], now, must);
}

static void act_on_all(struct workload *w)
{
	int64_t done = 0;

	self = w;
	for (int k = 0; k < KINDS; k++)
		for (int a = 0; a < ACTS; a++)
			for (int state = 0; state < STATES; state++)
				done += try_one(w, &kinds[k], &acts[a], state);
	workload_report(w, "done", done);
	workload_checked(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	if (trial_reported(t, ACT, "done") < KINDS * ACTS)
		judge_skip(
			j,
			"a machine on which at least half of the operations (mprotect, fork, migration ...) are possible");
}

CASE(machine_accessed) {
	.claim =
		"mprotect, mremap, fork, a split and clear_refs 4 do not change which pages are Referenced. Migration and swapoff make no page Referenced; MADV_COLD leaves none Referenced",
	.because = "A new entry is young by default. Each of these functions clears the accessed "
		   "bit of the entry that it makes (pte_mkold()), or copies the bit of the old "
		   "entry. MADV_COLD clears the accessed bit, and the page's referenced flag that "
		   "reads of other processes set.",
	.said_by = SAID_BY("proc_pid_smaps(5), Referenced", "proc_pid_clear_refs(5)",
			   "madvise(2), MADV_COLD"),
	.needs = NEEDS("root", "guest", "thp"),
	.flags = CASE_THP | CASE_ONE_CPU,
	.limit_s = 120,
	.steps = STEPS(STEP_AS(ACT, "act on old and young pages", act_on_all, .checks = 1)),
	.judge = judge,
};
