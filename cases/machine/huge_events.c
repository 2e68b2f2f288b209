// SPDX-License-Identifier: MIT
/*
 * Events of acts on huge pages, beside the same acts on as many small pages: both count as many.
 */
#include "base/cpus.h"
#include "event_acts.h"

STEP_SYMBOLS(ACT);

enum { TRIES = 4, HUGE_PAGES = 2, HUGE_MOST = 32 << 20 };
enum { SMALL, HUGE, SIZES };
static const char *const sizes[] = { [SMALL] = "base", [HUGE] = "huge" };

static bool advise_cold(const struct workload *w, char *p)
{
	return syscall(SYS_madvise, p, load_bytes(w), MADV_COLD) == 0;
}

/* Acts in the order in which they are performed on the same memory, and the events of each. */
static const struct {
	bool (*act)(const struct workload *w, char *p);
	const char *events[4];
} acts[] = {
	{ load_lock, { "unevictable_pgs_mlocked", "unevictable_pgs_culled" } },
	{ load_unlock, { "unevictable_pgs_munlocked", "unevictable_pgs_rescued" } },
	{ load_migrate, { "pgmigrate_success" } },
	{ advise_cold, { "pgdeactivate" } },
	{ load_free, { "pglazyfree" } },
};

enum { ACTS = sizeof(acts) / sizeof(*acts), EVENTS = 4 };

/* The least by which each event rose in several tries; other processes may add to one. */
static struct {
	int64_t rose[SIZES][ACTS][EVENTS];
	bool done[SIZES][ACTS];
} least;

static int64_t event_now(const char *name)
{
	return workload_number("/proc/vmstat", name, -1);
}

static void events_now(int64_t of[EVENTS], size_t act)
{
	workload_try_to_set("/proc/sys/vm/stat_refresh", "1");
	for (size_t i = 0; i < EVENTS && acts[act].events[i]; i++)
		of[i] = event_now(acts[act].events[i]);
}

/* The events that are counted when a CPU's batch goes to the LRU lists belong to the act. */
static void act_once(const struct workload *w, int size, size_t act, char *p)
{
	int64_t before[EVENTS], after[EVENTS];
	bool first = !least.done[size][act];

	cpus_drain_lists();
	events_now(before, act);
	if (!acts[act].act(w, p))
		return;
	cpus_drain_lists();
	events_now(after, act);
	for (size_t i = 0; i < EVENTS && acts[act].events[i]; i++) {
		int64_t *rose = &least.rose[size][act][i], n = after[i] - before[i];

		if (first || n < *rose)
			*rose = before[i] < 0 ? -1 : n;
	}
	least.done[size][act] = true;
}

static bool act_all(const struct workload *w, int size)
{
	char *p = size == HUGE ? huge_anon(w) : load_anonymous(w);

	for (size_t act = 0; p && act < ACTS; act++)
		act_once(w, size, act, p);
	if (p)
		munmap(p, load_bytes(w));
	return p;
}

static void act_on_both(struct workload *w)
{
	if (!w->huge || w->huge_page_size > HUGE_MOST)
		workload_skip_step(w, "transparent huge pages of at most 32 MiB");
	w->number[LOAD_PAGES] = HUGE_PAGES * w->huge;
	for (int i = 0; i < TRIES; i++)
		for (int size = 0; size < SIZES; size++)
			if (!act_all(w, size))
				workload_skip_step(w, "%s pages: %m",
						   size == HUGE ? "huge" : "small");
	for (int size = 0; size < SIZES; size++)
		for (size_t act = 0; act < ACTS; act++)
			for (size_t i = 0; i < EVENTS && acts[act].events[i]; i++)
				if (least.done[size][act])
					workload_report_of(w, sizes[size], acts[act].events[i],
							   least.rose[size][act][i]);
	workload_report(w, "pages", (int64_t)load_pages(w));
	workload_checked(w);
}

/* `times`: how often each page must be counted; 0 if the kernel decides whether it is. */
static const struct counted {
	const char *event;
	int times;
} counted[] = {
	{ "unevictable_pgs_mlocked", 1 },
	{ "unevictable_pgs_culled", 1 },
	{ "unevictable_pgs_munlocked", 1 },
	{ "unevictable_pgs_rescued", 1 },
	{ "pgmigrate_success", 2 },
	{ "pgdeactivate", 0 },
	{ "pglazyfree", 1 },
};

enum { COUNTED = sizeof(counted) / sizeof(*counted) };

/* MADV_COLD deactivates only active pages, unless MGLRU is on: small pages show whether it does. */
static void judge_one(const struct trial *t, struct judgement *j, const struct counted *c)
{
	int64_t pages = trial_reported(t, ACT, "pages");
	int64_t small = trial_reported_of(t, ACT, sizes[SMALL], c->event);
	int64_t huge = trial_reported_of(t, ACT, sizes[HUGE], c->event);
	char rule[96];

	if (small < 0 || huge < 0)
		return;
	snprintf(rule, sizeof(rule), "%s counts each small page of an act", c->event);
	judge_true(j, ACT, small >= c->times * pages, rule);
	snprintf(rule, sizeof(rule), "%s counts each small page of a huge page", c->event);
	if (small >= pages)
		judge_within(j, ACT, 0, c->event, huge, c->times ? c->times * pages : pages, 0,
			     rule);
}

static void judge(const struct trial *t, struct judgement *j)
{
	for (size_t i = 0; i < COUNTED; i++)
		judge_one(t, j, &counted[i]);
}

CASE(machine_huge_events) {
	.claim =
		"An event of vmstat that counts pages which are locked, unlocked, migrated, deactivated or marked by MADV_FREE counts a huge page as often as it has small pages",
	.because = "The kernel adds folio_nr_pages() where it counts pages. Where it adds 1 "
		   "instead, a huge page counts as little as a small one.",
	.said_by = SAID_BY("Documentation/mm/unevictable-lru.rst", "move_pages(2)"),
	.needs = NEEDS("root", "guest", "thp"),
	.flags = CASE_THP | CASE_ONE_CPU | CASE_KEEPS_MEMORY,
	.steps = STEPS(STEP_AS(ACT, "act on small and on huge pages", act_on_both, .checks = 1,
			       .flags = STEP_ANY_PAGES)),
	.judge = judge,
};
