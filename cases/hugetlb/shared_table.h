// SPDX-License-Identifier: MIT
/* A hugetlb mapping whose page table is shared with processes forked from here. */
#ifndef CASES_HUGETLB_SHARED_TABLE_H
#define CASES_HUGETLB_SHARED_TABLE_H

#include <rssck/case.h>

/*
 * A hugetlb page table is shared if a mapping covers its whole range: 512 pages of 2 MiB. Nothing
 * is reserved, so one page is enough: of *page bytes. Returns the size of the mapping.
 */
static inline size_t shared_table_map(struct workload *w, unsigned slot, int64_t *page)
{
	int fd = workload_hugetlb_file(w, 1, page);
	size_t span = (size_t)*page * (w->page_size / sizeof(uint64_t));

	w->slot[slot] = workload_aligned_map(w, span, span, -1);
	if (mmap(w->slot[slot], span, PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_FIXED | MAP_NORESERVE, fd, 0) == MAP_FAILED)
		workload_skip(w, "a mapping of hugetlb pages without reserving them: %m");
	workload_expect(w, VIRT_OTHER((int64_t)(span / w->page_size)));
	return span;
}

#endif
