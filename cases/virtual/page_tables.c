// SPDX-License-Identifier: MIT
/* VmPTE is what page tables take: mapping costs none, a page far from others one, unmapping gives
 * back. */
#include <rssck/case.h>

/* Each page below a page table of its own, all of them below one table of the next level. */
enum { TABLES = 64, REGION = 0, ALIGNED = 1 };

static void reserve(struct workload *w)
{
	size_t upper = workload_table_bytes(w) * (w->page_size / sizeof(uint64_t));
	void *p = mmap(NULL, 3 * upper, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		workload_skip(w, "%zu MiB of address space: %m", 3 * upper >> 20);
	workload_remember(w, p, 3 * upper);
	workload_expect(w, VIRT_DATA((int64_t)(3 * upper / w->page_size)));
	w->slot[REGION] = p;
	w->slot[ALIGNED] = (void *)(((uintptr_t)p + upper - 1) / upper * upper);
	w->number[REGION] = (int64_t)(3 * upper);
}

static void touch_far(struct workload *w)
{
	for (size_t i = 1; i <= TABLES; i++)
		touch_write(w, (char *)w->slot[ALIGNED] + i * workload_table_bytes(w), 1);
}

static void drop(struct workload *w)
{
	workload_must(w, madvise(w->slot[REGION], (size_t)w->number[REGION], MADV_DONTNEED),
		      "MADV_DONTNEED");
}

static void unmap(struct workload *w)
{
	munmap(w->slot[REGION], (size_t)w->number[REGION]);
	workload_forget(w, w->slot[REGION]);
	workload_expect(w, VIRT_DATA(-w->number[REGION] / (int64_t)w->page_size));
}

static int64_t tables(const struct trial *t, const char *step)
{
	return snapshot_pages(trial_snapshot(t, step, 0), METRIC_STATUS_VMPTE, t->host->page_size);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t before = tables(t, "baseline"), first = tables(t, "touch one page");
	int64_t left = tables(t, "MADV_DONTNEED") - before;
	static const char rule[] = "VmPTE = the page tables that the pages need";

	judge_equal(j, "reserve 3 GiB", "status.VmPTE", tables(t, "reserve 3 GiB"), before,
		    "mapping alone costs no page table");
	/* A page table and the one above it; one more where the reservation begins a region of it.
	 */
	judge_true(j, "touch one page", first - before == 2 || first - before == 3, rule);
	judge_equal(j, "touch its neighbour", "status.VmPTE", tables(t, "touch its neighbour"),
		    first, rule);
	judge_moved(j, "touch 64 far apart", METRIC_STATUS_VMPTE,
		    tables(t, "touch 64 far apart") - first, TABLES, 0, rule);
	judge_fact(j, "page_tables.freed_by_MADV_DONTNEED", "%s",
		   left == first - before + TABLES ? "no"
		   : left == first - before - 1    ? "yes"
						   : "some");
	judge_equal(j, "unmap", "status.VmPTE", tables(t, "unmap"), before,
		    "unmapping gives the page tables back");
}

/* Settling maps memory, too, and can leave a page table behind that a neighbour could use. */
CASE(virtual_page_tables) {
	.claim = "VmPTE grows by one page table for each region touched, not for each mapping, and "
		 "is in no RSS; unmapping gives it back",
	.because = "The first fault in a region allocates its page table, which mm_inc_nr_ptes() "
		   "counts; free_pgtables() frees it, and since 6.14 MADV_DONTNEED does, too "
		   "(CONFIG_PT_RECLAIM). Memory that is touched sparsely needs as much again for "
		   "page tables.",
	.said_by = SAID_BY("proc_pid_status(5), VmPTE"),
	.steps = STEPS(STEP("reserve 3 GiB", reserve, .flags = STEP_UNSETTLED),
		       STEP("touch one page", step_write, .slot = ALIGNED, .pages = 1,
			    .flags = STEP_UNSETTLED, MOVES(ANON_WRITE(1))),
		       STEP("touch its neighbour", step_write, .slot = ALIGNED, .first = 1,
			    .pages = 1, .flags = STEP_UNSETTLED, MOVES(ANON_WRITE(1))),
		       STEP("touch 64 far apart", touch_far, .flags = STEP_UNSETTLED,
			    MOVES(ANON_WRITE(TABLES))),
		       STEP("MADV_DONTNEED", drop, .flags = STEP_UNSETTLED,
			    MOVES(ANON_WRITE(-(TABLES + 2)))),
		       STEP("unmap", unmap, .flags = STEP_UNSETTLED)),
	.posts = POSTS(VIRT_DATA(1)),
	.moves = METRICS(METRIC_STATUS_VMPTE),
	.facts = FACTS(FACT("page_tables.freed_by_MADV_DONTNEED", "yes|no")),
	.judge = judge,
};
