// SPDX-License-Identifier: MIT
/*
 * Reading a private file mapping makes its pages RssFile and SHR, even if no other process maps
 * them.
 */
#include <rssck/case.h>

enum { PAGES = 256 };
STEP_SYMBOLS(READ_ALL);

/* Allows for the vdso, whose Pss changes when other processes start or end. */
static void judge(const struct trial *t, struct judgement *j)
{
	const struct snapshot *s = trial_snapshot(t, STEP_BASELINE, 0);
	int64_t vdso = 0;

	for (size_t i = 0; s && i < s->nr_maps; i++)
		if (!strncmp(s->maps[i].name, "[v", 2))
			vdso += mapping_smaps(&s->maps[i], METRIC_SMAPS_RSS) * 1024 /
				t->host->page_size;
	judge_moved(j, READ_ALL, METRIC_ROLLUP_PSS_FILE,
		    trial_moved(t, STEP_BASELINE, READ_ALL, 0, METRIC_ROLLUP_PSS_FILE), PAGES,
		    vdso + 1,
		    "Pss_File = the file pages, each divided by the processes that map it");
}

CASE(file_private_read) {
	.claim = "Reading a private file mapping makes its pages RssFile; SHR counts them even "
		 "if no other process maps them",
	.because = "The process maps the page cache's own pages, read-only. SHR counts every "
		   "page that is not anonymous, even if only one process maps it. smaps shows "
		   "the difference: the pages are Private_Clean.",
	.said_by = SAID_BY("Memory part 2: Understanding Process memory", "top(1), SHR"),
	.steps = STEPS(STEP("map", step_map_file, .pages = PAGES, .prot = PROT_READ,
			    MOVES(VIRT_OTHER(PAGES))),
		       STEP_AS(READ_ALL, "read all", step_read, .pages = PAGES,
			       MOVES(FILE_READ(PAGES))),
		       STEP("unmap half", step_unmap, .pages = PAGES / 2,
			    MOVES(VIRT_OTHER(-(PAGES / 2)), FILE_READ(-(PAGES / 2))))),
	.moves = METRICS(METRIC_ROLLUP_PSS_FILE),
	.judge = judge,
};
