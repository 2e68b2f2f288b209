// SPDX-License-Identifier: MIT
/*
 * Reading a page back from zram is a major fault; from a disk it is one unless the page is in the
 * swap cache.
 */
#include <rssck/case.h>

enum { PAGES = 64, REGION = 0 };
STEP_SYMBOLS(WRITE_AND_PAGE_OUT, WRITE_AGAIN);

static void write_again(struct workload *w)
{
	workload_report(w, "zram", workload_swaps_to_zram());
	touch_write(w, w->slot[REGION], PAGES);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t major = trial_moved(t, WRITE_AND_PAGE_OUT, WRITE_AGAIN, 0, METRIC_STAT_MAJFLT);

	/*
	 * A disk's swap cache may contain pages that are not written yet or that were read ahead,
	 * so fewer faults may be major.
	 */
	if (!trial_reported(t, WRITE_AGAIN, "zram"))
		return judge_true(j, WRITE_AGAIN, major <= PAGES,
				  "each page takes at most one major fault");
	judge_moved(j, WRITE_AGAIN, METRIC_STAT_MAJFLT, major, PAGES, 0,
		    "each page read back from zram takes a major fault");
}

CASE(swap_major_fault) {
	.claim =
		"majflt rises by one for each small page that is read back from zram, although zram needs no disk access; from a swap disk, by at most one for each page",
	.because =
		"do_swap_page() returns VM_FAULT_MAJOR if the page is not in the swap cache. For a page with one user, nothing is read ahead from a synchronous device (SWP_SYNCHRONOUS_IO).",
	.said_by = SAID_BY("proc_pid_stat(5), majflt", "getrusage(2), ru_majflt"),
	.needs = NEEDS("swap"),
	.steps = STEPS(STEP_AS(WRITE_AND_PAGE_OUT, "write and page out", step_map_paged_out,
			       ALL_PAGED_OUT(PAGES), .flags = STEP_UNSETTLED),
		       STEP_AS(WRITE_AGAIN, "write again", write_again, .flags = STEP_UNSETTLED,
			       MOVES(SWAPPED(-PAGES), ANON_WRITE(PAGES)))),
	.judge = judge,
};
