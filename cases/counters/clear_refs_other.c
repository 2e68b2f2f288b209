// SPDX-License-Identifier: MIT
/* clear_refs refuses unknown values and resets nothing for them. */
#include <rssck/case.h>

enum { PAGES = 64 };
STEP_SYMBOLS(WRITE, WRITE_OTHERS);

static void write_others(struct workload *w)
{
	static const char *const values[] = { "0", "6", "255", "-1", "all" };
	int fd = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC), taken = 0;

	if (fd < 0)
		workload_skip(w, "clear_refs: %m");
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		if (write(fd, values[i], strlen(values[i])) >= 0)
			taken++;
		else if (errno != EINVAL)
			workload_fail(w,
				      "writing '%s' to clear_refs failed with: %m (expected: "
				      "EINVAL)",
				      values[i]);
	}
	close(fd);
	workload_report(w, "taken", taken);
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const enum metric_id ids[] = {
		METRIC_SMAPS_REFERENCED,
		METRIC_PAGEMAP_SOFT_DIRTY,
		METRIC_STATUS_VMHWM,
		METRIC_STATUS_VMPEAK,
	};

	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
		judge_equal(j, WRITE_OTHERS, metric(ids[i])->name,
			    trial_pages(t, WRITE_OTHERS, 0, ids[i]),
			    trial_pages(t, WRITE, 0, ids[i]), "an unknown value resets nothing");
	judge_fact(j, "clear_refs.other_values_are", "%s",
		   trial_reported(t, WRITE_OTHERS, "taken") ? "taken" : "refused");
}

CASE(counters_clear_refs_other) {
	.claim = "Writing a value other than 1 to 5 to clear_refs fails with EINVAL and resets "
		 "nothing",
	.because =
		"clear_refs_write() refuses values below CLEAR_REFS_ALL, and values of CLEAR_REFS_LAST or above, before it looks up the process.",
	.said_by = SAID_BY("proc_pid_clear_refs(5)", "Documentation/filesystems/proc.rst"),
	.steps = STEPS(
		STEP_AS(WRITE, "write", step_map, ALL_WRITTEN(PAGES), .flags = STEP_UNSETTLED),
		STEP_AS(WRITE_OTHERS, "write other values", write_others, .flags = STEP_UNSETTLED)),
	.facts = FACTS(FACT("clear_refs.other_values_are",
			    "Values that clear_refs does not know are", "refused")),
	.judge = judge,
};
