// SPDX-License-Identifier: MIT
/* UFFDIO_MOVE moves a huge page as a whole. */
#include <rssck/case.h>

enum { SOURCE = 0, REGION = 1, UFFD = 0 };

static void make(struct workload *w)
{
	w->slot[SOURCE] = workload_huge_page(w);
	w->slot[REGION] = workload_huge_map(w, 1, -1);
	w->fd[UFFD] = workload_userfaultfd(w, w->slot[REGION], w->huge_page_size,
					   UFFDIO_REGISTER_MODE_MISSING, 0);
	workload_expect(w, VIRT_DATA(w->huge));
}

static void move(struct workload *w)
{
	workload_userfaultfd_move(w, w->fd[UFFD], w->slot[REGION], w->slot[SOURCE],
				  w->huge_page_size);
}

CASE(thp_userfaultfd_move) {
	.claim = "UFFDIO_MOVE of a huge page changes no number of the process: RES and "
		 "AnonHugePages count it at its new address",
	.because = "move_pages_huge_pmd() moves the PMD and its deposited page table to the new "
		   "address in the same mm.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/userfaultfd.rst, UFFDIO_MOVE"),
	.needs = NEEDS("thp"),
	.flags = CASE_THP,
	.steps = STEPS(STEP("touch one huge page", make), STEP("UFFDIO_MOVE", move),
		       STEP("write the moved page", step_rewrite, .slot = REGION, .pages = THP,
			    .checks = 1)),
	.posts = POSTS(VIRT_DATA(1), ANON_HUGE(1)),
};
