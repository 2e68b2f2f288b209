// SPDX-License-Identifier: MIT
/* swapoff reads every page back: pages move from VmSwap to RssAnon without a touch. */
#include <rssck/case.h>
#include <sys/swap.h>

enum { PAGES = 128, HALF = PAGES / 2, SHARED = 0, OWN = 1, CHILD = 1, MARKED = 0 };
STEP_SYMBOLS(WRITE_AND_PAGE_OUT, SWAPOFF);

static void mark(struct workload *w)
{
	size_t bytes = PAGES * w->page_size;
	int fd = workload_userfaultfd(w, w->slot[SHARED], bytes, UFFDIO_REGISTER_MODE_WP, 0);

	workload_clear_refs(w, '4');
	touch_write(w, w->slot[SHARED], HALF);
	workload_must(w, workload_userfaultfd_protect(fd, w->slot[SHARED], bytes, true),
		      "UFFDIO_WRITEPROTECT");
	w->number[MARKED] = workload_pages_marked(w, w->slot[SHARED], PAGES, PAGEMAP_UFFD_WP);
	workload_expect(w, UFFD_PROTECTED(w->number[MARKED]));
	workload_report(w, "soft-dirty",
			workload_pages_marked(w, w->slot[SHARED], PAGES, PAGEMAP_SOFT_DIRTY));
	workload_report(w, "protected", w->number[MARKED]);
}

static void write_and_page_out(struct workload *w)
{
	for (int i = SHARED; i <= OWN; i++)
		w->slot[i] = workload_written(w, PAGES);
	workload_advise(w, w->slot[OWN], PAGES * w->page_size, MADV_DONTFORK);
	mark(w);
	for (int i = SHARED; i <= OWN; i++)
		workload_page_out(w, w->slot[i], PAGES);
}

static void expect_back(struct workload *w, unsigned process, unsigned sharers, int64_t clean)
{
	workload_expect(w, ANON_CLEAN(clean, .sharers = sharers, .process = process),
			ANON_WRITE(PAGES - clean, .sharers = sharers, .process = process));
}

/* Enables swap again in the same step, because later cases may need it. */
static void swap_off_and_on(struct workload *w)
{
	char device[128];
	int64_t clean[2], marked;
	int error;

	if (!workload_swap_area(device, sizeof(device)))
		workload_skip(w, "a swap device in /proc/swaps");
	error = swapoff(device) < 0 ? errno : 0;
	for (int i = SHARED; i <= OWN; i++)
		clean[i] = workload_pages_clean(w, w->slot[i]);
	if (!error && swapon(device, 0) < 0)
		workload_die(w, "swapon(2) of %s: %s", device, strerror(errno));
	if (error)
		workload_skip(w, "swapoff(2) of %s: %s", device, strerror(error));
	expect_back(w, 0, 2, clean[SHARED]);
	expect_back(w, CHILD, 2, clean[SHARED]);
	expect_back(w, 0, 1, clean[OWN]);
	marked = workload_pages_marked(w, w->slot[SHARED], PAGES, PAGEMAP_UFFD_WP);
	workload_expect(w, UFFD_PROTECTED(marked - w->number[MARKED]));
	workload_report(w, "protected", marked);
	workload_report(w, "soft-dirty",
			workload_pages_marked(w, w->slot[SHARED], PAGES, PAGEMAP_SOFT_DIRTY));
}

static void look(struct workload *w)
{
	for (int i = SHARED; i <= OWN; i++)
		workload_must_hold(w, w->slot[i], PAGES, true);
}

/*
 * Up to 5.18 unuse_pte() loses the soft-dirty and uffd-wp bits of the entry (fixed by
 * 14a762dd1977).
 */
static void judge(const struct trial *t, struct judgement *j)
{
	const unsigned before = WRITE_AND_PAGE_OUT, after = SWAPOFF;
	int64_t marked = trial_reported(t, before, "protected");
	int64_t dirty = trial_reported(t, before, "soft-dirty");
	bool soft = trial_reported(t, after, "soft-dirty") == dirty;
	bool protected = trial_reported(t, after, "protected") == marked;

	if (marked > 0 && dirty == HALF)
		judge_fact(j, "swapoff.keeps_soft_dirty_and_uffd_wp", "%s",
			   soft && protected   ? "both"
			   : soft || protected ? "one of them"
					       : "neither");
}

CASE(swap_swapoff) {
	.claim = "swapoff moves swapped pages from VmSwap back to RssAnon, even in processes "
		 "that do not run",
	.because = "unuse_pte() maps the page in place of each swap entry that refers to the "
		   "slot, and moves the count from MM_SWAPENTS to MM_ANONPAGES.",
	.said_by = SAID_BY("swapoff(2)"),
	.needs = NEEDS("guest", "swap"),
	.processes = 1,
	.steps = STEPS(STEP_AS(WRITE_AND_PAGE_OUT, "write and page out", write_and_page_out,
			       MOVES(VIRT_DATA(2 * PAGES), SWAPPED(2 * PAGES))),
		       STEP("fork", step_fork, FORKED(CHILD, SWAPPED, PAGES)),
		       STEP_AS(SWAPOFF, "swapoff", swap_off_and_on,
			       MOVES(SWAPPED(-PAGES), SWAPPED(-PAGES, .sharers = 2),
				     SWAPPED(-PAGES, .sharers = 2, .process = CHILD))),
		       STEP("check the content", look, .checks = 2)),
	.facts = FACTS(FACT("swapoff.keeps_soft_dirty_and_uffd_wp",
			    "Which of soft-dirty and userfaultfd's write protection does swapoff "
			    "keep?",
			    "both")),
	.judge = judge,
};
