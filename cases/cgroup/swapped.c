// SPDX-License-Identifier: MIT
/* shmem in memory.stat does not count pages on swap. swapcached does not count unmapped pages. */
#include <rssck/case.h>

enum { PAGES = 512, TRIES = 5 };
STEP_SYMBOLS(IN_A_CGROUP);

static void page_out_shmem(struct workload *w)
{
	size_t bytes = PAGES * w->page_size;
	void *p = workload_map(w, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	touch_write(w, p, PAGES);
	workload_report(w, "shmem", workload_cgroup_stat(w, "shmem"));
	workload_page_out_shmem(w, p, PAGES);
	workload_report(w, "shmem, paged out", workload_cgroup_stat(w, "shmem"));
	workload_report(w, "swap", workload_cgroup_pages(w, "memory.swap.current", NULL));
	workload_unmap(w, p, bytes);
	workload_report(w, "swap, unmapped", workload_cgroup_pages(w, "memory.swap.current", NULL));
}

/* If swap is a disk, a page stays in the swap cache until it is written to the disk. */
static void wait_for_writeback(struct workload *w)
{
	struct patience patience = { .seconds = 2 };

	while (workload_cgroup_stat(w, "file_writeback") > CGROUP_BATCH &&
	       workload_pause(&patience))
		;
}

static void page_out_anonymous(struct workload *w)
{
	int64_t cached = PAGES;

	for (int i = 0; i < TRIES && cached > CGROUP_BATCH; i++) {
		void *p = workload_written(w, PAGES);

		workload_page_out(w, p, PAGES);
		wait_for_writeback(w);
		touch_read(w, p, PAGES);
		workload_unmap(w, p, PAGES * w->page_size);
		cached = workload_cgroup_stat(w, "swapcached");
	}
	workload_report(w, "swapcached", cached);
}

static void pay(struct workload *w)
{
	workload_cgroup_enter(w);
	page_out_shmem(w);
	page_out_anonymous(w);
	workload_cgroup_leave(w);
	workload_checked(w);
}

/*
 * A number that this kernel does not have is below 0. Each CPU may keep up to 64 freed swap slots.
 */
static void judge(const struct trial *t, struct judgement *j)
{
	static const struct {
		const char *reported, *what, *rule;
		int64_t pages;
	} claims[] = {
		{ "shmem", "memory.stat shmem", "shmem counts written pages", PAGES },
		{ "shmem, paged out", "memory.stat shmem", "shmem does not count pages on swap",
		  0 },
		{ "swap", "memory.swap.current", "memory.swap.current counts shmem pages on swap",
		  PAGES },
		{ "swap, unmapped", "memory.swap.current",
		  "memory.swap.current does not count unmapped pages", 0 },
		{ "swapcached", "memory.stat swapcached",
		  "swapcached does not count unmapped pages", 0 },
	};

	for (size_t i = 0; i < sizeof(claims) / sizeof(*claims); i++) {
		int64_t pages = trial_reported(t, IN_A_CGROUP, claims[i].reported);

		if (pages >= 0)
			judge_within(j, IN_A_CGROUP, 0, claims[i].what, pages, claims[i].pages,
				     CGROUP_BATCH, claims[i].rule);
	}
}

CASE(cgroup_swapped) {
	.claim =
		"shmem in memory.stat counts only the shmem in memory, memory.swap.current the shmem on swap; swapcached does not count anonymous pages that their only process read back and then unmapped",
	.because = "shmem_writeout() (shmem_writepage() up to 6.15) removes the page from tmpfs's "
		   "page cache and from NR_SHMEM. When the last mapping of a page is removed, "
		   "free_swap_cache() frees the page's swap slot and removes it from the swap "
		   "cache.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat"),
	.needs = NEEDS("root", "swap"),
	.steps = STEPS(STEP_AS(IN_A_CGROUP, "in a cgroup", pay, .checks = 1)),
	.judge = judge,
};
