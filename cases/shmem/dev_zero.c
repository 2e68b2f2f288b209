// SPDX-License-Identifier: MIT
/* A shared mapping of /dev/zero is shmem; a private one is anonymous memory. */
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
	.claim = "A shared mapping of /dev/zero is RssShmem; a private one is anonymous memory, "
		 "although maps shows a file name",
	.because = "mmap_zero() gives a shared mapping its own tmpfs file, and makes a private "
		   "mapping anonymous: a read maps the zero page, a write allocates a page.",
	.said_by = SAID_BY("zero(4)", "mmap(2), MAP_ANONYMOUS"),
	.steps = STEPS(
		STEP("shared, written", shared, MOVES(VIRT_OTHER(PAGES), SHMEM_WRITE(PAGES))),
		STEP("private, read", read_private, MOVES(VIRT_DATA(PAGES), ZERO_READ(PAGES))),
		STEP("private, written", step_write, .pages = PAGES, MOVES(ZERO_TO_ANON(PAGES)))),
};
