// SPDX-License-Identifier: MIT
/* If more than max_page_sharing pages have the same content, KSM keeps several copies of it. */
#include "rounds.h"

enum { SHARERS = 4, COPIES = 5, PAGES = SHARERS * COPIES };
STEP_SYMBOLS(MERGE_AND_UNMERGE);

#define UNCOUNTED INT64_MIN

/*
 * The numbers while the pages are merged, and after they are unmerged. Unmerging frees all rmap
 * items, so the profit is then 0.
 */
static const struct {
	const char *name, *path, *after;
	int64_t merged;
} numbers[] = {
	{ "pages_shared", KSM "pages_shared", "pages_shared after", COPIES },
	{ "pages_sharing", KSM "pages_sharing", "pages_sharing after", PAGES - COPIES },
	{ "stable_node_chains", KSM "stable_node_chains", "stable_node_chains after", 1 },
	{ "stable_node_dups", KSM "stable_node_dups", "stable_node_dups after", COPIES },
	{ "general_profit", KSM "general_profit", "general_profit after", UNCOUNTED },
};

enum { NUMBERS = sizeof(numbers) / sizeof(*numbers) };

/* Writing 2 to run unmerges all pages. Returns how many pages were merged before. */
static int64_t merge_and_unmerge(struct workload *w)
{
	struct patience p = { .seconds = PATIENCE_S };
	char *pages = workload_anonymous(w, PAGES);
	int64_t merged;

	ksm_write_alike(w, pages, PAGES);
	workload_advise(w, pages, PAGES * w->page_size, MADV_MERGEABLE);
	do
		merged = ksm_merged_of_all(w);
	while (merged != PAGES && workload_pause(&p));
	for (size_t i = 0; i < NUMBERS; i++)
		workload_report(w, numbers[i].name, workload_number(numbers[i].path, NULL, 0));
	workload_set(w, KSM "run", "2");
	for (size_t i = 0; i < NUMBERS; i++)
		workload_report(w, numbers[i].after, workload_number(numbers[i].path, NULL, 0));
	workload_report(w, "items after",
			workload_number("/proc/self/ksm_stat", "ksm_rmap_items", 0));
	workload_unmap(w, pages, PAGES * w->page_size);
	return merged;
}

/* The kernel refuses a new max_page_sharing while pages are merged. */
static void merge_with_limit(struct workload *w)
{
	int64_t run = ksm_number(w, KSM "run", NULL), merged;
	int64_t most = ksm_number(w, KSM "max_page_sharing", NULL);

	workload_set(w, KSM "run", "2");
	workload_set_number(w, KSM "max_page_sharing", SHARERS);
	workload_set(w, KSM "run", "1");
	merged = merge_and_unmerge(w);
	workload_set_number(w, KSM "max_page_sharing", most);
	workload_set_number(w, KSM "run", run);
	if (merged != PAGES)
		workload_skip(w, "a ksmd that merges %d pages", PAGES);
}

static void judge(const struct trial *t, struct judgement *j)
{
	for (size_t i = 0; i < NUMBERS; i++) {
		if (numbers[i].merged != UNCOUNTED)
			judge_reported_in(t, j, "", MERGE_AND_UNMERGE, numbers[i].name,
					  numbers[i].name, numbers[i].merged,
					  "each copy of the content has max_page_sharing pages");
		judge_reported_in(t, j, "", MERGE_AND_UNMERGE, numbers[i].after, numbers[i].name, 0,
				  "no page stays merged after 2 is written to ksm/run");
	}
	judge_reported(t, j, MERGE_AND_UNMERGE, "items after", "ksm_rmap_items", 0,
		       "ksmd has no rmap item after 2 is written to ksm/run");
}

CASE(ksm_chains) {
	.claim = "If more than max_page_sharing pages have the same content, KSM keeps several "
		 "copies of it: pages_shared and stable_node_dups count each copy, "
		 "stable_node_chains counts 1",
	.because = "stable_tree_insert() makes a chain of the nodes of one content. "
		   "remove_all_stable_nodes() frees the chains and their nodes.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/ksm.rst, max_page_sharing"),
	.needs = NEEDS("root", "guest", "ksm"),
	.limit_s = 60,
	.steps = STEPS(STEP_AS(MERGE_AND_UNMERGE, "merge and unmerge", merge_with_limit,
			       .flags = STEP_ANY_PAGES)),
	.judge = judge,
};
