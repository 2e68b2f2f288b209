// SPDX-License-Identifier: MIT
/*
 * fork maps private hugetlb pages into the child; a write then copies them. The child maps shared
 * hugetlb pages at fork (before 6.0) or when it touches them.
 */
#include "pages.h"

enum { SHARED = 0, PRIVATE = 1, FD = 0, COPIED = 1, CHILD = 1 };
STEP_SYMBOLS(FORK);

/* Reserves three pages and gives one back, so that one page is free for the child's copy. */
static void map_and_write(struct workload *w)
{
	size_t bytes;
	char *p;

	w->fd[FD] = workload_hugetlb_file(w, 1, &w->number[BYTES]);
	bytes = (size_t)w->number[BYTES];
	w->slot[SHARED] = workload_hugetlb_map(w, bytes, w->fd[FD]);
	p = workload_hugetlb_map(w, 2 * bytes, -1);
	munmap(p + bytes, bytes);
	workload_forget(w, p);
	workload_remember(w, p, bytes);
	w->slot[PRIVATE] = p;
	touch_write(w, w->slot[SHARED], 1);
	touch_write(w, w->slot[PRIVATE], 1);
	workload_expect(w, VIRT_OTHER(pages(w)), VIRT_DATA(pages(w)), HUGETLB(2 * pages(w)));
}

static void fork_child(struct workload *w)
{
	workload_fork(w, CHILD);
	w->number[COPIED] = !workload_pages_marked(w, w->slot[SHARED], (size_t)pages(w),
						   PAGEMAP_EXCLUSIVE);
	workload_report(w, "copied", w->number[COPIED]);
	workload_expect(w, VIRT_OTHER(pages(w), .process = CHILD),
			VIRT_DATA(pages(w), .process = CHILD));
	workload_expect(w, SHARED_WITH(CHILD, HUGETLB, pages(w)));
	if (w->number[COPIED])
		workload_expect(w, SHARED_WITH(CHILD, HUGETLB, pages(w)));
}

static void write_shared(struct workload *w)
{
	bool there = workload_pages_present(w, w->slot[SHARED], 1);

	touch_write(w, w->slot[SHARED], 1);
	if (!there)
		workload_expect(w, SHARED_WITH(CHILD, HUGETLB, pages(w)));
}

static void write_private(struct workload *w)
{
	touch_write(w, w->slot[PRIVATE], 1);
	workload_expect(w, PARTED_FROM(CHILD, HUGETLB, pages(w)));
}

static void unmap_shared(struct workload *w)
{
	munmap(w->slot[SHARED], (size_t)w->number[BYTES]);
	workload_expect(w, VIRT_OTHER(-pages(w), .process = CHILD),
			HUGETLB(-pages(w), .sharers = 2, .process = CHILD),
			RESHARED(HUGETLB, pages(w), 2, 1));
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_yes_no(j, "hugetlb.fork_maps_shared_pages", trial_reported(t, FORK, "copied"));
}

CASE(hugetlb_fork) {
	.claim =
		"After fork the child's HugetlbPages counts private pages immediately, and shared pages (since 6.0) only when the child touches them; a write copies a private page",
	.because = "vma_needs_copy() leaves shared mappings to later faults (for hugetlb since "
		   "6.0). copy_hugetlb_page_range() counts the entries of a private mapping. "
		   "hugetlb_wp() copies each private page that the child writes.",
	.said_by = SAID_BY("proc_pid_status(5), HugetlbPages", "mmap(2), MAP_HUGETLB"),
	.needs = NEEDS("hugetlb"),
	.processes = 1,
	.steps = STEPS(STEP("map and write", map_and_write), STEP_AS(FORK, "fork", fork_child),
		       STEP("the child writes the shared page", write_shared, .process = CHILD),
		       STEP("the child writes the private page", write_private, .process = CHILD),
		       STEP("the child unmaps the shared page", unmap_shared, .process = CHILD),
		       STEP("the child exits", step_reap, .child = CHILD)),
	.posts = POSTS(VIRT_DATA(1), VIRT_OTHER(1), HUGETLB(1), HUGETLB(1, .sharers = 2)),
	.facts = FACTS(FACT("hugetlb.fork_maps_shared_pages",
			    "Does fork map shared hugetlb pages into the child?", "yes|no")),
	.judge = judge,
};
