// SPDX-License-Identifier: MIT
/*
 * States of memory that a step can request but not force: on swap, in large folios and huge pages,
 * hugetlb, write-protected by userfaultfd. If a state is not available, most functions skip the
 * case with a reason that names what is missing.
 */
#ifndef RSSCK_STATES_H
#define RSSCK_STATES_H

#include <rssck/workload.h>

/* Pages out `pages` anonymous pages from p on (MADV_PAGEOUT). Skips the case if a page stays. */
void workload_page_out(struct workload *w, void *p, size_t pages);

/* Pages out a shared mapping of a whole shmem file. Skips the case if any page stays. */
void workload_page_out_shmem(struct workload *w, void *p, size_t pages);

/*
 * Makes reclaim drop MADV_FREE pages. Tries for up to five seconds, because the kernel keeps a page
 * that another process accesses. Pages may still remain.
 */
void workload_reclaim(struct workload *w, void *p, size_t pages);

/*
 * Maps writable memory at a multiple of `alignment`: private and anonymous, or shared from fd if fd
 * is not negative.
 */
void *workload_aligned_map(struct workload *w, size_t bytes, size_t alignment, int fd);

/*
 * Like workload_aligned_map(), but the engine does not remember the mapping. Returns NULL with
 * errno on failure.
 */
void *workload_try_aligned_map(size_t bytes, size_t alignment, int fd);

/*
 * Maps memory for `huge_pages` transparent huge pages, aligned and untouched, as
 * workload_aligned_map() does.
 */
void *workload_huge_map(struct workload *w, size_t huge_pages, int fd);

/*
 * Allows huge pages (MADV_HUGEPAGE) and touches one byte in each, so that the kernel allocates it.
 * Returns false with errno if the kernel refuses, ENOMEM if it allocates small pages, because huge
 * pages are disabled or memory is fragmented.
 */
bool workload_try_huge_write(struct workload *w, void *p, size_t huge_pages);

/*
 * Like workload_try_huge_write(), but then keeps khugepaged away (MADV_NOHUGEPAGE), and skips the
 * case on failure.
 */
void workload_huge_write(struct workload *w, void *p, size_t huge_pages);

/*
 * Returns true if all areas in /proc/swaps are zram, or if there are none. Private memory paged out
 * to zram leaves the swap cache; without large folios each page is read back alone, if no other
 * process refers to it. Memory paged out to a disk may be in the swap cache, or be read ahead.
 */
bool workload_swaps_to_zram(void);

/* Returns the size of a hugetlb page that mmap(2) uses by default; 0 if there is none. */
size_t workload_hugetlb_bytes(void);

/*
 * Makes a memfd of `pages` hugetlb pages, without allocating or reserving any; sets *bytes to the
 * size of one. Skips the case if the kernel refuses. The caller closes it.
 */
int workload_hugetlb_file(struct workload *w, int pages, int64_t *bytes);

/*
 * Maps hugetlb pages writable: shared from fd, or private and anonymous if fd is negative. Skips
 * the case if too few are free.
 */
void *workload_hugetlb_map(struct workload *w, size_t bytes, int fd);

/*
 * Makes one private anonymous huge page by writing one byte; skips the case if that fails. Adds the
 * postings VIRT_DATA and ANON_HUGE.
 */
void *workload_huge_page(struct workload *w);

/* Skips the case if a read of huge memory allocates pages of its own (use_zero_page). */
void workload_need_huge_zero_page(struct workload *w);

/*
 * Maps the huge zero page by reading; skips the case if that fails. Adds the postings VIRT_DATA and
 * ZERO_READ.
 */
void *workload_huge_zero_page(struct workload *w);

/*
 * Makes `folios` anonymous folios of `bytes` bytes, each by one touch. Returns NULL if the kernel
 * does not make them all: it has no such size, they are disabled, or memory is fragmented.
 */
void *workload_folios(struct workload *w, size_t folios, size_t bytes);

/*
 * Makes `nr` anonymous folios of 16 pages (64 kB with pages of 4 kB), mapped by page table entries.
 * Needs CASE_THP. Skips the case if the kernel does not make them all (Linux 6.8, `enabled` of the
 * size: hugepages-64kB with pages of 4 kB). Adds the postings VIRT_DATA and ANON_WRITE.
 */
