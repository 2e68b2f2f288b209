// SPDX-License-Identifier: MIT
/* A reservation of 16 TiB is address space: VIRT and DATA, and nothing else. */
#include <rssck/case.h>

#define BYTES (16LL << 40)

enum { TOUCHED = 3 };

static void reserve(struct workload *w)
{
	char *p = mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		workload_skip(w, "16 TiB of address space: %m");
	workload_remember(w, p, BYTES);
	workload_expect(w, VIRT_DATA(BYTES / (int64_t)w->page_size));
	w->slot[0] = p;
}

/* At both ends and in the middle: a walker that skips too much misses one. */
static void touch_three(struct workload *w)
{
	char *p = w->slot[0];

	p[0] = p[BYTES / 2] = p[BYTES - 1] = 1;
}

CASE(virtual_reservation) {
	.claim = "16 TiB reserved without being used are VIRT and DATA, and cost no memory",
	.because = "mmap() with MAP_NORESERVE records one mapping. AddressSanitizer reserves as "
		   "much at start. A tool that reads pagemap entry by entry would read 32 GiB "
		   "here.",
	.said_by = SAID_BY("Memory part 2: Understanding Process memory", "top(1), VIRT and DATA"),
	.steps = STEPS(STEP("reserve 16 TiB", reserve),
		       STEP("touch three pages", touch_three, MOVES(ANON_WRITE(TOUCHED)))),
	.posts = POSTS(VIRT_DATA(1)),
};
