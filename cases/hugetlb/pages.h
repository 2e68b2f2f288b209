// SPDX-License-Identifier: MIT
/* Functions for cases that keep the size of a hugetlb page in w->number[BYTES]. */
#ifndef CASES_HUGETLB_PAGES_H
#define CASES_HUGETLB_PAGES_H

#include <rssck/case.h>
#include <sys/mount.h>

enum { BYTES = 0 };

/* Returns how many pages of w->page_size one hugetlb page has. */
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

static inline void report_reserved(struct workload *w)
{
	workload_report(w, "reserved", workload_number("/proc/meminfo", "HugePages_Rsvd", -1));
}

#endif
