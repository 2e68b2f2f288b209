// SPDX-License-Identifier: MIT
/* A reservation of up to 16 TiB adds to VIRT and DATA, and uses no memory. */
#include <rssck/case.h>

enum { TOUCHED = 3, BYTES = 0 };

static void reserve(struct workload *w)
{
	size_t bytes;

	w->slot[0] = workload_reserve(w, &bytes);
	if (!w->slot[0])
		workload_skip(w, "64 MiB of address space: %m");
	workload_expect(w, VIRT_DATA((int64_t)(bytes / w->page_size)));
	w->number[BYTES] = (int64_t)bytes;
}

/* Touches both ends and the middle, because a walker that skips too much misses one of them. */
static void touch_three(struct workload *w)
{
	char *p = w->slot[0];
	size_t bytes = (size_t)w->number[BYTES];

	p[0] = p[bytes / 2] = p[bytes - 1] = 1;
}

CASE(virtual_reservation) {
	.claim = "Up to 16 TiB of reserved and unused address space add to VIRT and DATA, and "
		 "raise no other number of the process",
	.because = "mmap() with MAP_NORESERVE makes one mapping and no page table. "
		   "AddressSanitizer reserves as much when it starts. A tool that reads every "
		   "entry of pagemap reads 32 GiB for it.",
	.said_by = SAID_BY("Memory part 2: Understanding Process memory", "top(1), VIRT and DATA"),
	.steps = STEPS(STEP("reserve 16 TiB", reserve),
		       STEP("touch three pages", touch_three, MOVES(ANON_WRITE(TOUCHED)))),
	.posts = POSTS(VIRT_DATA(1)),
};
