// SPDX-License-Identifier: MIT
/* Under pressure a huge page that was given up is gone whole. */
#include <rssck/case.h>
#include <unistd.h>

enum { REGION = 0, TRIES = 50, PAUSE_US = 10000 };

static void expect(struct workload *w, int64_t n)
{
	workload_expect(w, ANON_CLEAN(n, .also = PAGE_HUGE | PAGE_LAZYFREE | PAGE_NOT_SWAPBACKED));
}

static void write_and_free(struct workload *w)
{
	w->slot[REGION] = workload_huge_map(w, 1, -1);
	workload_huge_write(w, w->slot[REGION], 1);
	touch_write(w, w->slot[REGION], (size_t)w->huge);
	if (madvise(w->slot[REGION], w->huge_page_size, MADV_FREE) < 0)
		workload_skip(w, "MADV_FREE: %m");
	workload_expect(w, VIRT_DATA(w->huge));
	expect(w, w->huge);
}

/* What is just being looked at by others is passed over, and asked for again. */
static void reclaim(struct workload *w)
{
	int64_t left = w->huge;

	for (int i = 0; i < TRIES && left; i++) {
		if (madvise(w->slot[REGION], w->huge_page_size, MADV_PAGEOUT) < 0)
			workload_skip(w, "MADV_PAGEOUT (Linux 5.4): %m");
		left = workload_pages_present(w, w->slot[REGION], (size_t)w->huge);
		if (left)
			usleep(PAUSE_US);
	}
	expect(w, -w->huge);
}

static void touch_one(struct workload *w)
{
	touch_write(w, w->slot[REGION], 1);
}

CASE(thp_lazyfree_pressure) {
	.claim = "Reclaim drops a huge page after MADV_FREE: all 512 pages leave RES, LazyFree and "
		 "AnonHugePages, and none goes to swap",
	.because = "__discard_anon_folio_pmd_locked() removes the PMD as a whole (since 6.11) and "
		   "lowers MM_ANONPAGES by HPAGE_PMD_NR; before, try_to_unmap_one() split it and "
		   "removed page by page.",
	.said_by = SAID_BY("madvise(2), MADV_FREE"),
	.needs = NEEDS("thp"),
	.flags = CASE_THP,
	.steps = STEPS(STEP("write and MADV_FREE", write_and_free), STEP("reclaim", reclaim),
		       STEP("touch one page", touch_one, MOVES(ANON_WRITE(1)))),
	.posts = POSTS(VIRT_DATA(1), ANON_CLEAN(1, .also = PAGE_LAZYFREE)),
};
