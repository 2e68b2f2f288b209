// SPDX-License-Identifier: MIT
/* Unmapped while it is swapped out, memory leaves VmSwap without having come back. */
#include <errno.h>
#include <rssck/case.h>
#include <rssck/workload.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGES = 256, HALF = PAGES / 2, QUARTER = PAGES / 4, REGION = 0 };

static void map_and_page_out(struct workload *w)
{
	w->slot[REGION] = workload_map(w, PAGES * w->page_size, PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	touch_write(w, w->slot[REGION], PAGES);
	workload_page_out(w, w->slot[REGION], PAGES);
}

static void dontneed_half(struct workload *w)
{
	if (madvise(w->slot[REGION], HALF * w->page_size, MADV_DONTNEED) < 0)
		workload_die(w, "MADV_DONTNEED: %s", strerror(errno));
}

static void free_lazily(struct workload *w)
{
	char *p = w->slot[REGION];

	if (madvise(p + HALF * w->page_size, QUARTER * w->page_size, MADV_FREE) < 0)
		workload_die(w, "MADV_FREE: %s", strerror(errno));
}

static void unmap(struct workload *w)
{
	munmap(w->slot[REGION], PAGES * w->page_size);
	workload_forget(w, w->slot[REGION]);
}

CASE(swap_munmap_swapped) {
	.claim = "MADV_DONTNEED, MADV_FREE and munmap() of swapped memory take it out of VmSwap, "
		 "and bring nothing into RES",
	.because = "zap_pte_range() frees swap entries where it finds them and subtracts them from "
		   "MM_SWAPENTS.",
	.said_by = SAID_BY("proc_pid_status(5), VmSwap"),
	.needs = NEEDS("swap"),
	.steps = STEPS(STEP("write and page out", map_and_page_out, VIRT_DATA(PAGES),
			    SWAPPED(PAGES)),
		       STEP("MADV_DONTNEED half", dontneed_half, SWAPPED(-HALF)),
		       STEP("MADV_FREE a quarter", free_lazily, SWAPPED(-QUARTER)),
		       STEP("unmap", unmap, VIRT_DATA(-PAGES), SWAPPED(-QUARTER))),
};
