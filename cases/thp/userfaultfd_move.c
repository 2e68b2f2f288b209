// SPDX-License-Identifier: MIT
/* UFFDIO_MOVE of a huge page carries it as one. */
#include <errno.h>
#include <linux/userfaultfd.h>
#include <rssck/case.h>
#include <sys/ioctl.h>

enum { SOURCE = 0, REGION = 1, UFFD = 0 };

/* <linux/userfaultfd.h> of 6.8 */
struct move {
	uint64_t dst, src, len, mode;
	int64_t moved;
};

#define MOVE _IOWR(UFFDIO, 0x05, struct move)

static void make(struct workload *w)
{
	w->slot[SOURCE] = workload_huge_page(w);
	w->slot[REGION] = workload_huge_map(w, 1, -1);
	w->fd[UFFD] = workload_userfaultfd(w, w->slot[REGION], w->huge_page_size,
					   UFFDIO_REGISTER_MODE_MISSING, 0);
	workload_expect(w, (struct posting)VIRT_DATA(w->huge));
}

/* EAGAIN: somebody held a page for a moment. */
static void move(struct workload *w)
{
	for (size_t done = 0; done < w->huge_page_size;) {
		struct move m = { .dst = (uintptr_t)w->slot[REGION] + done,
				  .src = (uintptr_t)w->slot[SOURCE] + done,
				  .len = w->huge_page_size - done };

		if (ioctl(w->fd[UFFD], MOVE, &m) < 0 && (errno != EAGAIN || m.moved < 0))
			workload_skip(w, "UFFDIO_MOVE (Linux 6.8): %m");
		done += (size_t)m.moved;
	}
}

static void write_there(struct workload *w)
{
	touch_write(w, w->slot[REGION], (size_t)w->huge);
}

CASE(thp_userfaultfd_move) {
	.claim = "UFFDIO_MOVE of a huge page moves no number: it stays in RES and AnonHugePages, "
		 "at another place",
	.because = "move_pages_huge_pmd() takes the PMD and the page table in store for it from "
		   "one place to the other; the mm is the same.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/userfaultfd.rst, UFFDIO_MOVE"),
	.needs = NEEDS("thp"),
	.flags = CASE_THP,
	.steps = STEPS(STEP("touch one huge page", make), STEP("UFFDIO_MOVE", move),
		       STEP("write it there", write_there)),
	.posts = POSTS(VIRT_DATA(1), ANON_HUGE(1)),
};
