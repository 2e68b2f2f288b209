// SPDX-License-Identifier: MIT
/* Unmapping the middle splits a mapping; each number falls by exactly the unmapped pages. */
#include <rssck/case.h>

enum { PAGES = 256, HOLES = 32, REGION = 0 };
STEP_SYMBOLS(WRITE_HALF, PUNCH_HOLES);

static void punch(struct workload *w)
{
	for (size_t i = 0; i < HOLES; i++)
		munmap((char *)w->slot[REGION] + (2 * i + 1) * w->page_size, w->page_size);
}

static void judge(const struct trial *t, struct judgement *j)
{
	const struct snapshot *s = trial_snapshot(t, PUNCH_HOLES, 0);
	uint64_t start = (uint64_t)trial_reported(t, WRITE_HALF, "address");
	int64_t pieces = 0;

	for (size_t i = 0; s && i < s->nr_maps; i++)
		pieces += s->maps[i].start >= start &&
			  s->maps[i].end <= start + 2 * HOLES * (uint64_t)t->host->page_size;
	judge_equal_in(j, "mappings", PUNCH_HOLES, "mappings", pieces, HOLES,
		       "each remaining page has its own mapping");
}

CASE(anonymous_partial_unmap) {
	.claim =
		"Unmapping a part of a mapping subtracts exactly that part's address space from VIRT and its resident pages from RES",
	.because = "munmap(2) splits the mapping at the ends of the range and zaps the pages in "
		   "between. One call may unmap a range that spans several mappings and holes.",
	.said_by = SAID_BY("munmap(2)"),
	.steps = STEPS(STEP_AS(WRITE_HALF, "write half", step_map, .pages = PAGES,
			       .written = PAGES / 2, .report = "address",
			       MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES / 2))),
		       STEP("unmap the middle", step_unmap, .first = PAGES / 2 - HOLES,
			    .pages = 2 * HOLES, MOVES(VIRT_DATA(-2 * HOLES), ANON_WRITE(-HOLES))),
		       STEP_AS(PUNCH_HOLES, "punch holes", punch,
			       MOVES(VIRT_DATA(-HOLES), ANON_WRITE(-HOLES))),
		       STEP("unmap what is resident", step_unmap, .pages = PAGES / 2,
			    MOVES(VIRT_DATA(-(PAGES / 2 - 2 * HOLES)),
				  ANON_WRITE(-(PAGES / 2 - 2 * HOLES))))),
	.judge = judge,
};
