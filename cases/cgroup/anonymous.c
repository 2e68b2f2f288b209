// SPDX-License-Identifier: MIT
/* memory.stat's anon counts mapped anonymous memory in small pages, large folios and huge pages. */
#include <rssck/case.h>

enum { SMALL, LARGE, HUGE, FOLIOS = 31 };
STEP_SYMBOLS(SMALL_PAGES, LARGE_FOLIOS, A_HUGE_PAGE);

/* Sets *bytes to the size of the memory. Returns NULL if the kernel does not make the folios. */
static void *allocate(struct workload *w, size_t *bytes)
{
	*bytes = w->argument == HUGE ? w->huge_page_size : FOLIOS * workload_folio_bytes(w);
	if (w->argument == SMALL)
		return workload_written(w, *bytes / w->page_size);
	return w->argument == HUGE ? workload_folios(w, 1, *bytes)
				   : workload_folios(w, FOLIOS, workload_folio_bytes(w));
}

static void report(struct workload *w, const char *when)
{
	workload_cgroup_settle(w);
	workload_report_of(w, when, "anon", workload_cgroup_pages(w, "memory.stat", "anon"));
	workload_report_of(w, when, "current", workload_cgroup_pages(w, "memory.current", NULL));
}

/*
 * Maps and unmaps many times: if the kernel forgets to subtract one page for each folio, the
 * allowed deviation may hide the error of one round, but not the sum of all rounds.
 */
static void repeat(struct workload *w)
{
	int times = w->argument == HUGE ? 3 * CGROUP_BATCH : w->argument == LARGE ? 8 : 0;

	for (size_t bytes; times; times--) {
		void *p = allocate(w, &bytes);

		if (!p)
			return;
		workload_unmap(w, p, bytes);
	}
}

/*
 * Allocates once before it enters the cgroup, so that the reason for a skip distinguishes a kernel
 * that makes no such folio from one that makes none in a cgroup.
 */
static void pay(struct workload *w)
{
	size_t bytes;
	void *p = allocate(w, &bytes);

	if (!p)
		workload_skip_step(w, w->argument == HUGE ? "a huge page" : "a folio of 16 pages");
	workload_unmap(w, p, bytes);
	workload_cgroup_enter(w);
	report(w, "empty");
	p = allocate(w, &bytes);
	if (!p)
		workload_skip_step(w, "a large folio in a cgroup");
	report(w, "there");
	workload_unmap(w, p, bytes);
	repeat(w);
	report(w, "gone");
	workload_report(w, "pages", (int64_t)(bytes / w->page_size));
	workload_cgroup_leave(w);
	workload_checked(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const unsigned steps[] = { SMALL_PAGES, LARGE_FOLIOS, A_HUGE_PAGE };
	static const char *const what[][3] = {
		{ "memory.stat anon", "empty: anon", "there: anon" },
		{ "memory.current", "empty: current", "there: current" },
		{ "memory.stat anon, unmapped", "empty: anon", "gone: anon" },
		{ "memory.current, unmapped", "empty: current", "gone: current" },
	};

	for (size_t i = 0; i < 3 * 4; i++) {
		unsigned step = steps[i / 4];
		const char *const *x = what[i % 4];
		int64_t before = trial_reported(t, step, x[1]);

		if (before >= 0)
			judge_within(j, step, 0, x[0], trial_reported(t, step, x[2]) - before,
				     i % 4 < 2 ? trial_reported(t, step, "pages") : 0,
				     2 * CGROUP_BATCH,
				     "memory is charged from the first touch to the unmap");
	}
}

CASE(cgroup_anonymous) {
	.claim =
		"memory.current, and anon in memory.stat, count resident anonymous memory: small pages, large folios and huge pages",
	.because = "The first mapping of a page adds it to NR_ANON_MAPPED, and the last "
		   "unmapping subtracts it. A charge counts all pages of a folio.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat"),
	.needs = NEEDS("root"),
	.flags = CASE_THP,
	.steps = STEPS(STEP_AS(SMALL_PAGES, "small pages", pay, .argument = SMALL, .checks = 1),
		       STEP_AS(LARGE_FOLIOS, "large folios", pay, .argument = LARGE, .checks = 1),
		       STEP_AS(A_HUGE_PAGE, "a huge page", pay, .argument = HUGE, .checks = 1)),
	.judge = judge,
};
