// SPDX-License-Identifier: MIT
/* Each number is reported in its own unit, in every format, and in old records. */
#include "judge/judge.h"
#include "report/report.h"
#include "tests/support/made_up.h"
#include "tests/support/test.h"

TEST(a_metric_that_counts_names_its_unit)
{
	for (enum metric_id id = 0; id < METRIC_COUNT; id++)
		assert_int_equal(metric(id)->unit == UNIT_COUNT, metric(id)->counts != NULL);
	assert_string_equal(metric_noun("stat.minflt"), "faults");
	assert_string_equal(metric_noun("oom_score"), "points");
	assert_string_equal(metric_noun("status.VmRSS"), "pages");
	assert_string_equal(metric_noun("sum of Pss"), "pages");
	assert_string_equal(metric_noun("smaps.ProtectionKey"), "");
}

static void assert_unit(const struct judgement *j, size_t i, const char *unit)
{
	assert_string_equal(j->discrepancies[i].unit, unit);
}

TEST(a_claim_is_in_pages_by_default)
{
	OWNED(judgement_free) struct judgement j = { .failed = false };

	judge_equal(&j, 0, "status.VmRSS", 1, 2, "");
	judge_equal(&j, 0, "stat.majflt", 1, 2, "");
	judge_equal_in(&j, "mappings", 0, "mappings", 1, 2, "");
	judge_equal_in(&j, "", 0, "inode", 1, 2, "");
	judge_within(&j, 0, 0, "status.VmHWM", 1, 9, 2, "");
	judge_moved(&j, 0, METRIC_STAT_MINFLT, 1, 9, 0, "");
	judge_true(&j, 0, false, "the sun shines");
	assert_unit(&j, 0, "pages");
	assert_unit(&j, 1, "faults");
	assert_unit(&j, 2, "mappings");
	assert_unit(&j, 3, "");
	assert_unit(&j, 4, "pages");
	assert_unit(&j, 5, "faults");
	assert_unit(&j, 6, "");
}

static struct results with_units(void)
{
	struct results r = made_up_results();
	struct result *c = made_up_case(&r, "a/b", VERDICT_FAIL, "");

	made_up_discrepancy(c, "step", "stat.minflt", 1, 2, 0);
	strncpy(made_up_discrepancy(c, "step", "inode", 1, 2, 0)->unit, "", 16);
	strncpy(made_up_discrepancy(c, "step", "threads there", 1, 2, 0)->unit, "threads", 16);
	return r;
}

static int text(const struct results *r, FILE *out)
{
	return report_case(&r->of[0], r, out, false);
}

static void expect(int (*write)(const struct results *r, FILE *out), const char *const words[3])
{
	OWNED(results_free) struct results r = with_units();
	char *out = written(write, &r);

	for (int i = 0; i < 3; i++)
		if (!strstr(out, words[i]))
			fail_msg("no '%s' in\n%s", words[i], out);
}

TEST(every_report_prints_the_unit)
{
	static const char *const in_text[] = { "stat.minflt says 1, should be 2 faults: off",
					       "inode says 1, should be 2: off",
					       "threads there says 1, should be 2 threads: off" };
	static const char *const in_words[] = { "stat.minflt says 1 faults, should be 2: off",
						"inode says 1, should be 2: off",
						"threads there says 1 threads, should be 2: off" };
	static const char *const in_json[] = { "\"unit\": \"faults\"", "\"unit\": \"\"",
					       "\"unit\": \"threads\"" };

	expect(text, in_text);
	expect(report_ktap, in_words);
	expect(report_junit, in_words);
	expect(report_json, in_json);
}

/* Up to 0.1.0 all numbers that were not in kB were called pages. */
TEST(old_records_are_read_in_the_right_units)
{
	OWNED(results_free) struct results r = with_units(), back;

	for (size_t i = 0; i < 3; i++)
		strncpy(r.of[0].discrepancies[i].unit, "pages", 16);
	back = read_back(&r);
	assert_string_equal(back.of[0].discrepancies[0].unit, "faults");
	assert_string_equal(back.of[0].discrepancies[2].unit, "pages");
}
