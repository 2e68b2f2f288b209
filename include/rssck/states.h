// SPDX-License-Identifier: MIT
/*
 * States of memory that a step can request but not force: on swap, in large folios and huge pages,
 * hugetlb, write-protected by userfaultfd. If a state is not available, the case is skipped and
 * its reason names what is missing.
 */
#ifndef RSSCK_STATES_H
#define RSSCK_STATES_H

#include <rssck/workload.h>

/*
 * Pages out `pages` anonymous pages from p on (MADV_PAGEOUT). If any of them stays, the case is
 * skipped.
 */
void workload_page_out(struct workload *w, void *p, size_t pages);

/* The same for a shared mapping of a whole shmem file; skips as above. */
void workload_page_out_shmem(struct workload *w, void *p, size_t pages);

/*
 * Makes reclaim drop MADV_FREE pages; then none of them is present, unless another process accesses
 * them.
 */
void workload_reclaim(struct workload *w, void *p, size_t pages);

/*
 * Writable address space at a multiple of `alignment`: private and anonymous, or a shared mapping
 * of fd if that is not negative.
 */
void *workload_aligned_map(struct workload *w, size_t bytes, size_t alignment, int fd);

/* The same for that many transparent huge pages. No huge page is allocated yet. */
void *workload_huge_map(struct workload *w, size_t huge_pages, int fd);

/*
 * Touches one byte in each of them, so that it becomes a huge page, and then disables
 * khugepaged for them. Skips the case if no huge page was allocated: they are disabled, or
 * memory is fragmented.
 */
void workload_huge_write(struct workload *w, void *p, size_t huge_pages);

/*
 * True if all swap is on zram: then paged-out memory is no longer in the swap cache, and is read
 * back page by page. On a disk it may still be there, or be read ahead.
 */
bool workload_swaps_to_zram(void);

/* The default size of a hugetlb page, as used by mmap(2); 0: there are none. */
size_t workload_hugetlb_bytes(void);

/* A memfd of that many hugetlb pages, of *bytes each. Skips the case if there are none. */
int workload_hugetlb_file(struct workload *w, int pages, int64_t *bytes);

/*
 * A writable mapping of hugetlb pages: shared, of that file, or private and anonymous if fd is
 * negative. Skips the case if none are free.
 */
void *workload_hugetlb_map(struct workload *w, size_t bytes, int fd);

/*
 * One huge page of private anonymous memory, made by writing one byte; skips the case as above.
 * Adds the postings: VIRT_DATA and ANON_HUGE.
 */
void *workload_huge_page(struct workload *w);

/* The same for the huge zero page, by a read: VIRT_DATA and ZERO_READ. */
void *workload_huge_zero_page(struct workload *w);

/*
 * `folios` anonymous folios of `bytes` each, each allocated by one touch. NULL if the kernel
 * does not make them: it has no such size, they are disabled, or memory is fragmented.
 */
void *workload_folios(struct workload *w, size_t folios, size_t bytes);

/*
 * The same for `nr` folios of 16 pages each (64 kB for pages of 4 kB), mapped page by page. The
 * case is skipped if there are none (Linux 6.8, hugepages-64kB/enabled); it must be a CASE_THP.
 * Expects VIRT_DATA and ANON_WRITE.
 */
enum { WORKLOAD_FOLIO_PAGES = 16 };
void *workload_large_folios(struct workload *w, size_t nr);

static inline size_t workload_folio_bytes(const struct workload *w)
{
	return WORKLOAD_FOLIO_PAGES * w->page_size;
}

/* The path of a setting for folios of that size: "enabled", "shmem_enabled". */
enum { WORKLOAD_SETTING = 96 };
const char *workload_folio_setting(const struct workload *w, const char *name,
				   char path[WORKLOAD_SETTING]);

/*
 * Collapses this memory, already touched, into huge pages (MADV_COLLAPSE); the case is skipped if
 * that fails.
 */
void workload_collapse(struct workload *w, void *p, size_t bytes);

/*
 * Migrates the page at p, or the huge page that contains it, to another node; returns its node
 * afterwards, or -1 with errno.
 */
int workload_migrate(void *p, int node);

/* True if a huge page is free on that node, according to /proc/buddyinfo. */
bool workload_node_has_huge(const struct workload *w, int node);

/*
 * The first migrates the memory at p from node 0 to the last other node that has room for a huge
 * page, and returns that node; the second migrates it back. Both skip the case if that fails.
 */
int workload_migrate_away(struct workload *w, void *p);
void workload_migrate_back(struct workload *w, void *p);

/*
 * True if this kernel tracks the sharing of the large folio at `folio` only as a whole
 * (CONFIG_NO_PAGE_MAPCOUNT). To find out, a short-lived process unmaps one page, and smaps
 * shows whether that page is private here.
 */
bool workload_shares_by_folio(struct workload *w, void *folio);

/*
 * A userfaultfd(2) with which the range is registered (UFFDIO_REGISTER_MODE_..., UFFD_FEATURE_...);
 * skips the case if there is none. Closed by the engine.
 */
int workload_userfaultfd(struct workload *w, void *start, size_t bytes, uint64_t mode,
			 uint64_t features);

/* Write-protects such a range, or removes the protection; -1 with errno if refused. */
int workload_userfaultfd_protect(int uffd, void *start, size_t bytes, bool protect);

/* UFFDIO_MOVE of all of these bytes; skips the case on kernels before 6.8. */
void workload_userfaultfd_move(struct workload *w, int uffd, void *to, void *from, size_t bytes);

#endif
