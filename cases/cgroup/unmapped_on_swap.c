// SPDX-License-Identifier: MIT
/* memory.swap.current falls by the pages on swap that are unmapped, dropped or read back. */
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
 * A CPU keeps up to 64 freed swap slots to itself. On a kernel that does not count swap the
 * result is -1.
 */
static void judge(const struct trial *t, struct judgement *j)
{
	static const struct {
		const char *reported, *rule;
		int64_t pages;
	} claims[] = {
		{ "paged out", "the cgroup is charged for the pages on swap", PAGES },
		{ "unmapped", "unmapped pages are not on swap", 0 },
		{ "paged out again", "the cgroup is charged for the pages on swap", PAGES },
		{ "given up", "dropped pages are not on swap", 0 },
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
	.claim = "memory.swap.current falls by the pages on swap that munmap, MADV_DONTNEED and "
		 "MADV_FREE drop",
	.because = "The slots of neighbouring pages are freed together: "
		   "__mem_cgroup_uncharge_swap() subtracts from the cgroup's swap as many pages as "
		   "the batch has slots.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.swap.current"),
	.needs = NEEDS("root", "swap"),
	.steps = STEPS(STEP_AS(DONTNEED, "MADV_DONTNEED", pay, .advice = MADV_DONTNEED,
			       .checks = 1),
		       STEP_AS(FREE, "MADV_FREE", pay, .advice = MADV_FREE, .checks = 1)),
	.judge = judge,
};
