// SPDX-License-Identifier: MIT
/*
 * compare: a change is a difference that the models of neither side allow; every other difference
 * is noise.
 */
#include "compare/compare.h"
#include "tests/support/json.h"
#include "tests/support/made_up.h"
#include "tests/support/test.h"

static struct pair {
	struct results before, after;
} p;

FIXTURE(begin)
{
	p = (struct pair) { made_up_results(), made_up_results() };
	return 0;
}

FIXTURE(end)
{
	results_free(&p.before);
	results_free(&p.after);
	return 0;
}

static void both(const char *id, enum verdict before, enum verdict after, const char *reason)
{
	made_up_case(&p.before, id, before, "");
	made_up_case(&p.after, id, after, reason);
}

/*
 * Compares, and expects this many changes and this many differences due to CPUs. The caller frees
 * the text.
 */
static char *compared(size_t changed, size_t by_cpus)
{
	OWNED(comparison_free) struct comparison c;
	char why[256], *text;
	FILE *out = printing();

	if (compare(&c, &p.before, &p.after, why, sizeof(why)))
		fail_msg("%s", why);
	assert_int_equal(comparison_text(&c, out), 0);
	text = printed(out);
	if (c.changed != changed || c.nr - c.changed != by_cpus)
		fail_msg("%zu changes and %zu by CPUs, not %zu and %zu:\n%s", c.changed,
			 c.nr - c.changed, changed, by_cpus, text);
	return text;
}

/* Expects `line` in the text. "\n" is in every text. */
static void expect(size_t changed, size_t by_cpus, const char *line)
{
	assert_says(compared(changed, by_cpus), line);
}

/* Makes one case with a discrepancy of stat.rss on each side; 0 pages means no discrepancy. */
static void lags(enum model_kind before_kind, unsigned before_batch, int64_t before,
		 int64_t before_bound, enum model_kind after_kind, unsigned after_batch,
		 int64_t after, int64_t after_bound)
{
	end(NULL);
	begin(NULL);
	both("counters/x", VERDICT_PASS, VERDICT_PASS, "");
	p.before.models.of[METRIC_STAT_RSS] = (struct counter_model) { before_kind, before_batch };
	p.after.models.of[METRIC_STAT_RSS] = (struct counter_model) { after_kind, after_batch };
	if (before)
		made_up_discrepancy(p.before.of, "touch", "stat.rss", before + 1000, 1000,
				    before_bound);
	if (after)
		made_up_discrepancy(p.after.of, "touch", "stat.rss", after + 1000, 1000,
				    after_bound);
}

TEST(a_run_equals_itself)
{
	end(NULL);
	p = (struct pair) { made_up_four(), made_up_four() };
	expect(0, 0, "the same in 7 models, 4 verdicts, 2 facts");
}

/*
 * The numbers are off by more than the bound without a failure, because an older file lacks the
 * member for failures.
 */
TEST(a_discrepancy_equal_on_both_sides_is_no_change)
{
	both("file/x", VERDICT_PASS, VERDICT_PASS, "");
	made_up_discrepancy(p.before.of, "map", "smaps.Rss", 1, 2, 0)->fails = false;
	made_up_discrepancy(p.after.of, "map", "smaps.Rss", 1, 2, 0)->fails = false;
	expect(0, 0, "the same");
}

TEST(a_different_verdict_is_a_change)
{
	both("file/x", VERDICT_PASS, VERDICT_FAIL, "the numbers differ");
	expect(1, 0, "verdict  file/x  pass -> fail (the numbers differ)\n");
}

TEST(a_different_model_is_a_change)
{
	both("file/x", VERDICT_PASS, VERDICT_PASS, "");
	p.before.models.of[METRIC_STATM_RESIDENT] = (struct counter_model) { MODEL_PER_THREAD, 64 };
	expect(1, 0, "model    statm.resident  per-thread, batch 64 faults -> exact\n");
}

TEST(a_peak_that_became_exact_is_a_change)
{
	both("file/x", VERDICT_PASS, VERDICT_PASS, "");
	p.before.models.of[METRIC_STATUS_VMHWM] = (struct counter_model) { MODEL_PER_CPU, 32 };
	p.after.models.of[METRIC_STATUS_VMHWM] = (struct counter_model) { MODEL_EXACT, 0 };
	expect(1, 0, "model    status.VmHWM  per-CPU, batch 32, 2 CPUs -> exact\n");
}

/* Records of an older rssck lack the peak. */
TEST(a_peak_measured_on_one_side_only_is_no_change)
{
	both("file/x", VERDICT_PASS, VERDICT_PASS, "");
	p.before.models.of[METRIC_STATUS_VMHWM].kind = MODEL_ABSENT;
	p.after.models.of[METRIC_STATUS_VMHWM] = (struct counter_model) { MODEL_EXACT, 0 };
	expect(0, 0, "\n");
}

