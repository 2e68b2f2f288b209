// SPDX-License-Identifier: MIT
/*
 * UFFDIO_MOVE of swapped and of clean pages: all are soft-dirty at their new place, and clean pages
 * stay clean.
 */
#include <rssck/case.h>

enum { PAGES = 64, HALF = PAGES / 2, SOURCE = 0, REGION = 1, UFFD = 0, CLEAN = 0 };
STEP_SYMBOLS(READ_HALF, MOVE);

static void write_and_page_out(struct workload *w)
{
	w->slot[SOURCE] = workload_written(w, PAGES);
	w->slot[REGION] = workload_anonymous(w, PAGES);
	w->fd[UFFD] = workload_userfaultfd(w, w->slot[REGION], PAGES * w->page_size,
					   UFFDIO_REGISTER_MODE_MISSING, 0);
	workload_page_out(w, w->slot[SOURCE], PAGES);
}

/* The pages are clean or dirty, depending on the kernel and the swap device. */
static void read_half(struct workload *w)
{
	touch_read(w, w->slot[SOURCE], HALF);
	w->number[CLEAN] = workload_pages_clean(w, w->slot[SOURCE]);
	workload_expect(w, ANON_CLEAN(w->number[CLEAN]), ANON_WRITE(HALF - w->number[CLEAN]));
	workload_clear_refs(w, '4');
	workload_report(w, "soft-dirty",
			workload_pages_marked(w, w->slot[SOURCE], PAGES, PAGEMAP_SOFT_DIRTY));
}

static void move(struct workload *w)
{
	workload_userfaultfd_move(w, w->fd[UFFD], w->slot[REGION], w->slot[SOURCE],
				  PAGES * w->page_size);
	workload_report(w, "soft-dirty",
			workload_pages_marked(w, w->slot[REGION], PAGES, PAGEMAP_SOFT_DIRTY));
}

static void judge(const struct trial *t, struct judgement *j)
{
	if (!trial_value(t, STEP_BASELINE, 0, METRIC_PAGEMAP_SOFT_DIRTY))
		return; /* without CONFIG_MEM_SOFT_DIRTY no page is soft-dirty */
	judge_reported(t, j, READ_HALF, "soft-dirty", "soft-dirty", 0,
		       "no page is soft-dirty after clear_refs 4");
	judge_reported(t, j, MOVE, "soft-dirty", "soft-dirty", PAGES,
		       "every moved page is soft-dirty, swapped or not");
}

CASE(swap_userfaultfd_moved) {
	.claim = "UFFDIO_MOVE of swapped and clean pages does not change VmSwap, RssAnon or the "
		 "number of clean pages; all moved pages are soft-dirty",
	.because = "move_swap_pte() moves the swap entry with pte_swp_mksoft_dirty(). "
		   "move_present_pte() (move_present_ptes() on newer kernels) sets the soft-dirty "
		   "bit, and sets the dirty bit only if it was set before.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/userfaultfd.rst",
			   "ioctl_userfaultfd(2), UFFDIO_MOVE"),
	.needs = NEEDS("swap"),
	.steps = STEPS(STEP("write and page out", write_and_page_out,
			    MOVES(VIRT_DATA(2 * PAGES), SWAPPED(PAGES))),
		       STEP_AS(READ_HALF, "read half", read_half, MOVES(SWAPPED(-HALF))),
		       STEP_AS(MOVE, "UFFDIO_MOVE", move)),
	.judge = judge,
};
