// SPDX-License-Identifier: MIT
/*
 * io_uring's rings are pages of a driver. Depending on the kernel, RssFile counts them, or no RSS
 * does.
 */
#include <linux/io_uring.h>
#include <rssck/case.h>

enum { ENTRIES = 256, RING = 0 };
STEP_SYMBOLS(SET_UP, MAP_THE_ENTRIES);

static void set_up(struct workload *w)
{
	struct io_uring_params params = { 0 };

	w->fd[RING] = (int)syscall(SYS_io_uring_setup, ENTRIES, &params);
	if (w->fd[RING] < 0)
		workload_skip(w, "io_uring_setup(2): %m");
}

/* Each entry has 64 bytes. The ring's metadata is in another mapping. */
static void map_entries(struct workload *w)
{
	size_t bytes = ENTRIES * sizeof(struct io_uring_sqe);
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, w->fd[RING],
		       IORING_OFF_SQES);
	int64_t pages = (int64_t)((bytes + w->page_size - 1) / w->page_size);

	if (p == MAP_FAILED)
		workload_skip(w, "mmap of an io_uring: %m");
	workload_remember(w, p, bytes);
	touch_write(w, p, (size_t)pages);
	workload_report(w, "start", (int64_t)(uintptr_t)p);
	workload_report(w, "pages", pages);
}

static void judge(const struct trial *t, struct judgement *j)
{
	const struct mapping *m = trial_mapping(t, MAP_THE_ENTRIES, 0, MAP_THE_ENTRIES, "start");
	int64_t pages = trial_reported(t, MAP_THE_ENTRIES, "pages");
	int64_t file = trial_moved(t, SET_UP, MAP_THE_ENTRIES, 0, METRIC_STATUS_RSSFILE);

	judge_fact_of(j, "io_uring.rings_count_as", file, pages, "nothing", "RssFile",
		      "something else");
	if (m && m->frames_read)
		judge_equal(j, MAP_THE_ENTRIES, "kpageflags.thp of the ring",
			    m->frames[METRIC_FRAMES_THP - METRIC_FRAMES_FIRST], 0,
			    "kpageflags shows no THP for a driver's pages, even if they are one "
			    "large block");
}

CASE(virtual_io_uring) {
	.claim =
		"RssFile counts io_uring's rings, or on older kernels no RSS does; bit 22 of kpageflags (THP) is not set, even if the rings are one large block",
	.because = "Pages that a driver maps with vm_insert_pages() count as file pages "
		   "(insert_page_into_pte_locked()); pages that it maps with remap_pfn_range() "
		   "are not counted. The driver chooses the function.",
	.said_by = SAID_BY("io_uring(7)"),
	.steps = STEPS(STEP_AS(SET_UP, "set up", set_up),
		       STEP_AS(MAP_THE_ENTRIES, "map the entries", map_entries,
			       .flags = STEP_ANY_PAGES)),
	.facts = FACTS(FACT("io_uring.rings_count_as", "The rings of io_uring are counted as",
			    "nothing|RssFile")),
	.judge = judge,
};
