// SPDX-License-Identifier: MIT
/* /dev/zero mapped shared is shmem; mapped privately it is plain anonymous memory. */
#include <rssck/case.h>

enum { PAGES = 128, PRIVATE = 0 };

static void *map_zero(struct workload *w, int flags)
{
	int fd = open("/dev/zero", O_RDWR | O_CLOEXEC);
	void *p;

	if (fd < 0)
		workload_skip(w, "/dev/zero: %m");
	p = workload_map_pages(w, PAGES, PROT_READ | PROT_WRITE, flags, fd);
	close(fd);
	return p;
}

static void shared(struct workload *w)
{
	touch_write(w, map_zero(w, MAP_SHARED), PAGES);
}

static void read_private(struct workload *w)
{
	w->slot[PRIVATE] = map_zero(w, MAP_PRIVATE);
	touch_read(w, w->slot[PRIVATE], PAGES);
}

CASE(shmem_dev_zero) {
	.claim = "/dev/zero mapped shared is RssShmem; mapped private it is anonymous, though maps "
		 "shows a file name",
	.because = "mmap_zero() gives a shared mapping a tmpfs file of its own and makes a private "
		   "one anonymous: reads map the zero page, writes fresh pages.",
	.said_by = SAID_BY("zero(4)", "mmap(2), MAP_ANONYMOUS"),
	.steps = STEPS(
		STEP("shared, written", shared, MOVES(VIRT_OTHER(PAGES), SHMEM_WRITE(PAGES))),
		STEP("private, read", read_private, MOVES(VIRT_DATA(PAGES), ZERO_READ(PAGES))),
		STEP("private, written", step_write, .pages = PAGES, MOVES(ZERO_TO_ANON(PAGES)))),
};
