// SPDX-License-Identifier: MIT
/* Splitting a mapping into hundreds and merging them again moves no total. */
#include <rssck/case.h>

enum { PAGES = 512, REGION = 0 };

static void map_and_write(struct workload *w)
{
	w->slot[REGION] = workload_written(w, PAGES);
	workload_tell(w, "address", (int64_t)(uintptr_t)w->slot[REGION]);
}

static void protect(struct workload *w, size_t first, size_t pages, int prot)
{
	char *p = (char *)w->slot[REGION] + first * w->page_size;

	workload_must(w, mprotect(p, pages * w->page_size, prot), "mprotect");
}

static void split(struct workload *w)
{
	for (size_t i = 1; i < PAGES; i += 2)
		protect(w, i, 1, PROT_READ);
}

static void merge(struct workload *w)
{
	protect(w, 0, PAGES, PROT_READ | PROT_WRITE);
}

static void judge_mapping(const struct trial *t, struct judgement *j, const char *step,
			  int64_t expected, const char *rule)
{
	const struct snapshot *s = trial_snapshot(t, step, 0);
	uint64_t start = (uint64_t)trial_told(t, "write", "address", 0);
	uint64_t end = start + PAGES * (uint64_t)t->host->page_size;
	int64_t nr = 0;

	for (size_t i = 0; s && i < s->nr_maps; i++)
		nr += s->maps[i].start < end && s->maps[i].end > start;
	judge_equal(j, step, "mappings", nr, expected, rule);
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_mapping(t, j, "write", 1, "one mapping");
	judge_mapping(t, j, "split", PAGES, "a mapping for each page");
	judge_mapping(t, j, "merge", 1, "one mapping again");
}

CASE(virtual_merge_split) {
	.claim = "A mapping split into 512 and merged again has the same totals",
	.because = "vma_modify_flags() splits and merges; the totals change by pages only, not by "
		   "mappings.",
	.said_by = SAID_BY("mprotect(2)"),
	.steps = STEPS(STEP("write", map_and_write, MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		       STEP("split", split, MOVES(VIRT_DATA(-(PAGES / 2)), VIRT_OTHER(PAGES / 2))),
		       STEP("merge", merge, MOVES(VIRT_OTHER(-(PAGES / 2)), VIRT_DATA(PAGES / 2)))),
	.judge = judge,
};
