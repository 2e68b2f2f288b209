// SPDX-License-Identifier: MIT
/* Frames marked as idle stay idle until they are accessed; marking changes no RSS and no size. */
#include <rssck/case.h>

enum { PAGES = 256, TOUCHED = 77, REGION = 0 };
STEP_SYMBOLS(WRITE, MARK_ALL, TOUCH_SOME);

/*
 * page_idle can mark only pages on an LRU list. mlock() drains the per-CPU batch of new pages to
 * the list.
 */
static void drain(struct workload *w)
{
	if (mlock(w->slot[REGION], w->page_size) < 0 || munlock(w->slot[REGION], w->page_size) < 0)
		workload_skip(w, "mlock: %m");
}

/*
 * Writes a 1 for each frame, which marks the frame as idle, or reads the bitmap: the kernel then
 * clears the mark of each frame that was accessed through a mapping.
 */
static void each_frame(struct workload *w, bool write)
{
	int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	int bitmap = open("/sys/kernel/mm/page_idle/bitmap", O_RDWR | O_CLOEXEC);
	uint64_t start = (uintptr_t)w->slot[REGION], words[PAGES];

	if (bitmap < 0)
		workload_skip(w, "/sys/kernel/mm/page_idle/bitmap (CONFIG_IDLE_PAGE_TRACKING): %m");
	if (pagemap_entries(pagemap, (long)w->page_size, start, start + PAGES * w->page_size,
			    words) != PAGES)
		workload_die(w, "/proc/self/pagemap: %m");
	drain(w);
	for (size_t i = 0; i < PAGES; i++) {
		uint64_t pfn = PAGEMAP_PFN(words[i]), bits = 1ULL << (pfn & 63);
		off_t at = (off_t)(pfn / 64 * sizeof(bits));

		workload_must(w,
			      (write) ? pwrite(bitmap, &bits, sizeof(bits), at)
				      : pread(bitmap, &bits, sizeof(bits), at),
			      "page_idle/bitmap");
	}
	close(bitmap);
	close(pagemap);
}

static void mark(struct workload *w)
{
	each_frame(w, true);
}

/* The CPU may use a cached translation and not set the accessed bit. mprotect() flushes the TLB. */
static void touch_some(struct workload *w)
{
	workload_protect(w, w->slot[REGION], PAGES * w->page_size, PROT_READ);
	workload_protect(w, w->slot[REGION], PAGES * w->page_size, PROT_READ | PROT_WRITE);
	touch_read(w, w->slot[REGION], TOUCHED);
	each_frame(w, false);
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_moved_since(t, j, WRITE, MARK_ALL, METRIC_FRAMES_IDLE, PAGES,
			  "idle = the frames marked as idle");
	judge_moved_since(t, j, MARK_ALL, TOUCH_SOME, METRIC_FRAMES_IDLE, -TOUCHED,
			  "idle = the frames marked as idle and not accessed since");
}

CASE(anonymous_idle) {
	.claim =
		"Frames marked in page_idle/bitmap are idle until they are accessed; marking changes no RSS and no size",
	.because =
		"page_idle_bitmap_write() sets the frame's idle flag. Before that, page_idle_clear_pte_refs() moves the accessed bits of its entries to the frame's young flag. smaps computes Referenced from the accessed bits, the young flag and the referenced flag.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/idle_page_tracking.rst"),
	.needs = NEEDS("pfn"),
	.steps = STEPS(STEP_AS(WRITE, "write", step_map, ALL_WRITTEN(PAGES)),
		       STEP_AS(MARK_ALL, "mark all", mark),
		       STEP_AS(TOUCH_SOME, "touch some", touch_some)),
	.moves = METRICS(METRIC_FRAMES_IDLE),
	.judge = judge,
};