enum { WORKLOAD_FOLIO_PAGES = 16 };
void *workload_large_folios(struct workload *w, size_t nr);

static inline size_t workload_folio_bytes(const struct workload *w)
{
	return WORKLOAD_FOLIO_PAGES * w->page_size;
}

/*
 * Writes the path of a setting of folios of WORKLOAD_FOLIO_PAGES, such as "enabled" or
 * "shmem_enabled", into `path`, and returns it.
 */
enum { WORKLOAD_SETTING = 96 };
const char *workload_folio_setting(const struct workload *w, const char *name,
				   char path[WORKLOAD_SETTING]);

/* Collapses touched memory into huge pages (MADV_COLLAPSE); skips the case if this fails. */
void workload_collapse(struct workload *w, void *p, size_t bytes);

/*
 * Migrates the page at p, or the huge page that contains it, to another node. Returns its node
 * afterwards, or a negative number: -1 with errno if the call failed, else the negative errno that
 * move_pages(2) returned for the page.
 */
int workload_migrate(void *p, int node);

/* Returns the node of the page at p, or a negative number. */
int workload_node(void *p);

/*
 * Migrates the page at p to node 1, or to node 0 if it is on node 1. Returns the new node, or -1 if
 * the page stays.
 */
int workload_migrate_to_other(void *p);

/*
 * Migrates n pages, the first at p and each `stride` bytes after the one before, to the node. Some
 * may stay. Returns whether one is there.
 */
bool workload_migrate_each(char *p, size_t n, size_t stride, int node);

/*
 * Returns whether this process may have memory on the node: the node may lack memory, or a cpuset
 * may leave it out. move_pages(2) and mbind(2) then refuse it.
 */
bool workload_may_use_node(int node);

/*
 * Returns true if a huge page is free on the node, according to /proc/buddyinfo, or if that file
 * cannot be read.
 */
bool workload_node_has_huge(const struct workload *w, int node);

/*
 * workload_migrate_away() migrates the memory at p to the highest other node that has room for a
 * huge page. workload_migrate_back() migrates it to the node where it was then. Both return the new
 * node, and skip the case if this fails.
 */
int workload_migrate_away(struct workload *w, void *p);
int workload_migrate_back(struct workload *w, void *p);

/*
 * Returns true if this kernel tracks sharing only for a whole large folio, not for each of its
 * pages (CONFIG_NO_PAGE_MAPCOUNT). Tries it: a short-lived child unmaps one page of the folio, and
 * smaps shows whether that page is private in the parent.
 */
bool workload_shares_by_folio(struct workload *w, void *folio);

/*
 * Makes a userfaultfd(2) and registers the range with `mode` (UFFDIO_REGISTER_MODE_...) and
 * `features` (UFFD_FEATURE_...). Skips the case if the kernel refuses. The engine closes it.
 */
int workload_userfaultfd(struct workload *w, void *start, size_t bytes, uint64_t mode,
			 uint64_t features);

/* Like workload_userfaultfd() without features, but returns -1 with errno on failure. */
int workload_try_userfaultfd(struct workload *w, void *start, size_t bytes, uint64_t mode);

/*
 * For processes of workload_in_child(): workload_open_userfaultfd() opens a userfaultfd that has
 * these features, workload_register_userfaultfd() registers a range with it. Both return -1 with
 * errno on failure.
 */
int workload_open_userfaultfd(uint64_t features);
int workload_register_userfaultfd(int uffd, void *start, size_t bytes, uint64_t mode);

/*
 * Write-protects a registered range, or removes the protection. Returns -1 with errno on failure.
 */
int workload_userfaultfd_protect(int uffd, void *start, size_t bytes, bool protect);

/* Maps pages that are in the page cache already (UFFDIO_CONTINUE). Returns -1 with errno on
 * failure. */
int workload_userfaultfd_continue(int uffd, void *start, size_t bytes);

/* Moves all bytes by UFFDIO_MOVE. Skips the case if the kernel refuses, as it does before 6.8. */
void workload_userfaultfd_move(struct workload *w, int uffd, void *to, void *from, size_t bytes);

#endif
