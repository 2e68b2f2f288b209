// SPDX-License-Identifier: MIT
/* Splitting a mapping into hundreds of mappings and merging them changes no total but DATA. */
#include <rssck/case.h>

enum { PAGES = 512, REGION = 0 };
STEP_SYMBOLS(WRITE, SPLIT, MERGE);

static void split(struct workload *w)
{
	char *p = w->slot[REGION];

	for (size_t i = 1; i < PAGES; i += 2)
		workload_protect(w, p + i * w->page_size, w->page_size, PROT_READ);
}

static void judge_mapping(const struct trial *t, struct judgement *j, unsigned step,
			  int64_t expected, const char *rule)
{
	const struct snapshot *s = trial_snapshot(t, step, 0);
	uint64_t start = (uint64_t)trial_reported(t, WRITE, "address");
	uint64_t end = start + PAGES * (uint64_t)t->host->page_size;
	int64_t nr = 0;

	for (size_t i = 0; s && i < s->nr_maps; i++)
		nr += s->maps[i].start < end && s->maps[i].end > start;
	judge_equal_in(j, "mappings", step, "mappings", nr, expected, rule);
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_mapping(t, j, WRITE, 1, "the region is one mapping");
	judge_mapping(t, j, SPLIT, PAGES, "each page has its own mapping");
	judge_mapping(t, j, MERGE, 1, "the region is one mapping again");
}

CASE(virtual_merge_split) {
	.claim =
		"Splitting a mapping into 512 mappings and merging them again changes no total but DATA, which excludes the pages that are read-only meanwhile",
	.because = "vma_modify_flags() splits and merges mappings. The totals count pages, not "
		   "mappings.",
	.said_by = SAID_BY("mprotect(2)"),
	.steps = STEPS(STEP_AS(WRITE, "write", step_map, ALL_WRITTEN(PAGES), .report = "address"),
		       STEP_AS(SPLIT, "split", split, MOVES(DATA_TO_OTHER(PAGES / 2))),
		       STEP_AS(MERGE, "merge", step_protect, .pages = PAGES,
			       .prot = PROT_READ | PROT_WRITE, MOVES(DATA_TO_OTHER(-(PAGES / 2))))),
	.judge = judge,
};
