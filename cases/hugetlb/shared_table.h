// SPDX-License-Identifier: MIT
/* Makes a hugetlb mapping whose page table the kernel shares with forked processes. */
#ifndef CASES_HUGETLB_SHARED_TABLE_H
#define CASES_HUGETLB_SHARED_TABLE_H

#include "pages.h"

/*
 * The kernel can share a hugetlb page table if a shared mapping covers the table's whole range,
 * such as 512 pages of 2 MiB. The mapping reserves no pages, so a pool with one page suffices. Sets
 * *page to the bytes of a page; returns the bytes of the mapping.
 */
static inline size_t shared_table_map(struct workload *w, unsigned slot, int64_t *page)
{
	int fd = workload_hugetlb_file(w, 1, page);
	size_t span = (size_t)*page * (w->page_size / sizeof(uint64_t));

	w->slot[slot] = workload_aligned_map(w, span, span, -1);
	if (mmap(w->slot[slot], span, PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_FIXED | MAP_NORESERVE, fd, 0) == MAP_FAILED)
		workload_skip(w, "a hugetlb mapping without a reservation: %m");
	workload_expect(w, VIRT_OTHER((int64_t)(span / w->page_size)));
	return span;
}

#endif
