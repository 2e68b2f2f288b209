// SPDX-License-Identifier: MIT
/* A hugetlb page that UFFDIO_COPY provides counts like one that was touched. */
#include <linux/userfaultfd.h>
#include <rssck/case.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { REGION = 0, SOURCE = 1, FD = 0, UFFD = 1, BYTES = 0 };

static int64_t pages(const struct workload *w)
{
	return w->number[BYTES] / (int64_t)w->page_size;
}

/* st_blksize of a hugetlb file is the size of its pages. */
static void map(struct workload *w)
{
	struct stat st;
	void *p;

	w->fd[FD] = memfd_create("rssck", MFD_CLOEXEC | MFD_HUGETLB);
	if (w->fd[FD] < 0 || fstat(w->fd[FD], &st) < 0 || ftruncate(w->fd[FD], st.st_blksize) < 0)
		workload_skip(w, "a memfd of hugetlb pages: %m");
	w->number[BYTES] = st.st_blksize;
	p = mmap(NULL, (size_t)st.st_blksize, PROT_READ | PROT_WRITE, MAP_SHARED, w->fd[FD], 0);
	if (p == MAP_FAILED)
		workload_skip(w, "a hugetlb page: %m");
	workload_remember(w, p, (size_t)st.st_blksize);
	w->slot[REGION] = p;
	w->slot[SOURCE] = workload_map(w, (size_t)st.st_blksize, PROT_READ,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	touch_read(w, w->slot[SOURCE], (size_t)pages(w));
	w->fd[UFFD] = workload_userfaultfd(w, p, (size_t)st.st_blksize,
					   UFFDIO_REGISTER_MODE_MISSING, 0);
	workload_expect(w, (struct posting)VIRT_OTHER(2 * pages(w)));
	workload_expect(w, (struct posting)ZERO_READ(pages(w)));
}

static void copy(struct workload *w)
{
	struct uffdio_copy c = { .dst = (uintptr_t)w->slot[REGION],
				 .src = (uintptr_t)w->slot[SOURCE],
				 .len = (uint64_t)w->number[BYTES] };

	workload_must(w, ioctl(w->fd[UFFD], UFFDIO_COPY, &c), "UFFDIO_COPY");
	workload_expect(w, (struct posting)HUGETLB(pages(w)));
}

CASE(hugetlb_userfaultfd) {
	.claim = "A hugetlb page that UFFDIO_COPY provides is in HugetlbPages like one that was "
		 "touched",
	.because = "hugetlb_mfill_atomic_pte() maps the page and calls hugetlb_count_add() itself: "
		   "there is no fault.",
	.said_by = SAID_BY("ioctl_userfaultfd(2), UFFDIO_COPY"),
	.needs = NEEDS("hugetlb"),
	.steps = STEPS(STEP("map", map), STEP("copy", copy)),
	.posts = POSTS(VIRT_OTHER(1), HUGETLB(1)),
};
