// SPDX-License-Identifier: MIT
/* libproc2: one library, four files, four numbers for "resident". */
#include "apart.h"
#include <rssck/judge.h>
#include <stdlib.h>
#include <string.h>

static const char *text_of(const struct tool_reading *r, const char *column)
{
	const struct tool_value *v = tool_value(&r->values, column);

	return v ? v->text : "";
}

/* PIDS_RSS is in pages, the others in kB: as numbers. */
static void judge(const struct trial *t, struct judgement *j)
{
	for (size_t i = 0; i < t->nr_moments; i++) {
		const struct moment *m = &t->moments[i];

		if (m->nr_readings == 0 || strcmp(m->name, "hold back"))
			continue;
		int64_t stat = strtoll(text_of(m->readings, "PIDS_RSS"), NULL, 10) *
			       (t->host->page_size / 1024);
		int64_t statm = strtoll(text_of(m->readings, "PIDS_MEM_RES"), NULL, 10);
		int64_t walked = strtoll(text_of(m->readings, "PIDS_SMAP_RSS"), NULL, 10);

		judge_fact(j, "libproc2.PIDS_RSS_is_PIDS_MEM_RES", "%s",
			   stat == statm ? "yes" : "no");
		judge_fact(j, "libproc2.PIDS_MEM_RES_is_PIDS_SMAP_RSS", "%s",
			   statm == walked ? "yes" : "no");
	}
}

CASE(tools_libproc2) {
	.claim =
		"libproc2 reads a process's resident memory from four files: PIDS_RSS from stat, "
		"PIDS_MEM_RES from statm, PIDS_VM_RSS from status, PIDS_SMAP_RSS from smaps_rollup",
	.because = "Each item names the file that it is read from, and the kernel counts for one "
		   "file otherwise than for another.",
	.said_by = SAID_BY("procps_pids(3)", "libproc2/pids.h"),
	.tools = TOOLS("libproc2"),
	APART,
	.facts = FACTS(FACT("libproc2.PIDS_RSS_is_PIDS_MEM_RES", "yes|no"),
		       FACT("libproc2.PIDS_MEM_RES_is_PIDS_SMAP_RSS", "yes|no")),
	.judge = judge,
};
