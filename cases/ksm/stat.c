// SPDX-License-Identifier: MIT
/*
 * ksm_stat counts one item for each page that ksmd has scanned, until the page is unmapped or
 * unmerged. The profit is the merged memory minus the memory of the items.
 */
#include "rounds.h"

/* KEPT stays mergeable, because ksmd scans only while a process has mergeable memory. */
enum { PAGES = 64, ALIKE = 0, UNLIKE = 1, KEPT = 2 };
STEP_SYMBOLS(LOOK, WRITE_AND_MERGE, UNMAP_HALF, UNMERGEABLE);

#define STAT "/proc/self/ksm_stat"

static int64_t says_yes(const char *field)
{
	FILE *f = fopen(STAT, "re");
	char line[64], yes[8];
	int64_t answer = -1;

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, field, strlen(field)) &&
		    sscanf(line + strlen(field), ": %7s", yes) == 1)
			answer = !strcmp(yes, "yes");
	if (f)
		fclose(f);
	return answer;
}

static void report(struct workload *w)
{
	workload_report(w, "items", ksm_number(w, STAT, "ksm_rmap_items"));
	/* 6.1 shows this number only in its own file. */
	workload_report(w, "merging",
			workload_number(STAT, "ksm_merging_pages",
					ksm_number(w, "/proc/self/ksm_merging_pages", NULL)));
	workload_report(w, "profit", workload_number(STAT, "ksm_process_profit", INT64_MIN));
	workload_report(w, "mergeable", says_yes("ksm_mergeable"));
}

static void *write_pages(struct workload *w, size_t pages, const char *what, bool alike)
{
	char *p = workload_anonymous(w, pages);

	for (size_t i = 0; i < pages; i++)
		snprintf(p + i * w->page_size, 64, "%s %d %zu", what, (int)getpid(),
			 alike ? 0 : i + 1);
	workload_advise(w, p, pages * w->page_size, MADV_MERGEABLE);
	return p;
}

static void write_and_merge(struct workload *w)
{
	w->slot[ALIKE] = write_pages(w, PAGES, "alike", true);
	w->slot[UNLIKE] = write_pages(w, PAGES, "unlike", false);
	w->slot[KEPT] = write_pages(w, 1, "kept", true);
	ksm_wait_for_merged(w, PAGES);
	ksm_wait_for_rounds(w);
	report(w);
}

static void unmap_half(struct workload *w)
{
	size_t bytes = PAGES / 2 * w->page_size;

	munmap(w->slot[UNLIKE], bytes);
	workload_forget_range(w, w->slot[UNLIKE], bytes);
	ksm_wait_for_rounds(w);
	report(w);
}

static void unmerge(struct workload *w)
{
	workload_advise(w, w->slot[ALIKE], PAGES * w->page_size, MADV_UNMERGEABLE);
	ksm_wait_for_rounds(w);
	report(w);
}

static const struct {
	unsigned step;
	int64_t items, merging;
} moments[] = {
	{ LOOK, 0, 0 },
	{ WRITE_AND_MERGE, 2 * PAGES + 1, PAGES },
	{ UNMAP_HALF, 2 * PAGES + 1 - PAGES / 2, PAGES },
	{ UNMERGEABLE, PAGES / 2 + 1, 0 },
};

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t page = t->host->page_size, item = 0;

	for (size_t i = 0; i < sizeof(moments) / sizeof(*moments); i++) {
		unsigned step = moments[i].step;
		int64_t items = moments[i].items, merging = moments[i].merging;
		int64_t profit = trial_reported(t, step, "profit");
		int64_t yes = trial_reported(t, step, "mergeable");

		judge_reported(t, j, step, "items", "ksm_rmap_items", items,
			       "ksm_rmap_items counts each page that is resident and mergeable");
		judge_reported(t, j, step, "merging", "ksm_merging_pages", merging,
			       "ksm_merging_pages counts the merged pages");
		if (yes >= 0)
			judge_equal_in(
				j, "", step, "ksm_mergeable", yes, items > 0,
				"ksm_mergeable is yes (1) while a mapping is mergeable, else no (0)");
		if (profit == INT64_MIN)
			continue;
		/*
		 * The size of an item is computed from the first step that has items, and must be
		 * the same in the later steps.
		 */
		item = item || !items ? item : (merging * page - profit) / items;
		judge_equal_in(
			j, "bytes", step, "ksm_process_profit", profit,
			merging * page - items * item,
			"ksm_process_profit = the merged pages minus the memory of the items");
	}
	judge_true(j, WRITE_AND_MERGE, !item || (item > 0 && item < page),
		   "a ksm_rmap_item takes more than 0 bytes and less than a page, as computed "
		   "from ksm_process_profit");
}

CASE(ksm_stat) {
	.claim =
		"ksm_rmap_items of /proc/PID/ksm_stat counts the MADV_MERGEABLE pages that ksmd has scanned; ksm_process_profit is the merged memory minus the memory of these items",
	.because = "ksmd has a struct ksm_rmap_item for each page that it has scanned. In the "
		   "first scan after the page is unmapped, free_rmap_item() frees the item.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/ksm.rst, ksm_process_profit"),
	.needs = NEEDS("ksm"),
	.limit_s = 60,
	.steps = STEPS(STEP_AS(LOOK, "read ksm_stat", report),
		       STEP_AS(WRITE_AND_MERGE, "write and merge", write_and_merge,
			       .flags = STEP_ANY_PAGES),
		       STEP_AS(UNMAP_HALF, "unmap half", unmap_half, .flags = STEP_ANY_PAGES),
		       STEP_AS(UNMERGEABLE, "MADV_UNMERGEABLE", unmerge, .flags = STEP_ANY_PAGES)),
	.judge = judge,
};
