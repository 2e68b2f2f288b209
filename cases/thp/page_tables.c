// SPDX-License-Identifier: MIT
/*
 * The kernel deposits a page table for each huge page of anonymous memory. VmPTE counts it, even in
 * a forked child.
 */
#include <rssck/case.h>

enum { WRITTEN = 1, READ = 2, AREAS = 3, REGION = 0, BEFORE = 1, AFTER = 2 };
STEP_SYMBOLS(TOUCH_A_SMALL_PAGE, FORK_BEFORE, READ_A_HUGE_PAGE_OF_ZEROES, WRITE_A_HUGE_PAGE, FORK,
	     DONTNEED);

static char *area(const struct workload *w, size_t i)
{
	return (char *)w->slot[REGION] + i * w->huge_page_size;
}

/* All areas are below one table of the next level, which the small page allocates. */
static void map_and_touch(struct workload *w)
{
	size_t reach = w->huge_page_size * (size_t)w->huge;

	if (!w->huge_page_size)
		workload_skip(w, "transparent huge pages");
	w->slot[REGION] = workload_aligned_map(w, AREAS * w->huge_page_size, reach, -1);
	workload_advise(w, area(w, 0), w->huge_page_size, MADV_NOHUGEPAGE);
	touch_write(w, area(w, 0), 1);
	workload_expect(w, VIRT_DATA(AREAS * w->huge));
}

static void read_zero(struct workload *w)
{
	workload_need_huge_zero_page(w);
	workload_advise(w, area(w, READ), w->huge_page_size, MADV_HUGEPAGE);
	touch_read(w, area(w, READ), 1);
	if (workload_pages_present(w, area(w, READ), (size_t)w->huge) < w->huge)
		workload_skip(w, "the huge zero page (memory is fragmented)");
	workload_expect(w, ZERO_READ(w->huge));
}

static void write_huge(struct workload *w)
{
	workload_huge_write(w, area(w, WRITTEN), 1);
	workload_expect(w, ANON_HUGE(w->huge));
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const char rule[] = "VmPTE counts the page table deposited for each huge page";
	int64_t none = trial_tables(t, TOUCH_A_SMALL_PAGE, 0), bound = trial_tables_bound(t);

	judge_moved(j, READ_A_HUGE_PAGE_OF_ZEROES, METRIC_STATUS_VMPTE,
		    trial_tables(t, READ_A_HUGE_PAGE_OF_ZEROES, 0) - none, 1, bound, rule);
	judge_moved(j, WRITE_A_HUGE_PAGE, METRIC_STATUS_VMPTE,
		    trial_tables(t, WRITE_A_HUGE_PAGE, 0) - none, 2, bound, rule);
	judge_within(j, FORK, AFTER, "status.VmPTE of the child",
		     trial_tables(t, FORK, AFTER) - trial_tables(t, FORK_BEFORE, BEFORE), 2, bound,
		     rule);
	judge_within(j, DONTNEED, 0, "status.VmPTE", trial_tables(t, DONTNEED, 0), none, bound,
		     rule);
}

/*
 * Steps are not settled, because settling maps memory and may leave a page table that the region
 * could use.
 */
CASE(thp_page_tables) {
	.claim =
		"VmPTE counts a page table for each transparent huge page of anonymous memory, in the parent and in a forked child, until the huge page is unmapped",
	.because = "pgtable_trans_huge_deposit() keeps a page table for a later split of the "
		   "PMD, and mm_inc_nr_ptes() counts it. copy_huge_pmd() does the same for a "
		   "child. The huge zero page also has a deposited table.",
	.said_by = SAID_BY("proc_pid_status(5), VmPTE"),
	.needs = NEEDS("thp", "zero_page"),
	.processes = 2,
	.flags = CASE_THP,
	.steps = STEPS(STEP_AS(TOUCH_A_SMALL_PAGE, "touch a small page", map_and_touch,
			       .flags = STEP_UNSETTLED, MOVES(ANON_WRITE(1))),
		       STEP_AS(FORK_BEFORE, "fork before", step_fork, .child = BEFORE,
			       .flags = STEP_UNSETTLED,
			       MOVES(VIRT_DATA(AREAS *THP, .process = BEFORE),
				     SHARED_WITH(BEFORE, ANON_WRITE, 1))),
		       STEP("that child exits", step_reap, .child = BEFORE, .flags = STEP_UNSETTLED,
			    MOVES(RESHARED(ANON_WRITE, 1, 2, 1))),
		       STEP_AS(READ_A_HUGE_PAGE_OF_ZEROES, "read a huge page of zeroes", read_zero,
			       .flags = STEP_UNSETTLED),
		       STEP_AS(WRITE_A_HUGE_PAGE, "write a huge page", write_huge,
			       .flags = STEP_UNSETTLED),
		       STEP_AS(FORK, "fork", step_fork, .child = AFTER, .flags = STEP_UNSETTLED,
			       MOVES(VIRT_DATA(AREAS *THP, .process = AFTER),
				     ZERO_READ(THP, .process = AFTER),
				     SHARED_WITH(AFTER, ANON_WRITE, 1),
				     SHARED_WITH(AFTER, ANON_HUGE, THP))),
		       STEP_AS(DONTNEED, "MADV_DONTNEED", step_advise, .first = WRITTEN * THP,
			       .pages = 2 * THP, .advice = MADV_DONTNEED, .flags = STEP_UNSETTLED,
			       MOVES(ZERO_READ(-THP), ANON_HUGE(-THP, .sharers = 2),
				     RESHARED(ANON_HUGE, THP, 2, 1, .process = AFTER)))),
	.posts = POSTS(VIRT_DATA(1), ZERO_READ(1), ANON_HUGE(1)),
	.moves = METRICS(METRIC_STATUS_VMPTE),
	.judge = judge,
};
