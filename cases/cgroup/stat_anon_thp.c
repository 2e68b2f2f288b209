// SPDX-License-Identifier: MIT
/* anon_thp in memory.stat counts anonymous huge pages. */
#include "stat.h"

static int64_t write_huge(const struct workload *w)
{
	size_t huge = w->huge_page_size, bytes = STAT_PAGES * w->page_size;
	char *p;

	if (!huge || bytes < huge)
		return -EINVAL;
	p = workload_try_aligned_map(bytes, huge, -1);
	if (!p || madvise(p, bytes, MADV_HUGEPAGE))
		return -errno;
	for (size_t i = 0; i < bytes; i += huge)
		p[i] = 1;
	/* The kernel takes small pages if memory is fragmented or if huge pages are off. */
	if (workload_number("/proc/self/smaps_rollup", "AnonHugePages", 0) * 1024 != (int64_t)bytes)
		return -ENOBUFS;
	return STAT_PAGES;
}

static const struct stat_act huge_pages = {
	.field = "anon_thp",
	.act = write_huge,
	.needs = "transparent huge pages",
	/*
	 * 5.10 counts huge pages instead of their small pages, and each CPU keeps up to 32 of them
	 * in its batch.
	 */
	.exact = "a memory.stat that shows each page immediately (a CPU may keep 32 huge pages in "
		 "its batch)",
	.as_much = " anon ",
};

STAT_CASE(cgroup_stat_anon_thp, huge_pages,
	  .claim = "anon_thp and anon in memory.stat rise by the size of each new huge page that a "
		   "process in the cgroup allocates by a write",
	  .flags = CASE_THP,
	  .because =
		  "folio_add_new_anon_rmap() also counts a folio that a PMD maps in NR_ANON_THPS. "
		  "memory.stat shows this number in bytes.", );
