// SPDX-License-Identifier: MIT
/* Each process that touches one byte of a huge page of shmem maps all of it. */
#include <rssck/case.h>

enum { REGION = 0, CHILD = 1 };

static void map_and_collapse(struct workload *w)
{
	int fd = workload_shmem(w, (size_t)w->huge);

	w->slot[REGION] = workload_huge_map(w, 1, fd);
	workload_advise(w, w->slot[REGION], w->huge_page_size, MADV_HUGEPAGE);
	touch_write(w, w->slot[REGION], (size_t)w->huge);
	workload_collapse(w, w->slot[REGION], w->huge_page_size);
	workload_expect(w, VIRT_OTHER(w->huge), SHMEM_HUGE(w->huge));
}

static void read_byte(struct workload *w)
{
	touch_read(w, w->slot[REGION], 1);
	if (workload_pages_present(w, w->slot[REGION], (size_t)w->huge) < w->huge)
		workload_skip(w, "a second mapping by a PMD");
	workload_expect(w, SHARED_WITH(CHILD, SHMEM_HUGE, w->huge));
}

CASE(thp_shmem_fork) {
	.claim =
		"When a second process reads one byte of huge shmem, its RES rises by a huge page; both processes count it in ShmemPmdMapped, and each Pss counts half",
	.because =
		"do_set_pmd() maps the folio by a second PMD, so each of its pages is mapped twice. Unmapping one page removes this PMD, and then only the other process maps the pages.",
	.said_by = SAID_BY("proc_pid_smaps(5), ShmemPmdMapped"),
	.needs = NEEDS("thp"),
	.processes = 1,
	.flags = CASE_THP,
	.steps = STEPS(
		STEP("map shmem by a PMD", map_and_collapse),
		/* fork copies no entries of a shared mapping; later faults map its pages. */
		STEP("fork", step_fork, .child = CHILD, MOVES(VIRT_OTHER(THP, .process = CHILD))),
		STEP("the child reads a byte", read_byte, .process = CHILD),
		/* The kernel drops the whole PMD of a file mapping instead of splitting it. */
		STEP("the child unmaps a page", step_unmap, .pages = 1, .process = CHILD,
		     MOVES(VIRT_OTHER(-1, .process = CHILD),
			   SHMEM_HUGE(-THP, .sharers = 2, .process = CHILD),
			   RESHARED(SHMEM_HUGE, THP, 2, 1))),
		STEP("the child exits", step_reap, .child = CHILD)),
	.posts = POSTS(VIRT_OTHER(1), SHMEM_HUGE(1), SHMEM_HUGE(1, .sharers = 2)),
};
