// SPDX-License-Identifier: MIT
/* libproc2: one library, four files, four numbers for "resident". */
#include "apart.h"

static int64_t shown(const struct trial *t, const char *item)
{
	return strtoll(trial_shown(t, HOLD_BACK, "libproc2", item), NULL, 10);
}

static void judge(const struct trial *t, struct judgement *j)
{
	/* libproc2 reports this number in pages. */
	int64_t stat = shown(t, "PIDS_RSS") * t->host->page_size / 1024;

	judge_fact(j, "libproc2.PIDS_RSS_is_PIDS_MEM_RES", "%s",
		   stat == shown(t, "PIDS_MEM_RES") ? "yes" : "no");
	judge_fact(j, "libproc2.PIDS_MEM_RES_is_PIDS_SMAP_RSS", "%s",
		   shown(t, "PIDS_MEM_RES") == shown(t, "PIDS_SMAP_RSS") ? "yes" : "no");
}

CASE(tools_libproc2) {
	.claim = "libproc2 reads a process's resident memory from four files: PIDS_RSS from "
		 "stat, PIDS_MEM_RES from statm, PIDS_VM_RSS from status, PIDS_SMAP_RSS from "
		 "smaps_rollup",
	.because = "Each item names the file that it is read from, and the kernel does not count "
		   "in the same way for each file.",
	.said_by = SAID_BY("procps_pids(3)", "libproc2/pids.h"),
	.tools = TOOLS("libproc2"),
	APART,
	.facts = FACTS(FACT("libproc2.PIDS_RSS_is_PIDS_MEM_RES",
			    "Is libproc2's PIDS_RSS its PIDS_MEM_RES?", "yes|no"),
		       FACT("libproc2.PIDS_MEM_RES_is_PIDS_SMAP_RSS",
			    "Is libproc2's PIDS_MEM_RES its PIDS_SMAP_RSS?", "yes|no")),
	.judge = judge,
};
