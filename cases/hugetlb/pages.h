// SPDX-License-Identifier: MIT
/* Pages of the hugetlb pool, for cases that remember their size in number[BYTES]. */
#ifndef CASES_HUGETLB_PAGES_H
#define CASES_HUGETLB_PAGES_H

#include <rssck/case.h>
#include <sys/mount.h>

enum { BYTES = 0 };

/* Returns the pages of w->page_size in one hugetlb page. */
static inline int64_t pages(const struct workload *w)
{
	return w->number[BYTES] / (int64_t)w->page_size;
}

/*
 * Sets whether memory.current includes hugetlb pages (memory_hugetlb_accounting, Linux 6.7). Guests
 * mount cgroup2 without options. Returns false if the kernel refuses.
 */
static inline bool charge_hugetlb(bool on)
{
	return mount(NULL, "/sys/fs/cgroup", NULL, MS_REMOUNT,
		     on ? "memory_hugetlb_accounting" : NULL) == 0;
}

/* Reports HugePages_Rsvd as "reserved". */
static inline void report_reserved(struct workload *w)
{
	workload_report(w, "reserved", workload_number("/proc/meminfo", "HugePages_Rsvd", -1));
}

#endif
