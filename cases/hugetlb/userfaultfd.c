// SPDX-License-Identifier: MIT
/* A hugetlb page that UFFDIO_COPY provides is counted like a touched page. */
#include "pages.h"

enum { REGION = 0, SOURCE = 1, FD = 0, UFFD = 1 };

static void map(struct workload *w)
{
	size_t bytes;

	w->fd[FD] = workload_hugetlb_file(w, 1, &w->number[BYTES]);
	bytes = (size_t)w->number[BYTES];
	w->slot[REGION] = workload_hugetlb_map(w, bytes, w->fd[FD]);
	w->slot[SOURCE] = workload_map(w, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	touch_read(w, w->slot[SOURCE], (size_t)pages(w));
	w->fd[UFFD] = workload_userfaultfd(w, w->slot[REGION], bytes, UFFDIO_REGISTER_MODE_MISSING,
					   0);
	workload_expect(w, VIRT_OTHER(2 * pages(w)), ZERO_PLACED(pages(w)));
}

static void copy(struct workload *w)
{
	struct uffdio_copy c = { .dst = (uintptr_t)w->slot[REGION],
				 .src = (uintptr_t)w->slot[SOURCE],
				 .len = (uint64_t)w->number[BYTES] };

	workload_must(w, ioctl(w->fd[UFFD], UFFDIO_COPY, &c), "UFFDIO_COPY");
	workload_expect(w, HUGETLB(pages(w)));
}

CASE(hugetlb_userfaultfd) {
	.claim =
		"A hugetlb page that UFFDIO_COPY provides is in HugetlbPages, like one that the process touches",
	.because = "hugetlb_mfill_atomic_pte() maps the page and calls hugetlb_count_add() itself, "
		   "without a fault.",
	.said_by = SAID_BY("ioctl_userfaultfd(2), UFFDIO_COPY"),
	.needs = NEEDS("hugetlb"),
	.steps = STEPS(STEP("map", map), STEP("copy", copy)),
	.posts = POSTS(VIRT_OTHER(1), HUGETLB(1)),
};
