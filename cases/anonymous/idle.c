// SPDX-License-Identifier: MIT
/* Pages marked idle are idle until they are touched, to the page; no other number moves. */
#include <fcntl.h>
#include <rssck/case.h>
#include <rssck/source.h>
#include <unistd.h>

enum { PAGES = 256, TOUCHED = 77, REGION = 0 };

/* Pages wait in a batch before they are on a list, where they can be marked; locking drains it. */
static void drain(struct workload *w)
{
	if (mlock(w->slot[REGION], w->page_size) < 0 || munlock(w->slot[REGION], w->page_size) < 0)
		workload_skip(w, "mlock: %m");
}

/* A bit for each frame; 64 of them are written at once, and a 0 changes nothing. */
static void mark(struct workload *w)
{
	int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	int bitmap = open("/sys/kernel/mm/page_idle/bitmap", O_WRONLY | O_CLOEXEC);
	uint64_t start = (uintptr_t)w->slot[REGION], words[PAGES];

	if (bitmap < 0)
		workload_skip(w, "/sys/kernel/mm/page_idle/bitmap (CONFIG_IDLE_PAGE_TRACKING): %m");
	if (pagemap_entries(pagemap, (long)w->page_size, start, start + PAGES * w->page_size,
			    words) != PAGES)
		workload_die(w, "/proc/self/pagemap: %m");
	drain(w);
	for (size_t i = 0; i < PAGES; i++) {
		uint64_t pfn = PAGEMAP_PFN(words[i]), bit = 1ULL << (pfn & 63);

		workload_must(w, pwrite(bitmap, &bit, sizeof(bit), (off_t)(pfn / 64 * sizeof(bit))),
			      "page_idle/bitmap");
	}
	close(bitmap);
	close(pagemap);
}

/* What the CPU still knows is used without marking the entry; a change of protection flushes it. */
static void touch_some(struct workload *w)
{
	workload_must(w, mprotect(w->slot[REGION], PAGES * w->page_size, PROT_READ), "mprotect");
	workload_must(w, mprotect(w->slot[REGION], PAGES * w->page_size, PROT_READ | PROT_WRITE),
		      "mprotect");
	touch_read(w, w->slot[REGION], TOUCHED);
	/* Reading the bitmap looks whether the entries were used. */
	mark(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_moved(j, "mark all", METRIC_FRAMES_IDLE,
		    trial_moved(t, "write", "mark all", 0, METRIC_FRAMES_IDLE), PAGES, 0,
		    "idle = the frames that were marked");
}

CASE(anonymous_idle) {
	.claim = "Each frame marked in page_idle/bitmap is idle, exactly those; marking moves no "
		 "other number, not even Referenced",
	.because = "page_idle_set() marks the frame and moves the accessed bits of its entries to "
		   "the frame's young bit, which smaps reads as well.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/idle_page_tracking.rst"),
	.needs = NEEDS("pfn"),
	.steps = STEPS(STEP("write", step_map, .pages = PAGES, .written = PAGES,
			    MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		       STEP("mark all", mark), STEP("touch some", touch_some)),
	.moves = METRICS(METRIC_FRAMES_IDLE),
	.judge = judge,
};
