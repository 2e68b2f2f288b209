// SPDX-License-Identifier: MIT
/*
 * Large folios of shmem that are not huge pages are not in shmem_thp: splitting them must not lower
 * it.
 */
#include <rssck/case.h>

/*
 * Each of these folios loses a page. A huge page beside them makes shmem_thp large enough to fall.
 */
enum { FOLIOS = 16, PAGES = FOLIOS * WORKLOAD_FOLIO_PAGES };
STEP_SYMBOLS(IN_A_CGROUP);

/* Returns false if this kernel has no such setting. */
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

/* The setting is system-wide and "never" by default: it is "always" only while they are made. */
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
			      "large folios of shmem (hugepages-64kB/shmem_enabled, Linux 6.11)");
	workload_cgroup_enter(w);
	empty = workload_cgroup_stat(w, "shmem_thp");
	p = map_huge_page(w);
	fd = workload_shmem(w, PAGES);
	q = map_large_folios(w, fd);
	huge = workload_cgroup_stat(w, "shmem_thp");
	for (size_t i = 0; i < FOLIOS; i++)
		workload_must(w,
			      fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
					(off_t)(i * workload_folio_bytes(w)), (off_t)w->page_size),
			      "fallocate");
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
		return judge_skip(j, "large folios of shmem of 16 pages: memory is fragmented");
	judge_within(j, IN_A_CGROUP, 0, "memory.stat shmem_thp",
		     trial_reported(t, IN_A_CGROUP, "shmem_thp"), huge, CGROUP_BATCH,
		     "shmem_thp is the size of the huge pages");
	judge_within(j, IN_A_CGROUP, 0, "memory.stat shmem_thp, split",
		     trial_reported(t, IN_A_CGROUP, "shmem_thp, split"), huge, CGROUP_BATCH,
		     "splitting a folio that is not a huge page does not lower it");
}

CASE(cgroup_shmem_split) {
	.claim = "memory.stat's shmem_thp counts only huge pages: large folios of 16 pages neither "
		 "raise it nor lower it when they are split",
	.because = "Only a folio that a PMD can map was added to NR_SHMEM_THPS, so only such a "
		   "folio is subtracted when it is split (folio_test_pmd_mappable()).",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat"),
	.needs = NEEDS("thp", "guest"),
	.flags = CASE_THP,
	.steps = STEPS(STEP_AS(IN_A_CGROUP, "in a cgroup", split)),
	.judge = judge,
};
