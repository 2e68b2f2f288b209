// SPDX-License-Identifier: MIT
/* UFFDIO_MOVE carries pages from one mapping to another: no counter moves. */
#include <errno.h>
#include <linux/userfaultfd.h>
#include <rssck/case.h>
#include <sys/ioctl.h>

enum { PAGES = 128, REGION = 0, SOURCE = 1, UFFD = 0 };

/* <linux/userfaultfd.h> of 6.8 */
struct move {
	uint64_t dst, src, len, mode;
	int64_t moved;
};

#define MOVE _IOWR(UFFDIO, 0x05, struct move)

static void make(struct workload *w)
{
	size_t bytes = PAGES * w->page_size;

	w->slot[SOURCE] = workload_map(w, bytes, PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	touch_write(w, w->slot[SOURCE], PAGES);
	w->slot[REGION] = workload_map(w, bytes, PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	w->fd[UFFD] = workload_userfaultfd(w, w->slot[REGION], bytes, UFFDIO_REGISTER_MODE_MISSING,
					   0);
}

/* EAGAIN: somebody held a page for a moment. */
static void move_all(struct workload *w)
{
	for (uint64_t done = 0, bytes = PAGES * w->page_size; done < bytes;) {
		struct move m = {
			.dst = (uintptr_t)w->slot[REGION] + done,
			.src = (uintptr_t)w->slot[SOURCE] + done,
			.len = bytes - done,
		};

		if (ioctl(w->fd[UFFD], MOVE, &m) < 0 && (errno != EAGAIN || m.moved < 0))
			workload_skip(w, "UFFDIO_MOVE: %m");
		done += (uint64_t)m.moved;
	}
}

static void write_there(struct workload *w)
{
	touch_write(w, w->slot[REGION], PAGES);
}

static void write_source(struct workload *w)
{
	touch_write(w, w->slot[SOURCE], PAGES);
}

CASE(anonymous_userfaultfd_move) {
	.claim = "UFFDIO_MOVE carries resident pages to another mapping: RES stays, the source is "
		 "empty",
	.because = "move_present_ptes() takes each entry out of one place and puts it into the "
		   "other; the page and the counters stay what they are.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/userfaultfd.rst"),
	.steps = STEPS(STEP("register", make, VIRT_DATA(2 * PAGES), ANON_WRITE(PAGES)),
		       STEP("move", move_all), STEP("write where they are", write_there),
		       STEP("write where they were", write_source, ANON_WRITE(PAGES))),
};
