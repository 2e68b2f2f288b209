// SPDX-License-Identifier: MIT
/*
 * shmem_thp in memory.stat does not count large folios smaller than a huge page, so splitting such
 * a folio must not lower it.
 */
#include <rssck/case.h>

/*
 * Punches a page out of each of FOLIOS folios. An additional huge page raises shmem_thp first, so
 * that a wrong decrease is visible.
 */
enum { FOLIOS = 16, PAGES = FOLIOS * WORKLOAD_FOLIO_PAGES };
STEP_SYMBOLS(IN_A_CGROUP);

static bool set(struct workload *w, const char *value)
{
	char path[WORKLOAD_SETTING];

	return workload_try_to_set(workload_folio_setting(w, "shmem_enabled", path), value);
}

static char *map_huge_page(struct workload *w)
{
	char *p = workload_huge_map(w, 1, workload_shmem(w, (size_t)w->huge));

	touch_write(w, p, (size_t)w->huge);
	workload_collapse(w, p, w->huge_page_size);
	return p;
}

/*
 * Sets the system-wide setting to "always" only while it writes the folios, then to its default,
 * "never".
 */
static char *map_large_folios(struct workload *w, int fd)
{
	char *p = workload_aligned_map(w, PAGES * w->page_size, workload_folio_bytes(w), fd);

	set(w, "always");
	for (size_t i = 0; i < FOLIOS; i++)
		p[i * workload_folio_bytes(w)] = 1;
	set(w, "never");
	workload_report(w, "there", workload_pages_in_core(w, p, PAGES));
	return p;
}

static void split(struct workload *w)
{
	int64_t empty, huge;
	char *p, *q;
	int fd;

	if (!set(w, "never"))
		workload_skip(w,
			      "shmem folios of 16 pages (shmem_enabled of that size, Linux 6.11)");
	workload_cgroup_enter(w);
	empty = workload_cgroup_stat(w, "shmem_thp");
	p = map_huge_page(w);
	fd = workload_shmem(w, PAGES);
	q = map_large_folios(w, fd);
	huge = workload_cgroup_stat(w, "shmem_thp");
	for (size_t i = 0; i < FOLIOS; i++)
		workload_punch(w, fd, (off_t)(i * workload_folio_bytes(w)), (off_t)w->page_size);
	workload_report(w, "shmem_thp", huge - empty);
	workload_report(w, "shmem_thp, split", workload_cgroup_stat(w, "shmem_thp") - empty);
	workload_report(w, "huge", w->huge);
	workload_report(w, "small", PAGES);
	munmap(p, w->huge_page_size);
	munmap(q, PAGES * w->page_size);
	workload_forget(w, p);
	workload_forget(w, q);
	workload_cgroup_leave(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t huge = trial_reported(t, IN_A_CGROUP, "huge");

	if (trial_reported(t, IN_A_CGROUP, "there") != trial_reported(t, IN_A_CGROUP, "small"))
		return judge_skip(j, "large folios of 16 pages for shmem (memory is fragmented)");
	judge_within(j, IN_A_CGROUP, 0, "memory.stat shmem_thp",
		     trial_reported(t, IN_A_CGROUP, "shmem_thp"), huge, CGROUP_BATCH,
		     "shmem_thp = the size of the huge pages");
	judge_within(j, IN_A_CGROUP, 0, "memory.stat shmem_thp, split",
		     trial_reported(t, IN_A_CGROUP, "shmem_thp, split"), huge, CGROUP_BATCH,
		     "splitting a folio of 16 pages does not change shmem_thp");
}

CASE(cgroup_shmem_split) {
	.claim = "shmem_thp in memory.stat counts only huge pages: allocating or splitting a "
		 "folio of 16 pages does not change it",
	.because = "NR_SHMEM_THPS counts only folios that a PMD can map "
		   "(folio_test_pmd_mappable()), both when it adds them and when it subtracts a "
		   "split folio.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat"),
	.needs = NEEDS("thp", "guest"),
	.flags = CASE_THP,
	.steps = STEPS(STEP_AS(IN_A_CGROUP, "in a cgroup", split)),
	.judge = judge,
};
