// SPDX-License-Identifier: MIT
/*
 * Reading a hole of shmem allocates a page, although reading private anonymous memory maps the zero
 * page.
 */
#include <rssck/case.h>

enum { PAGES = 256, REGION = 0, FD = 0 };
STEP_SYMBOLS(MAP_AND_READ);

static void map_and_read(struct workload *w)
{
	struct stat st;

	w->fd[FD] = workload_shmem(w, PAGES);
	w->slot[REGION] = workload_map_pages(w, PAGES, PROT_READ, MAP_SHARED, w->fd[FD]);
	touch_read(w, w->slot[REGION], PAGES);
	if (fstat(w->fd[FD], &st) == 0)
		workload_report(w, "pages", st.st_blocks * 512 / (int64_t)w->page_size);
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_reported(t, j, MAP_AND_READ, "pages", "st_blocks", PAGES,
		       "reading a hole allocates a page of the file");
}

CASE(shmem_read_hole) {
	.claim = "Reading a hole of shmem allocates a page: RES and SHR rise as for a write, but "
		 "the page is clean",
	.because = "shmem_fault() fills a hole with a zeroed page of the page cache, so that all "
		   "processes that map the file later see the same page. shmem never maps the zero "
		   "page.",
	.said_by = SAID_BY("Documentation/filesystems/tmpfs.rst"),
	.steps = STEPS(STEP_AS(MAP_AND_READ, "map and read", map_and_read,
			       MOVES(VIRT_OTHER(PAGES), SHMEM_READ(PAGES)))),
	.judge = judge,
};
