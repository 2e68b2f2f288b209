// SPDX-License-Identifier: MIT
/*
 * memory.stat counts, as events, pages that are paged out, read back, passed to MADV_FREE, dropped
 * and reclaimed.
 */
#include "noise.h"

/* PAGES is a multiple of CGROUP_BATCH, the per-CPU batch by which a number may lag. */
enum { PAGES = 1024, REGION = 0 };
STEP_SYMBOLS(IN_A_CGROUP);

static const char READ_BACK[] = "read";

/*
 * By how many pages each act raises an event; 0: not at all. The kernel decides how many pages
 * memory.reclaim frees, so there `as` replaces `pages`.
 */
static const struct {
	const char *act, *event;
	int64_t pages;
	const char *as; /* name of the number that the step reports instead */
} claims[] = {
	{ "page out", "pswpout", PAGES, NULL },
	{ "page out", "pswpin", 0, NULL },
	{ READ_BACK, "pswpin", PAGES, NULL },
	{ READ_BACK, "pswpout", 0, NULL },
	{ READ_BACK, "workingset_refault_anon", PAGES, NULL },
	{ READ_BACK, "workingset_refault_file", 0, NULL },
	{ "give up", "pglazyfree", PAGES, NULL },
	{ "give up", "pglazyfreed", 0, NULL },
	{ "drop", "pglazyfreed", PAGES, NULL },
	{ "drop", "pswpout", 0, NULL },
	{ "reclaim", "pgsteal", 0, "freed" },
	{ "reclaim", "pswpout", 0, "written" },
};

enum { CLAIMS = sizeof(claims) / sizeof(*claims) };

static void page_out(struct workload *w)
{
	workload_page_out(w, w->slot[REGION], PAGES);
}

static void read_back(struct workload *w)
{
	workload_must_hold(w, w->slot[REGION], PAGES, true);
}

/*
 * Each CPU collects 31 pages of MADV_FREE (15 on older kernels) before it marks them, so the count
 * may lag by up to 30.
 */
static void give_up(struct workload *w)
{
	workload_advise(w, w->slot[REGION], PAGES * w->page_size, MADV_FREE);
}

static void drop(struct workload *w)
{
	workload_reclaim(w, w->slot[REGION], PAGES);
}

/*
 * The kernel returns EAGAIN if it reclaimed fewer pages than requested. memory.reclaim exists since
 * 5.19.
 */
static void reclaim(struct workload *w)
{
	int64_t written;

	if (!workload_cgroup_try_to_set(w, "memory.reclaim", PAGES / 2) && errno != EAGAIN)
		return;
	written = workload_pages_swapped(w, w->slot[REGION], PAGES);
	/* Pages that are still being written stay in the swap cache. Reclaim frees them later. */
	workload_report(w, "written", written);
	workload_report(w, "freed", written - workload_cgroup_stat(w, "swapcached"));
}

static void count(struct workload *w, const char *what, void (*act)(struct workload *w))
{
	int64_t before[CLAIMS];

	workload_cgroup_settle(w);
	for (size_t i = 0; i < CLAIMS; i++)
		before[i] = workload_cgroup_events(w, claims[i].event);
	act(w);
	workload_cgroup_settle(w);
	for (size_t i = 0; i < CLAIMS; i++) {
		if (before[i] >= 0 && !strcmp(claims[i].act, what))
			workload_report_of(w, what, claims[i].event,
					   workload_cgroup_events(w, claims[i].event) - before[i]);
	}
}

static void begin(struct workload *w)
{
	w->slot[REGION] = workload_anonymous(w, PAGES);
	madvise(w->slot[REGION], PAGES * w->page_size, MADV_NOHUGEPAGE);
	touch_write(w, w->slot[REGION], PAGES);
}

static void pay(struct workload *w)
{
	if (zswap_is_on())
		workload_skip(w, "swap without zswap");
	workload_cgroup_enter(w);
	begin(w);
	count(w, "page out", page_out);
	workload_report(w, "emptied",
			workload_cgroup_events(w, "swapcached") >= 0 &&
				workload_cgroup_empties_swap_cache(w));
	count(w, READ_BACK, read_back);
	workload_unmap(w, w->slot[REGION], PAGES * w->page_size);
	begin(w);
	count(w, "give up", give_up);
	count(w, "drop", drop);
	workload_unmap(w, w->slot[REGION], PAGES * w->page_size);
	begin(w);
	count(w, "reclaim", reclaim);
	workload_unmap(w, w->slot[REGION], PAGES * w->page_size);
	workload_cgroup_leave(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	for (size_t i = 0; i < CLAIMS; i++) {
		int64_t pages = claims[i].as ? trial_reported_or(t, IN_A_CGROUP, claims[i].as, -1)
					     : claims[i].pages;
		char name[48];
		int64_t rose;

		snprintf(name, sizeof(name), "%s: %s", claims[i].act, claims[i].event);
		rose = trial_reported_or(t, IN_A_CGROUP, name, INT64_MIN);
		/*
		 * If the swap cache is not empty, a fault may find its page there instead of
		 * reading it.
		 */
		if (claims[i].act == READ_BACK && !trial_reported_or(t, IN_A_CGROUP, "emptied", 0))
			continue;
		if (rose != INT64_MIN && pages >= 0)
			judge_within(j, IN_A_CGROUP, 0, name, rose, pages, CGROUP_BATCH,
				     "the event is counted once per page");
	}
}

CASE(cgroup_reclaim_events) {
	.claim =
		"In memory.stat pswpout counts pages swapped out, pswpin and workingset_refault_anon count pages read back, pglazyfree counts pages passed to MADV_FREE, and pglazyfreed those of them that are dropped. pgsteal counts pages that memory.reclaim frees",
	.because = "swap_writepage(), swap_read_folio(), workingset_refault(), lru_lazyfree() and "
		   "shrink_folio_list() count the event in the cgroup that is charged for the "
		   "page. shrink_inactive_list() and evict_folios() count pgsteal. MADV_PAGEOUT "
		   "calls neither of these two, because it does not scan the LRU lists.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat"),
	.needs = NEEDS("root", "swap"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(IN_A_CGROUP, "in a cgroup", pay, .checks = 1)),
	.judge = judge,
};
