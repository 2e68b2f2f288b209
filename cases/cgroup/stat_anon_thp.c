// SPDX-License-Identifier: MIT
/* memory.stat's anon_thp counts huge pages. */
#include "stat.h"

static int64_t write_huge(const struct workload *w)
{
	size_t huge = w->huge_page_size, bytes = STAT_PAGES * w->page_size;
	char *p;

	if (!huge || bytes < huge)
		return -EINVAL;
	p = mmap(NULL, bytes + huge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return -ENOMEM;
	p = (char *)(((uintptr_t)p + huge - 1) / huge * huge);
	if (madvise(p, bytes, MADV_HUGEPAGE))
		return -errno;
	for (size_t i = 0; i < bytes; i += huge)
		p[i] = 1;
	/*
	 * If memory is fragmented, or huge pages are switched off, the kernel takes small pages
	 * instead.
	 */
	if (workload_number("/proc/self/smaps_rollup", "AnonHugePages", 0) * 1024 != (int64_t)bytes)
		return -ENOBUFS;
	return STAT_PAGES;
}

static const struct stat_act huge_pages = {
	.field = "anon_thp",
	.act = write_huge,
	.needs = "transparent huge pages",
	/* 5.10 counts huge pages, not their pages: up to 32 of them on each CPU are not shown. */
	.exact =
		"a memory.stat that shows each page immediately (it may keep 32 huge pages back on each CPU)",
	.as_much = " anon ",
};

STAT_CASE(
	cgroup_stat_anon_thp, huge_pages,
	.claim =
		"memory.stat's anon_thp and anon rise by the size of each huge page of a process in the cgroup",
	.flags = CASE_THP,
	.because =
		"folio_add_new_anon_rmap() also counts a PMD-mapped folio in NR_ANON_THPS, which memory.stat shows "
		"in bytes.", );