TEST(a_fact_that_restates_a_changed_model_is_not_repeated)
{
	lags(MODEL_PER_THREAD, 64, 0, 0, MODEL_EXACT, 0, 0, 0);
	made_up_fact(&p.before.of[0], "stat.rss.model", "per-thread");
	made_up_fact(&p.after.of[0], "stat.rss.model", "exact");
	/* The model of statm.resident is the same on both sides. */
	made_up_fact(&p.before.of[0], "statm.resident.model", "per-thread");
	made_up_fact(&p.after.of[0], "statm.resident.model", "exact");
	expect(2, 0, "fact     statm.resident.model");
}

TEST(a_different_batch_of_the_same_model_is_a_change)
{
	both("file/x", VERDICT_PASS, VERDICT_PASS, "");
	p.before.models.of[METRIC_STAT_RSS] = (struct counter_model) { MODEL_PER_CPU, 32 };
	p.after.models.of[METRIC_STAT_RSS] = (struct counter_model) { MODEL_PER_CPU, 1024 };
	expect(1, 0, "batch 32, 2 CPUs -> per-CPU, batch 1024");
}

TEST(a_changed_a_new_or_a_missing_fact_is_a_change)
{
	both("file/x", VERDICT_PASS, VERDICT_PASS, "");
	made_up_fact(p.before.of, "zero_page.counted_in_rss", "no");
	made_up_fact(p.after.of, "zero_page.counted_in_rss", "yes");
	made_up_fact(p.before.of, "gone", "1");
	made_up_fact(p.after.of, "new", "2");
	expect(3, 0, "zero_page.counted_in_rss  no -> yes  [file/x]\n");
	expect(3, 0, "1 -> absent");
	expect(3, 0, "absent -> 2");
}

TEST(the_facts_of_a_skipped_case_are_not_compared)
{
	both("file/x", VERDICT_PASS, VERDICT_SKIP, "root: not root");
	made_up_fact(p.before.of, "a", "b");
	expect(1, 0, "pass -> skip (root: not root)");
}

TEST(a_lag_within_the_same_model_is_noise)
{
	static const int64_t off[][2] = { { -1, 1 }, { -186, 186 }, { 0, -186 }, { 186, 0 } };

	for (size_t i = 0; i < sizeof(off) / sizeof(off[0]); i++) {
		lags(MODEL_PER_CPU, 32, off[i][0], 186, MODEL_PER_CPU, 32, off[i][1], 186);
		expect(0, 0, "the same");
	}
}

TEST(a_lag_that_the_new_model_forbids_is_a_change)
{
	lags(MODEL_PER_THREAD, 64, -5912, 6464, MODEL_EXACT, 0, 0, 0);
	expect(2, 0,
	       "counter  stat.rss  off by -5,912 pages after 'touch', of 6,464 allowed -> not off  "
	       "[counters/x]\n");
	lags(MODEL_PER_THREAD, 64, -5912, 6464, MODEL_PER_CPU, 32, -20, 186);
	expect(2, 0, "of 6,464 allowed -> off by -20 pages");
}

TEST(a_lag_that_both_models_allow_is_noise)
{
	lags(MODEL_PER_THREAD, 64, -50, 64, MODEL_PER_CPU, 32, -20, 186);
	expect(1, 0, "model    stat.rss");
}

TEST(a_lag_beyond_its_bound_is_a_change)
{
	lags(MODEL_PER_CPU, 32, -186, 186, MODEL_PER_CPU, 32, -187, 186);
	p.after.of[0].verdict = VERDICT_FAIL;
	expect(2, 0, "-> off by -187 pages");
}

TEST(a_failure_on_both_sides_is_no_change)
{
	both("file/x", VERDICT_FAIL, VERDICT_FAIL, "r");
	made_up_discrepancy(p.before.of, "map", "smaps.Rss", 1, 2, 0);
	made_up_discrepancy(p.after.of, "map", "smaps.Rss", 1, 3, 0);
	expect(0, 0, "the same");
}

TEST(a_metric_without_a_model_may_be_off_by_its_own_bound)
{
	both("scanners/x", VERDICT_PASS, VERDICT_PASS, "");
	made_up_discrepancy(p.before.of, "map", "smaps.LazyFree", 1, 31, 31);
	expect(0, 0, "the same");
}

TEST(several_steps_of_one_metric_are_one_line)
{
	lags(MODEL_PER_THREAD, 64, -10, 64, MODEL_EXACT, 0, 0, 0);
	made_up_discrepancy(&p.before.of[0], "more", "stat.rss", 940, 1000, 64);
	expect(2, 0, "off by -60 pages after 'more'");
}

static void on_32_cpus(void)
{
	lags(MODEL_PER_CPU, 32, -100, 186, MODEL_PER_CPU, 64, -3000, 6048);
	p.after.cpus = p.after.models.cpus = 32;
}

TEST(a_difference_due_to_the_number_of_cpus_is_no_change)
{
	on_32_cpus();
	made_up_fact(&p.before.of[0], "batch", "per-CPU, batch 32, 2 CPUs");
	made_up_fact(&p.after.of[0], "batch", "per-CPU, batch 64, 32 CPUs");
	expect(0, 3,
	       "Not counted as changes, because the number of CPUs explains them:\nmodel    stat.rss");
}

