// SPDX-License-Identifier: MIT
/*
 * VmPTE counts page tables. Mapping takes no page table; touching a page far from others takes one;
 * unmapping frees them.
 */
#include <rssck/case.h>

/* The pages are in TABLES page tables, all below one table of the next level. */
enum { TABLES = 64, UPPER_MOST = 2048, REGION = 0, ALIGNED = 1, ABOVE = 2 };
STEP_SYMBOLS(RESERVE, TOUCH_ONE_PAGE, TOUCH_ITS_NEIGHBOUR, TOUCH_64_FAR_APART,
	     TOUCH_ONE_IN_THE_NEXT_TABLE, DONTNEED, UNMAP);

/*
 * Returns at least as many bytes as a table of the next level maps on any machine. On s390x this
 * table has 2048 entries.
 */
static size_t upper_bytes(const struct workload *w)
{
	size_t entries = w->page_size / sizeof(uint64_t);

	return workload_table_bytes(w) * (entries > UPPER_MOST ? entries : UPPER_MOST);
}

static void reserve(struct workload *w)
{
	size_t upper = upper_bytes(w);
	void *p = upper > SIZE_MAX / 3 ? NULL
				       : workload_try_map(3 * upper, PROT_READ | PROT_WRITE,
							  MAP_PRIVATE | MAP_NORESERVE, -1);

	if (!p)
		workload_skip(w, "3 x %zu MiB of address space", upper >> 20);
	workload_remember(w, p, 3 * upper);
	workload_expect(w, VIRT_DATA((int64_t)(3 * upper / w->page_size)));
	w->slot[REGION] = p;
	w->slot[ALIGNED] = (void *)(((uintptr_t)p + upper - 1) / upper * upper);
	w->slot[ABOVE] = (char *)w->slot[ALIGNED] + upper;
	w->number[REGION] = (int64_t)(3 * upper);
}

static void touch_far(struct workload *w)
{
	for (size_t i = 1; i <= TABLES; i++)
		touch_write(w, (char *)w->slot[ALIGNED] + i * workload_table_bytes(w), 1);
}

static void drop(struct workload *w)
{
	workload_advise(w, w->slot[REGION], (size_t)w->number[REGION], MADV_DONTNEED);
}

static void unmap(struct workload *w)
{
	workload_unmap(w, w->slot[REGION], (size_t)w->number[REGION]);
	workload_expect(w, VIRT_DATA(-w->number[REGION] / (int64_t)w->page_size));
}

/*
 * No file shows the size of a table of the next level, so it is measured: a page touched in the
 * range of another such table adds this table plus one page table. A reservation that begins in one
 * range and goes on in another needs one table more.
 */
static void judge(const struct trial *t, struct judgement *j)
{
	static const char rule[] = "VmPTE = the page tables that the pages need";
	int64_t bound = trial_tables_bound(t), before = trial_tables(t, STEP_BASELINE, 0);
	int64_t first = trial_tables(t, TOUCH_ONE_PAGE, 0);
	int64_t far = trial_tables(t, TOUCH_64_FAR_APART, 0);
	int64_t above = trial_tables(t, TOUCH_ONE_IN_THE_NEXT_TABLE, 0) - far;
	int64_t left = trial_tables(t, DONTNEED, 0) - before, upper = above - 1;
	int64_t all = first - before + TABLES + above, lasts = 1 + TABLES + 1;

	judge_equal(j, RESERVE, "status.VmPTE", trial_tables(t, RESERVE, 0), before,
		    "mapping without touching needs no page table");
	judge_true(j, TOUCH_ONE_PAGE,
		   first - before >= 1 + upper - bound &&
			   first - before <= 1 + 2 * upper + 2 * bound,
		   rule);
	judge_equal(j, TOUCH_ITS_NEIGHBOUR, "status.VmPTE", trial_tables(t, TOUCH_ITS_NEIGHBOUR, 0),
		    first, rule);
	judge_moved(j, TOUCH_64_FAR_APART, METRIC_STATUS_VMPTE, far - first, TABLES, bound, rule);
	judge_true(j, TOUCH_ONE_IN_THE_NEXT_TABLE, upper >= 1,
		   "VmPTE also counts the tables of the next level");
	judge_fact(j, "page_tables.freed_by_MADV_DONTNEED", "%s",
		   left >= all - bound                       ? "no"
		   : left <= all - lasts + bound && left > 0 ? "yes"
							     : "some");
	judge_equal(j, UNMAP, "status.VmPTE", trial_tables(t, UNMAP, 0), before,
		    "unmapping frees the page tables");
}

/*
 * Steps are not settled, because settling maps memory and may leave a page table that the region
 * could use.
 */
CASE(virtual_page_tables) {
	.claim =
		"VmPTE rises by one page table when the first page in the table's range (2 MiB on x86-64) is touched, not when memory is mapped; unmapping lowers VmPTE, and no RSS includes it",
	.because =
		"The first fault in a range allocates its page table, and mm_inc_nr_ptes() counts it. free_pgtables() frees it; since 6.14 MADV_DONTNEED does, too (CONFIG_PT_RECLAIM). If each page needs its own page table, memory costs twice as much.",
	.said_by = SAID_BY("proc_pid_status(5), VmPTE"),
	.steps = STEPS(STEP_AS(RESERVE, "reserve", reserve, .flags = STEP_UNSETTLED),
		       STEP_AS(TOUCH_ONE_PAGE, "touch one page", step_write, .slot = ALIGNED,
			       .pages = 1, .flags = STEP_UNSETTLED, MOVES(ANON_WRITE(1))),
		       STEP_AS(TOUCH_ITS_NEIGHBOUR, "touch the next page", step_write,
			       .slot = ALIGNED, .first = 1, .pages = 1, .flags = STEP_UNSETTLED,
			       MOVES(ANON_WRITE(1))),
		       STEP_AS(TOUCH_64_FAR_APART, "touch 64 pages far apart", touch_far,
			       .flags = STEP_UNSETTLED, MOVES(ANON_WRITE(TABLES))),
		       STEP_AS(TOUCH_ONE_IN_THE_NEXT_TABLE, "touch a page in the next table",
			       step_write, .slot = ABOVE, .pages = 1, .flags = STEP_UNSETTLED,
			       MOVES(ANON_WRITE(1))),
		       STEP_AS(DONTNEED, "MADV_DONTNEED", drop, .flags = STEP_UNSETTLED,
			       MOVES(ANON_WRITE(-(TABLES + 3)))),
		       STEP_AS(UNMAP, "unmap", unmap, .flags = STEP_UNSETTLED)),
	.posts = POSTS(VIRT_DATA(1)),
	.moves = METRICS(METRIC_STATUS_VMPTE),
	.facts = FACTS(FACT("page_tables.freed_by_MADV_DONTNEED",
			    "Does MADV_DONTNEED free the page tables that it empties?", "yes|no")),
	.judge = judge,
};
