// SPDX-License-Identifier: MIT
/*
 * States of memory that a step can ask for and not enforce: on swap, in large
 * folios and huge pages, hugetlb, write-protected by userfaultfd. Where one
 * cannot be had, the case is skipped and its reason names what is missing.
 */
#ifndef RSSCK_STATES_H
#define RSSCK_STATES_H

#include <rssck/workload.h>

/*
 * Have so many anonymous pages from p on swapped out (MADV_PAGEOUT), all of
 * them: the case is skipped where that cannot be done here.
 */
void workload_page_out(struct workload *w, void *p, size_t pages);

/* The same of a shared mapping of shmem, which is the whole of its file. */
void workload_page_out_shmem(struct workload *w, void *p, size_t pages);

/* Have what MADV_FREE gave up reclaimed; none of it is there then, unless another process accesses
 * it. */
void workload_reclaim(struct workload *w, void *p, size_t pages);

/*
 * Writable address space at a multiple of `alignment`: private and anonymous,
 * or a shared mapping of fd if that is not negative.
 */
void *workload_aligned_map(struct workload *w, size_t bytes, size_t alignment, int fd);

/* The same for so many transparent huge pages. No huge page is there yet. */
void *workload_huge_map(struct workload *w, size_t huge_pages, int fd);

/*
 * Touch one byte in each of them, so that it becomes a huge page, and keep
 * khugepaged away afterwards. The case is skipped where none could be had:
 * they are switched off, or memory is fragmented.
 */
void workload_huge_write(struct workload *w, void *p, size_t huge_pages);

/*
 * True if all swap is on zram: what is paged out is in the swap cache no more, and
 * is read back page by page. Where swap is a disk it may be there still or ahead.
 */
bool workload_swaps_to_zram(void);

/* The size of a hugetlb page, of those that mmap(2) gives where none is named; 0: there are none.
 */
size_t workload_hugetlb_bytes(void);

/* A memfd of so many hugetlb pages, of *bytes each. Skips the case where there are none. */
int workload_hugetlb_file(struct workload *w, int pages, int64_t *bytes);

/*
 * A writable mapping of hugetlb pages: shared, of that file, or private and
 * anonymous if fd is negative. Skips the case where none are free.
 */
void *workload_hugetlb_map(struct workload *w, size_t bytes, int fd);

/*
 * One huge page of private anonymous memory, which one written byte has made,
 * or a skip as above. Expects what that moves: VIRT_DATA and ANON_HUGE.
 */
void *workload_huge_page(struct workload *w);

/* The same of the huge zero page, by a read: VIRT_DATA and ZERO_READ. */
void *workload_huge_zero_page(struct workload *w);

/*
 * So many anonymous folios of `bytes` each, from one touch of each; NULL where the kernel does not
 * make them: it knows no such size, it is switched off, or memory is fragmented.
 */
void *workload_folios(struct workload *w, size_t folios, size_t bytes);

/*
 * The same of 16 pages each (64 kB where a page has 4), mapped page by page. The case is skipped
 * where none could be had (Linux 6.8, hugepages-64kB/enabled); it is a CASE_THP. Expects VIRT_DATA
 * and ANON_WRITE.
 */
enum { WORKLOAD_FOLIO_PAGES = 16 };
void *workload_large_folios(struct workload *w, size_t nr);

static inline size_t workload_folio_bytes(const struct workload *w)
{
	return WORKLOAD_FOLIO_PAGES * w->page_size;
}

/* The path of a setting of folios of that size: "enabled", "shmem_enabled". */
enum { WORKLOAD_SETTING = 96 };
const char *workload_folio_setting(const struct workload *w, const char *name,
				   char path[WORKLOAD_SETTING]);

/*
 * Make huge pages of these, which are touched already (MADV_COLLAPSE);
 * the case is skipped where that cannot be done.
 */
void workload_collapse(struct workload *w, void *p, size_t bytes);

/*
 * Have the page at p, or the huge page that it is in, moved to another node; where it is then, or
 * -1 with errno.
 */
int workload_migrate(void *p, int node);

/* Whether a huge page is free on that node, by /proc/buddyinfo. */
bool workload_node_has_huge(const struct workload *w, int node);

/* The same from node 0 to the last other node that takes a huge page: which one; and back. Skip
 * the case where that cannot be done. */
int workload_migrate_away(struct workload *w, void *p);
void workload_migrate_back(struct workload *w, void *p);

/*
 * True if this kernel knows of the large folio at `folio` only as a whole whether
 * others map it (CONFIG_NO_PAGE_MAPCOUNT), not page by page: a short-lived
 * process unmaps one page, and smaps shows whether that is ours alone.
 */
bool workload_shares_by_folio(struct workload *w, void *folio);

/*
 * A userfaultfd(2) in which the range is registered (UFFDIO_REGISTER_MODE_..., UFFD_FEATURE_...);
 * skips the case where that is not to be had. Closed by the engine.
 */
int workload_userfaultfd(struct workload *w, void *start, size_t bytes, uint64_t mode,
			 uint64_t features);

/* Write-protect such a range, or take that back; -1 with errno where it is refused. */
int workload_userfaultfd_protect(int uffd, void *start, size_t bytes, bool protect);

/* UFFDIO_MOVE of all of these bytes; skips the case on kernels before 6.8. */
void workload_userfaultfd_move(struct workload *w, int uffd, void *to, void *from, size_t bytes);

#endif
