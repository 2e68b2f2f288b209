// SPDX-License-Identifier: MIT
/*
 * mlockall(MCL_CURRENT) locks the program's mappings, but not the kernel's own, and makes them
 * resident; munlockall leaves them resident.
 */
#include <rssck/case.h>

enum { PAGES = 64 };
STEP_SYMBOLS(MAP, LOCK_CURRENT, MUNLOCKALL);

static void lock_current(struct workload *w)
{
	if (mlockall(MCL_CURRENT) < 0)
		workload_skip(w, "an RLIMIT_MEMLOCK as large as all mappings (mlockall: %m)");
}

/* Returns the resident pages of the kernel's mappings ([vdso], [vvar] ...) or of all others. */
static int64_t resident(const struct trial *t, unsigned step, bool kernels_own)
{
	const struct snapshot *s = trial_snapshot(t, step, 0);
	int64_t kb = 0;

	for (size_t i = 0; s && i < s->nr_maps; i++)
		if (!strncmp(s->maps[i].name, "[v", 2) == kernels_own)
			kb += mapping_smaps(&s->maps[i], METRIC_SMAPS_RSS);
	return kb * 1024 / t->host->page_size;
}

static void judge(const struct trial *t, struct judgement *j)
{
	const struct snapshot *s = trial_snapshot(t, LOCK_CURRENT, 0);

	for (size_t i = 0; s && i < s->nr_maps; i++)
		if (s->maps[i].flags[0])
			judge_equal_in(j, "", LOCK_CURRENT, s->maps[i].name,
				       mapping_has_flag(&s->maps[i], "lo"),
				       strncmp(s->maps[i].name, "[v", 2) != 0,
				       "mlockall() locks every mapping except the kernel's own");
	judge_equal(j, LOCK_CURRENT, "Rss of the program's mappings",
		    resident(t, LOCK_CURRENT, false), resident(t, MAP, false) + PAGES,
		    "mlockall() makes only the untouched mapping resident; the other mappings "
		    "already are");
	judge_yes_no(j, "mlockall.populates_the_vvar",
		     resident(t, LOCK_CURRENT, true) > resident(t, MAP, true));
	judge_equal_in(j, "kB", MUNLOCKALL, "status.VmLck",
		       trial_value(t, MUNLOCKALL, 0, METRIC_STATUS_VMLCK), 0,
		       "after munlockall() no memory is locked");
	judge_equal(j, MUNLOCKALL, "Rss of the program's mappings", resident(t, MUNLOCKALL, false),
		    resident(t, LOCK_CURRENT, false), "munlockall() leaves the pages resident");
}

CASE(anonymous_mlockall_current) {
	.claim =
		"mlockall(MCL_CURRENT) locks the program's anonymous and file mappings, but not the kernel's own ([vdso], [vvar]), and makes untouched memory resident; munlockall leaves the pages in RES",
	.because = "mlock_fixup() skips VM_SPECIAL, hugetlb and DAX mappings. mm_populate() walks "
		   "all mappings except those with VM_IO or VM_PFNMAP. [vvar] is VM_MIXEDMAP on "
		   "7.3, so it becomes resident there without being locked.",
	.said_by = SAID_BY("mlockall(2)"),
	.flags = CASE_KEEPS_MEMORY,
	.steps = STEPS(STEP_AS(MAP, "map", step_map, .pages = PAGES, MOVES(VIRT_DATA(PAGES))),
		       STEP_AS(LOCK_CURRENT, "MCL_CURRENT", lock_current, .flags = STEP_ANY_PAGES),
		       STEP_AS(MUNLOCKALL, "munlockall", step_unlock_all, .flags = STEP_ANY_PAGES)),
	.facts = FACTS(FACT("mlockall.populates_the_vvar", "Does mlockall() populate [vvar]?",
			    "yes|no")),
	.judge = judge,
};
