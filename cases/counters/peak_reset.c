// SPDX-License-Identifier: MIT
/* Writing 5 to clear_refs resets VmHWM to the current RSS. */
#include <rssck/case.h>

/* PAGES is usually more than twice the peak that ru_maxrss keeps from the observer before exec. */
enum { PAGES = 12288 };
STEP_SYMBOLS(UNMAP, CLEAR_REFS_5);

static void judge_maxrss(const struct trial *t, struct judgement *j)
{
	int64_t peak_kb = PAGES * t->host->page_size / 1024;
	struct rusage own;

	if (getrusage(RUSAGE_SELF, &own) == 0 && own.ru_maxrss < peak_kb / 2)
		judge_yes_no(j, "peak_reset.ru_maxrss_keeps_the_peak", t->maxrss_kb >= peak_kb / 2);
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_true(j, UNMAP,
		   trial_pages(t, UNMAP, 0, METRIC_STATUS_VMHWM) >=
			   trial_pages(t, UNMAP, 0, METRIC_STATUS_VMRSS) + PAGES / 2,
		   "VmHWM still counts unmapped memory");
	judge_equal(j, CLEAR_REFS_5, "status.VmHWM",
		    trial_pages(t, CLEAR_REFS_5, 0, METRIC_STATUS_VMHWM),
		    trial_pages(t, CLEAR_REFS_5, 0, METRIC_STATUS_VMRSS),
		    "clear_refs 5 resets VmHWM to the current RSS");
	judge_maxrss(t, j);
}

CASE(counters_peak_reset) {
	.claim =
		"Writing 5 to clear_refs resets VmHWM to the current RSS; ru_maxrss loses the peak of this program, too, but keeps that of programs before exec",
	.because = "reset_mm_hiwater_rss() stores the current count in hiwater_rss. When the "
		   "process ends, ru_maxrss is computed from hiwater_rss, so ru_maxrss loses the "
		   "peak, too.",
	.said_by = SAID_BY("proc_pid_clear_refs(5)", "Documentation/filesystems/proc.rst"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP("write", step_map, ALL_WRITTEN(PAGES)),
		       STEP_AS(UNMAP, "unmap", step_unmap, .pages = PAGES,
			       MOVES(VIRT_DATA(-PAGES), ANON_WRITE(-PAGES))),
		       STEP_AS(CLEAR_REFS_5, "clear_refs 5", step_clear_refs, .refs = '5',
			       .flags = STEP_UNSETTLED)),
	.facts = FACTS(FACT("peak_reset.ru_maxrss_keeps_the_peak",
			    "Does ru_maxrss keep the peak when clear_refs resets VmHWM?",
			    "yes|no")),
	.judge = judge,
};
