// SPDX-License-Identifier: MIT
/*
 * khugepaged raises min_free_kbytes when it starts, so that free blocks of the size of huge pages
 * remain. The setting falls again when khugepaged stops (before 5.13 it stayed).
 */
#include "kernel_thread.h"

STEP_SYMBOLS(START_AND_STOP);

#define ENABLED  "/sys/kernel/mm/transparent_hugepage/enabled"
#define MIN_FREE "/proc/sys/vm/min_free_kbytes"

/* Less than the kernel computes without huge pages, even for a machine with little memory. */
enum { LITTLE_KB = 500, PATIENCE_S = 2 };

static int64_t min_free_with(struct workload *w, const char *enabled)
{
	workload_set(w, ENABLED, enabled);
	return workload_number(MIN_FREE, NULL, -1);
}

/*
 * khugepaged starts and stops in the write of the setting, which also changes min_free_kbytes. A
 * thread that has stopped stays in /proc for a moment.
 */
static void start_and_stop(struct workload *w)
{
	struct patience patience = { .seconds = PATIENCE_S };
	char enabled[64] = "", *at;
	int64_t before = workload_number(MIN_FREE, NULL, -1);

	workload_read_text(ENABLED, enabled, sizeof(enabled));
	at = strchr(enabled, '[');
	if (!at || before < 0)
		workload_skip(w, "transparent huge pages and min_free_kbytes");
	at[strcspn(at, "]")] = '\0';
	workload_set(w, ENABLED, "never");
	workload_set_number(w, MIN_FREE, LITTLE_KB);
	workload_report(w, "set", workload_number(MIN_FREE, NULL, -1));
	workload_report(w, "started", min_free_with(w, "always"));
	workload_report(w, "stopped", min_free_with(w, "never"));
	while (has_kernel_thread("khugepaged") && workload_pause(&patience))
		;
	workload_report(w, "runs", has_kernel_thread("khugepaged"));
	workload_set(w, ENABLED, at + 1);
	workload_set_number(w, MIN_FREE, before);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t started = trial_reported(t, START_AND_STOP, "started");
	int64_t stopped = trial_reported(t, START_AND_STOP, "stopped");
	bool runs = trial_reported(t, START_AND_STOP, "runs");

	judge_reported_in(t, j, "kB", START_AND_STOP, "set", "min_free_kbytes", LITTLE_KB,
			  "min_free_kbytes is what was written while khugepaged did not change it");
	if (started == LITTLE_KB)
		return judge_skip(j, "a machine on which khugepaged raises min_free_kbytes");
	judge_true(j, START_AND_STOP, started > LITTLE_KB && stopped > LITTLE_KB,
		   "min_free_kbytes is at least what the kernel computes");
	judge_fact(j, "khugepaged.when_huge_pages_are_disabled", "%s", runs ? "runs" : "stops");
	if (runs)
		return;
	judge_fact(j, "min_free_kbytes.when_khugepaged_stops", "%s",
		   stopped < started ? "falls" : "stays");
}

CASE(machine_min_free_by_thp) {
	.claim =
		"min_free_kbytes rises when transparent huge pages are enabled, and falls when khugepaged stops because they are disabled; since 7.2 khugepaged goes on running",
	.because = "start_stop_khugepaged() calls set_recommended_min_free_kbytes(), which raises "
		   "min_free_kbytes; since bd3400ea173f it computes the usual value when "
		   "khugepaged stops. The watermarks and MemAvailable follow.",
	.said_by = SAID_BY("Documentation/admin-guide/sysctl/vm.rst, min_free_kbytes",
			   "commit bd3400ea173f"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_THP | CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(START_AND_STOP, "start and stop khugepaged", start_and_stop)),
	.facts = FACTS(
		FACT("min_free_kbytes.when_khugepaged_stops",
		     "The free memory that the kernel keeps in reserve, when khugepaged stops",
		     "falls|stays"),
		FACT("khugepaged.when_huge_pages_are_disabled",
		     "khugepaged, when transparent huge pages are disabled", "stops|runs")),
	.judge = judge,
};
