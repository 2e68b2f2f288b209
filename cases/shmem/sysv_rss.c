// SPDX-License-Identifier: MIT
/*
 * Checks the columns rss and swap of /proc/sysvipc/shm, and SHM_INFO, for a segment of base pages
 * and one of hugetlb pages.
 */
#include "sysvipc.h"
#include <sys/ipc.h>

enum { PAGES = 64, TOUCHED = 24, HUGE = 4, HUGE_TOUCHED = 2 };
STEP_SYMBOLS(SMALL, OF_HUGETLB);

static int64_t shm_info_rss(void)
{
	struct shm_info info = { 0 };

	return shmctl(0, SHM_INFO, (struct shmid_ds *)&info) < 0 ? -1 : (int64_t)info.shm_rss;
}

static void touch_segment(struct workload *w, int pages, int touched, size_t bytes, int flags)
{
	int id = shmget(IPC_PRIVATE, (size_t)pages * bytes, IPC_CREAT | flags | 0600);
	int64_t page = (int64_t)w->page_size, before = shm_info_rss();
	struct segment_line s = { 0 };
	char *p;

	if (id < 0)
		workload_skip_step(w, "shmget(2): %m");
	p = shmat(id, NULL, 0);
	shmctl(id, IPC_RMID, NULL);
	if (p == (void *)-1)
		workload_die(w, "shmat(2): %m");
	for (int i = 0; i < touched; i++)
		touch_write(w, p + (size_t)i * bytes, 1);
	if (!segment_line_of(id, &s))
		workload_skip_step(w, "/proc/sysvipc/shm with the columns rss and swap");
	workload_report(w, "size", s.size / page);
	workload_report(w, "rss", s.rss / page);
	workload_report(w, "swap", s.swap / page);
	workload_report(w, "SHM_INFO", shm_info_rss() - before);
	workload_report(w, "pages", (int64_t)bytes / page);
	shmdt(p);
}

static void small(struct workload *w)
{
	touch_segment(w, PAGES, TOUCHED, w->page_size, 0);
}

static void of_hugetlb(struct workload *w)
{
	size_t bytes = workload_hugetlb_bytes();

	if (!bytes)
		workload_skip_step(w, "hugetlb pages");
	touch_segment(w, HUGE, HUGE_TOUCHED, bytes, SHM_HUGETLB);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t pages = trial_reported_or(t, OF_HUGETLB, "pages", 0), rss;

	judge_reported(t, j, SMALL, "size", "size in sysvipc/shm", PAGES,
		       "size is what shmget(2) was asked for");
	judge_reported(t, j, SMALL, "rss", "rss in sysvipc/shm", TOUCHED,
		       "rss counts the segment's pages in memory");
	judge_reported(t, j, SMALL, "swap", "swap in sysvipc/shm", 0,
		       "swap counts the segment's pages on swap");
	judge_reported(t, j, SMALL, "SHM_INFO", "shm_rss of SHM_INFO", TOUCHED,
		       "shm_rss is the sum of all segments' rss");
	if (!pages)
		return;
	rss = trial_reported(t, OF_HUGETLB, "rss");
	judge_reported(t, j, OF_HUGETLB, "size", "size in sysvipc/shm", HUGE * pages,
		       "size is what shmget(2) was asked for");
	judge_reported(t, j, OF_HUGETLB, "SHM_INFO", "shm_rss of SHM_INFO", rss,
		       "shm_rss is the sum of all segments' rss");
	judge_fact(j, "sysvipc.rss_of_hugetlb_pages", "%s",
		   rss == HUGE_TOUCHED * pages           ? "their size"
		   : rss == HUGE_TOUCHED * pages * pages ? "times the pages in a huge page"
							 : "otherwise");
}

CASE(shmem_sysv_rss) {
	.claim =
		"In /proc/sysvipc/shm rss counts a segment's pages in memory, and swap is 0 if none is swapped out; most kernels since 6.7 multiply the rss of a hugetlb segment by the pages in a huge page",
	.because = "shm_add_rss_swap() adds the segment's mapping->nrpages. For hugetlb it "
		   "multiplies by the pages in a huge page; nrpages has counted base pages since "
		   "6.7, and the multiplication was removed in 6.12.117 and 7.3.4.",
	.said_by = SAID_BY("proc_sysvipc(5)", "shmctl(2), SHM_INFO"),
	.steps = STEPS(STEP_AS(SMALL, "a segment", small),
		       STEP_AS(OF_HUGETLB, "a segment of hugetlb pages", of_hugetlb)),
	.facts = FACTS(FACT("sysvipc.rss_of_hugetlb_pages",
			    "In /proc/sysvipc/shm, rss counts hugetlb pages as",
			    "their size|times the pages in a huge page")),
	.judge = judge,
};
