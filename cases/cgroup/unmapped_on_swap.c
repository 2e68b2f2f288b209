// SPDX-License-Identifier: MIT
/*
 * memory.swap.current falls by the anonymous pages on swap that a process unmaps or drops, if no
 * other process refers to them.
 */
#include <rssck/case.h>

enum { PAGES = 512 };
STEP_SYMBOLS(DONTNEED, FREE);

static int64_t on_swap(struct workload *w)
{
	return workload_cgroup_pages(w, "memory.swap.current", NULL);
}

static void *paged_out(struct workload *w)
{
	void *p = workload_written(w, PAGES);

	workload_page_out(w, p, PAGES);
	if (!workload_cgroup_empties_swap_cache(w))
		workload_skip_step(w, "a swap cache that memory.reclaim empties");
	return p;
}

static void unmap(struct workload *w)
{
	void *p = paged_out(w);

	workload_report(w, "paged out", on_swap(w));
	workload_unmap(w, p, PAGES * w->page_size);
	workload_report(w, "unmapped", on_swap(w));
}

static void give_up(struct workload *w)
{
	void *p = paged_out(w);

	workload_report(w, "paged out again", on_swap(w));
	workload_must(w, madvise(p, PAGES * w->page_size, w->step->advice), "madvise");
	workload_report(w, "given up", on_swap(w));
	workload_unmap(w, p, PAGES * w->page_size);
}

static void pay(struct workload *w)
{
	workload_cgroup_enter(w);
	unmap(w);
	give_up(w);
	workload_cgroup_leave(w);
	workload_checked(w);
}

static const unsigned steps[] = { DONTNEED, FREE };

/*
 * Each CPU may keep up to 64 freed swap slots. The number is -1 on a kernel that does not count
 * swap.
 */
static void judge(const struct trial *t, struct judgement *j)
{
	static const struct {
		const char *reported, *rule;
		int64_t pages;
	} claims[] = {
		{ "paged out", "memory.swap.current counts the pages on swap", PAGES },
		{ "unmapped", "memory.swap.current does not count unmapped pages", 0 },
		{ "paged out again", "memory.swap.current counts the pages on swap", PAGES },
		{ "given up", "memory.swap.current does not count dropped pages", 0 },
	};

	for (size_t i = 0; i < 2 * sizeof(claims) / sizeof(*claims); i++) {
		unsigned step = steps[i % 2];
		int64_t pages = trial_reported(t, step, claims[i / 2].reported);

		if (pages >= 0)
			judge_within(j, step, 0, "memory.swap.current", pages, claims[i / 2].pages,
				     CGROUP_BATCH, claims[i / 2].rule);
	}
}

CASE(cgroup_unmapped_on_swap) {
	.claim = "memory.swap.current falls by the pages on swap that munmap, MADV_DONTNEED or "
		 "MADV_FREE drops",
	.because = "The kernel may free the swap slots of neighbouring pages in one batch. "
		   "__mem_cgroup_uncharge_swap() subtracts all slots of the batch from the "
		   "cgroup's swap.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.swap.current"),
	.needs = NEEDS("root", "swap"),
	.steps = STEPS(STEP_AS(DONTNEED, "MADV_DONTNEED", pay, .advice = MADV_DONTNEED,
			       .checks = 1),
		       STEP_AS(FREE, "MADV_FREE", pay, .advice = MADV_FREE, .checks = 1)),
	.judge = judge,
};
