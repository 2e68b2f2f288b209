// SPDX-License-Identifier: MIT
/*
 * Shmem that is paged out leaves memory.stat's shmem; pages that are unmapped leave its swapcached.
 */
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

/* Where swap is a disk, a page is in the swap cache at least until it is written out. */
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

/* Some kernels lack some of these numbers; a CPU keeps up to 64 freed swap slots to itself. */
static void judge(const struct trial *t, struct judgement *j)
{
	static const struct {
		const char *reported, *what, *rule;
		int64_t pages;
	} claims[] = {
		{ "shmem", "memory.stat shmem", "written shmem is in memory", PAGES },
		{ "shmem, paged out", "memory.stat shmem", "shmem on swap is not in memory", 0 },
		{ "swap", "memory.swap.current", "shmem on swap is charged as swap", PAGES },
		{ "swap, unmapped", "memory.swap.current", "unmapped shmem is not on swap", 0 },
		{ "swapcached", "memory.stat swapcached",
		  "unmapped pages are not in the swap "
		  "cache",
		  0 },
	};

	for (size_t i = 0; i < sizeof(claims) / sizeof(*claims); i++) {
		int64_t pages = trial_reported(t, IN_A_CGROUP, claims[i].reported);

		if (pages >= 0)
			judge_within(j, IN_A_CGROUP, 0, claims[i].what, pages, claims[i].pages,
				     CGROUP_BATCH, claims[i].rule);
	}
}

CASE(cgroup_swapped) {
	.claim = "shmem in memory.stat counts the pages in memory, memory.swap.current the pages "
		 "on swap; swapcached falls when pages that were read back are unmapped",
	.because = "shmem_writeout() takes the page out of tmpfs's page cache and out of "
		   "NR_SHMEM. When its last mapping is removed, a page loses its swap slot and "
		   "its place in the swap cache (free_swap_cache()).",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat"),
	.needs = NEEDS("root", "swap"),
	.steps = STEPS(STEP_AS(IN_A_CGROUP, "in a cgroup", pay, .checks = 1)),
	.judge = judge,
};
