// SPDX-License-Identifier: MIT
/*
 * Reading huge shmem through a private mapping maps all its pages; one write leaves only the
 * written page mapped.
 */
#include <rssck/case.h>

enum { REGION = 0, FD = 0 };

static void make(struct workload *w)
{
	void *p;

	w->fd[FD] = workload_shmem(w, (size_t)w->huge);
	p = workload_huge_map(w, 1, w->fd[FD]);
	touch_write(w, p, (size_t)w->huge);
	workload_collapse(w, p, w->huge_page_size);
	workload_unmap(w, p, w->huge_page_size);
}

static void map_and_read(struct workload *w)
{
	void *p = workload_huge_map(w, 1, -1);

	w->slot[REGION] = mmap(p, w->huge_page_size, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_FIXED, w->fd[FD], 0);
	if (w->slot[REGION] != p || madvise(p, w->huge_page_size, MADV_HUGEPAGE) < 0)
		workload_skip(w, "a private mapping with MADV_HUGEPAGE: %m");
	touch_read(w, p, 1);
	if (workload_pages_present(w, p, (size_t)w->huge) < w->huge)
		workload_skip(w, "a mapping by a PMD");
	workload_expect(w, VIRT_DATA(w->huge), SHMEM_HUGE(w->huge));
}

CASE(thp_shmem_private) {
	.claim =
		"Reading one byte of huge shmem through a private mapping adds a huge page to RES; writing one byte removes all but the written page",
	.because =
		"do_set_pmd() maps the folio read-only. A write must copy one page, so the kernel removes the PMD. The other pages are mapped again when they are touched.",
	.said_by = SAID_BY("Documentation/mm/transhuge.rst", "mmap(2), MAP_PRIVATE"),
	.needs = NEEDS("thp"),
	.flags = CASE_THP,
	.steps = STEPS(STEP("make huge shmem", make), STEP("map and read a byte", map_and_read),
		       STEP("write a byte", step_write, .pages = 1,
			    MOVES(SHMEM_HUGE(-THP), ANON_WRITE(1)))),
	.posts = POSTS(VIRT_DATA(1), SHMEM_HUGE(1)),
};
