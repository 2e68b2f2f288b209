// SPDX-License-Identifier: MIT
/* Seals of a memfd only restrict calls; they change no number. */
#include <rssck/case.h>

enum { PAGES = 128, FD = 0 };
STEP_SYMBOLS(SEAL_AGAINST_WRITING);

static void seal_size(struct workload *w)
{
	workload_must(w, fcntl(w->fd[FD], F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW), "F_ADD_SEALS");
	if (ftruncate(w->fd[FD], 0) == 0)
		workload_fail(w, "ftruncate of a memfd with F_SEAL_SHRINK succeeded");
	if (fcntl(w->fd[FD], F_ADD_SEALS, F_SEAL_WRITE) == 0)
		workload_fail(w, "F_SEAL_WRITE succeeded although a writable shared mapping "
				 "exists");
	workload_checked(w);
}

/* Maps the sealed memfd private, because older kernels refuse any shared mapping of it. */
static void seal_and_read(struct workload *w)
{
	void *p;

	workload_must(w, fcntl(w->fd[FD], F_ADD_SEALS, F_SEAL_WRITE), "F_SEAL_WRITE");
	touch_read(w, workload_map_pages(w, PAGES, PROT_READ, MAP_PRIVATE, w->fd[FD]), PAGES);
	p = workload_try_map(w->page_size, PROT_READ, MAP_SHARED, w->fd[FD]);
	workload_report(w, "shared", p != NULL);
	if (p)
		munmap(p, w->page_size);
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_yes_no(j, "sealed.write_sealed_memfd_maps_shared_read_only",
		     trial_reported(t, SEAL_AGAINST_WRITING, "shared"));
}

CASE(shmem_sealed) {
	.claim =
		"Seals change no number; a memfd with F_SEAL_WRITE can still be mapped privately and read",
	.because = "A seal is a flag of the inode that later calls check. Pages stay shmem and "
		   "stay dirty, because tmpfs has no disk to write them to.",
	.said_by =
		SAID_BY("memfd_create(2), File sealing",
			"commit 158978945f31 (mm: perform the mapping_map_writable() check, 6.7)"),
	.steps = STEPS(STEP("map and write", step_map_shmem, .pages = PAGES, .written = PAGES,
			    MOVES(VIRT_OTHER(PAGES), SHMEM_WRITE(PAGES))),
		       STEP("seal the size", seal_size, .checks = 1),
		       STEP("unmap", step_unmap, .pages = PAGES,
			    MOVES(VIRT_OTHER(-PAGES), SHMEM_WRITE(-PAGES))),
		       STEP_AS(SEAL_AGAINST_WRITING, "seal against writing", seal_and_read,
			       MOVES(VIRT_OTHER(PAGES), SHMEM_WRITE(PAGES)))),
	/*
	 * No tested kernel shows "no" yet; older kernels should, because they lack the commit named
	 * in said_by.
	 */
	.facts = FACTS(FACT("sealed.write_sealed_memfd_maps_shared_read_only",
			    "Can a memfd with F_SEAL_WRITE be mapped shared and read-only?",
			    "yes|no")),
	.judge = judge,
};
