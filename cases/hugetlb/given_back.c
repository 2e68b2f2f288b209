// SPDX-License-Identifier: MIT
/* HugetlbPages falls by each hugetlb page that is dropped, punched out or truncated. */
#include "pages.h"

enum { HUGE = 3, REGION = 0, FD = 0 };

static void *page(const struct workload *w, int i)
{
	return (char *)w->slot[REGION] + i * w->number[BYTES];
}

static void map_and_write(struct workload *w)
{
	w->fd[FD] = workload_hugetlb_file(w, HUGE, &w->number[BYTES]);
	w->slot[REGION] = workload_hugetlb_map(w, HUGE * (size_t)w->number[BYTES], w->fd[FD]);
	for (int i = 0; i < HUGE; i++)
		touch_write(w, page(w, i), 1);
	workload_expect(w, VIRT_OTHER(HUGE * pages(w)), HUGETLB(HUGE * pages(w)));
}

static void dontneed(struct workload *w)
{
	if (madvise(page(w, 0), (size_t)w->number[BYTES], MADV_DONTNEED) < 0)
		workload_skip_step(w, "MADV_DONTNEED of hugetlb (Linux 5.18): %m");
	workload_expect(w, HUGETLB(-pages(w)));
}

/* The page is still in the file, so the touch maps it again, unless the step before was skipped. */
static void touch_again(struct workload *w)
{
	int64_t there = workload_pages_present(w, page(w, 0), (size_t)pages(w));

	touch_read(w, page(w, 0), 1);
	workload_expect(w, HUGETLB(pages(w) - there));
}

static void punch(struct workload *w)
{
	workload_punch(w, w->fd[FD], w->number[BYTES], w->number[BYTES]);
	workload_expect(w, HUGETLB(-pages(w)));
}

static void truncate_to_one(struct workload *w)
{
	workload_must(w, ftruncate(w->fd[FD], w->number[BYTES]), "ftruncate");
	workload_expect(w, HUGETLB(-pages(w)));
}

CASE(hugetlb_given_back) {
	.claim =
		"MADV_DONTNEED (since 5.18), punching a hole and truncating the file each remove a hugetlb page from HugetlbPages",
	.because =
		"__unmap_hugepage_range() lowers hugetlb_usage by the size of each page that it unmaps, whatever the reason.",
	.said_by = SAID_BY("proc_pid_status(5), HugetlbPages", "madvise(2), MADV_DONTNEED"),
	.needs = NEEDS("hugetlb"),
	.steps = STEPS(STEP("map and write three", map_and_write),
		       STEP("MADV_DONTNEED the first", dontneed),
		       STEP("read it again", touch_again), STEP("punch out the second", punch),
		       STEP("truncate the third away", truncate_to_one)),
	.posts = POSTS(VIRT_OTHER(1), HUGETLB(1)),
};