TEST(a_case_skipped_for_want_of_cpus_is_no_change)
{
	p.before.cpus = 1;
	missing_add(&made_up_case(&p.before, "counters/x", VERDICT_SKIP, "lacks one")->missing,
		    MISSING_CPUS, "a second CPU");
	made_up_case(&p.after, "counters/x", VERDICT_PASS, "");
	expect(0, 1, "\n");
}

TEST(a_batch_that_the_number_of_cpus_does_not_explain_is_a_change)
{
	on_32_cpus();
	p.after.models.of[METRIC_STAT_RSS].batch = 128;
	expect(2, 0, "batch 128");
}

TEST(only_numbers_that_the_cpus_explain_are_ignored)
{
	assert_true(same_but_for_cpus("batch 32", 2, "batch 64", 32));
	assert_true(same_but_for_cpus("2 CPUs", 2, "32 CPUs", 32));
	assert_false(same_but_for_cpus("batch 32", 2, "batch 65", 32));
	assert_false(same_but_for_cpus("batch 32", 2, "batch 64", 2));
	assert_false(same_but_for_cpus("yes", 2, "no", 32));
	assert_false(same_but_for_cpus("32", 2, "64 pages", 32));
	assert_true(same_but_for_cpus("", 2, "", 32));
}

TEST(cases_on_one_side_only_are_mentioned_but_not_compared)
{
	both("file/x", VERDICT_PASS, VERDICT_PASS, "");
	made_up_case(&p.after, "file/new", VERDICT_FAIL, "");
	expect(0, 0, "1 case is in only one of the runs");
}

TEST(on_another_machine_only_a_failure_is_a_change)
{
	strcpy(p.after.machine, "aarch64");
	both("thp/x", VERDICT_PASS, VERDICT_PASS, "");
	made_up_fact(p.before.of, "x.is", "2 MiB");
	made_up_fact(p.after.of, "x.is", "32 MiB");
	both("thp/y", VERDICT_PASS, VERDICT_SKIP, "no soft-dirty");
	expect(0, 2, "Not counted as changes, because the machines differ:\n");
	expect(0, 2, "(x86_64, ");
	strcpy(p.after.machine, p.before.machine);
	expect(2, 0, "2 changes");
	strcpy(p.after.machine, "aarch64");
	both("thp/z", VERDICT_PASS, VERDICT_FAIL, "");
	expect(1, 2, "1 change in");
}

TEST(runs_with_nothing_in_common_cannot_be_compared)
{
	struct comparison c;
	char why[256];

	made_up_case(&p.before, "file/x", VERDICT_PASS, "");
	made_up_case(&p.after, "file/y", VERDICT_PASS, "");
	assert_int_equal(compare(&c, &p.before, &p.after, why, sizeof(why)), -1);
	assert_says(why, "no case in common");
	p.after.page_size = 65536;
	assert_int_equal(compare(&c, &p.before, &p.after, why, sizeof(why)), -1);
	assert_says(why, "65536");
}

TEST(the_json_of_a_comparison_has_every_change)
{
	OWNED(comparison_free) struct comparison c;
	char why[256];
	FILE *out = printing();

	lags(MODEL_PER_THREAD, 64, -5912, 6464, MODEL_EXACT, 0, 0, 0);
	snprintf(p.before.kernel_release, sizeof(p.before.kernel_release), "%s", hostile);
	assert_int_equal(compare(&c, &p.before, &p.after, why, sizeof(why)), 0);
	assert_int_equal(comparison_json(&c, out), 0);

	json_auto_t *root = json_read(printed(out));

	assert_string_equal(json_text(root, "schema"), "rssck-compare/1");
	assert_int_equal(json_length(root, "changes"), 2);
	assert_true(json_is_array(json_at(root, "depends_on_cpus")));
	assert_int_equal(json_length(root, "depends_on_cpus"), 0);
}

TEST(the_case_in_which_a_run_ended_early_is_no_change)
{
	char *text;

	both("a/b", VERDICT_PASS, VERDICT_PASS, "");
	both("c/d", VERDICT_PASS, VERDICT_ERROR, "the run ended here");
	strcpy(p.after.ended, "rssck was killed by signal 9 (Killed)");
	strcpy(p.after.ended_in, "c/d");
	text = compared(0, 0);
	assert_says(text, "1 case is in only one of the runs");
	assert_says(text, "The second run ended early, in c/d: rssck was killed by "
			  "signal 9 (Killed).\n");
}

TEST(a_known_bug_that_returns_is_printed_in_capitals)
{
	both("thp/split_by_protect", VERDICT_PASS, VERDICT_PASS, "");
	made_up_fact(p.before.of, "thp.written_page_after_mprotect_is", "dirty");
	made_up_fact(p.after.of, "thp.written_page_after_mprotect_is", "clean");
	expect(1, 0, "A KNOWN BUG APPEARED: a written huge page is clean");
	expect(1, 0, "The newer run shows 1 known bug that the older run does not show.\n");
	p = (struct pair) { p.after, p.before };
	expect(1, 0, "a known bug has disappeared: a written huge page is clean");
}

TESTS_EACH(begin, end);
