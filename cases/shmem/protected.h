// SPDX-License-Identifier: MIT
/* Shared memory that userfaultfd write-protects. */
#ifndef CASES_SHMEM_PROTECTED_H
#define CASES_SHMEM_PROTECTED_H

#include <rssck/case.h>

enum { PAGES = 64, REGION = 0 };

static inline void write_and_protect(struct workload *w)
{
	size_t bytes = PAGES * w->page_size;
	void *p = workload_shared(w, PAGES, workload_shmem(w, PAGES));
	int uffd = workload_userfaultfd(w, p, bytes, UFFDIO_REGISTER_MODE_WP,
					UFFD_FEATURE_WP_HUGETLBFS_SHMEM);

	w->slot[REGION] = p;
	touch_write(w, p, PAGES);
	workload_must(w, workload_userfaultfd_protect(uffd, p, bytes, true), "UFFDIO_WRITEPROTECT");
}

static inline int64_t marked(struct workload *w, uint64_t bit)
{
	return workload_pages_marked(w, w->slot[REGION], PAGES, bit);
}

#define WRITE_AND_PROTECT                            \
	STEP("write and protect", write_and_protect, \
	     MOVES(VIRT_OTHER(PAGES), SHMEM_WRITE(PAGES), UFFD_PROTECTED(PAGES)))

#endif
