// SPDX-License-Identifier: MIT
/*
 * A hugetlb page may be write-protected before it is allocated. mincore must not report such a
 * page, and no write to it may succeed.
 */
#include "pages.h"

enum { REGION = 0, UFFD = 0 };
STEP_SYMBOLS(PROTECT_AND_WRITE);

static size_t bytes(const struct workload *w)
{
	return (size_t)w->number[BYTES];
}

/*
 * No thread handles faults, so UFFD_FEATURE_SIGBUS makes a forbidden write fail instead of waiting.
 */
static void map(struct workload *w)
{
	w->number[BYTES] = (int64_t)workload_hugetlb_bytes();
	w->slot[REGION] = workload_hugetlb_map(w, bytes(w), -1);
	w->fd[UFFD] = workload_userfaultfd(w, w->slot[REGION], bytes(w), UFFDIO_REGISTER_MODE_WP,
					   UFFD_FEATURE_SIGBUS | UFFD_FEATURE_WP_HUGETLBFS_SHMEM);
	workload_expect(w, VIRT_DATA(pages(w)));
}

/*
 * Reports 1 if PAGEMAP_SCAN calls the absent, protected page swapped, else 0. Reports nothing if
 * this kernel does not have PAGEMAP_SCAN.
 */
static void scan_marker(struct workload *w)
{
	struct scan_region region;
	struct scan_arg arg = { SCAN_OF(w->slot[REGION], bytes(w), &region, 1),
				.category_mask = SCAN_SWAPPED, .return_mask = SCAN_SWAPPED };
	int fd = workload_open_pagemap(w);
	int n = ioctl(fd, SCAN_IOCTL, &arg);

	close(fd);
	if (n >= 0)
		workload_report(w, "swapped", n);
}

/* The kernel itself writes the byte, in read(2) from a pipe. */
static ssize_t receive_byte(struct workload *w)
{
	int ends[2], error;
	ssize_t n;

	workload_must(w, pipe(ends), "pipe");
	workload_must(w, write(ends[1], "x", 1), "write");
	n = read(ends[0], w->slot[REGION], 1);
	error = errno;
	close(ends[0]);
	close(ends[1]);
	errno = error;
	return n;
}

/*
 * Protects and writes in one step, because a snapshot in between would contradict itself: on some
 * kernels PAGEMAP_SCAN shows the marker as swapped, while pagemap does not.
 */
static void protect_and_write(struct workload *w)
{
	size_t n = (size_t)pages(w);

	workload_must(w, workload_userfaultfd_protect(w->fd[UFFD], w->slot[REGION], bytes(w), true),
		      "UFFDIO_WRITEPROTECT");
	if (workload_pages_in_core(w, w->slot[REGION], n))
		workload_fail(w, "mincore reports an absent page as resident");
	if (workload_pages_marked(w, w->slot[REGION], n, PAGEMAP_UFFD_WP) != pages(w))
		workload_fail(w, "bit 57 of pagemap is not set for a protected page");
	scan_marker(w);
	if (receive_byte(w) >= 0)
		workload_fail(w, "a write to a protected page succeeded");
	if (errno != EFAULT)
		workload_die(w, "read(2) into a protected page: %m");
	if (workload_pages_present(w, w->slot[REGION], n) != pages(w))
		workload_skip(w, "a kernel on which a write fault makes a protected page present");
	workload_expect(w, HUGETLB(pages(w)), UFFD_PROTECTED(pages(w)));
}

static void unprotect_and_write(struct workload *w)
{
	workload_must(w,
		      workload_userfaultfd_protect(w->fd[UFFD], w->slot[REGION], bytes(w), false),
		      "UFFDIO_WRITEPROTECT");
	if (receive_byte(w) != 1)
		workload_fail(w, "after removing the protection a write failed: %m");
	workload_expect(w, UFFD_PROTECTED(-pages(w)));
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t swapped = trial_reported_or(t, PROTECT_AND_WRITE, "swapped", -1);

	if (swapped >= 0)
		judge_fact(j, "scan.hugetlb_page_that_is_not_there_but_protected", "%s",
			   swapped ? "swapped" : "not swapped");
}

CASE(hugetlb_userfaultfd_protected) {
	.claim =
		"If userfaultfd write-protects a hugetlb page before it is allocated, mincore does not report it as resident, and no write bypasses the protection",
	.because = "The page table has a marker instead of the page (PTE_MARKER_UFFD_WP). "
		   "mincore_hugetlb() treats the marker as an empty entry. hugetlb_no_page() "
		   "copies the uffd-wp bit to the new page's entry, and hugetlb_wp() leaves a "
		   "protected page to userfaultfd.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/userfaultfd.rst",
			   "ioctl_userfaultfd(2), UFFDIO_WRITEPROTECT"),
	.needs = NEEDS("hugetlb"),
	.steps = STEPS(STEP("map", map),
		       STEP_AS(PROTECT_AND_WRITE, "protect and write", protect_and_write),
		       STEP("unprotect and write", unprotect_and_write)),
	.posts = POSTS(VIRT_DATA(1), HUGETLB(1), UFFD_PROTECTED(1)),
	.facts = FACTS(FACT("scan.hugetlb_page_that_is_not_there_but_protected",
			    "PAGEMAP_SCAN reports an absent, write-protected hugetlb page as",
			    "swapped|not swapped")),
	.judge = judge,
};
