// SPDX-License-Identifier: MIT
/* libproc2 reads "resident" from four files, which may show different numbers. */
#include "apart.h"

static int64_t shown(const struct trial *t, const char *item)
{
	return strtoll(trial_shown(t, HOLD_BACK, "libproc2", item), NULL, 10);
}

static void judge(const struct trial *t, struct judgement *j)
{
	/* PIDS_RSS is in pages, the other items in kB. */
	int64_t stat = shown(t, "PIDS_RSS") * t->host->page_size / 1024;

	judge_yes_no(j, "libproc2.PIDS_RSS_is_PIDS_MEM_RES", stat == shown(t, "PIDS_MEM_RES"));
	judge_yes_no(j, "libproc2.PIDS_MEM_RES_is_PIDS_SMAP_RSS",
		     shown(t, "PIDS_MEM_RES") == shown(t, "PIDS_SMAP_RSS"));
}

CASE(tools_libproc2) {
	.claim = "libproc2 reads a process's resident memory from four files: PIDS_RSS from "
		 "stat, PIDS_MEM_RES from statm, PIDS_VM_RSS from status, PIDS_SMAP_RSS from "
		 "smaps_rollup",
	.because = "Each item is read from its own file, and the kernel does not compute the "
		   "number in the same way for all four.",
	.said_by = SAID_BY("procps_pids(3)", "libproc2/pids.h"),
	.tools = TOOLS("libproc2"),
	APART,
	.facts = FACTS(FACT("libproc2.PIDS_RSS_is_PIDS_MEM_RES",
			    "Does libproc2's PIDS_RSS equal its PIDS_MEM_RES?", "yes|no"),
		       FACT("libproc2.PIDS_MEM_RES_is_PIDS_SMAP_RSS",
			    "Does libproc2's PIDS_MEM_RES equal its PIDS_SMAP_RSS?", "yes|no")),
	.judge = judge,
};
