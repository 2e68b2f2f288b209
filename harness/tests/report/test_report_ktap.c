// SPDX-License-Identifier: MIT
/* KTAP: every line fits the grammar, and each verdict has its line. */
#include "tests/support/made_up.h"
#include "tests/support/test.h"
#include <regex.h>

static bool matches(const char *pattern, const char *line)
{
	regex_t r;
	bool found;

	assert_int_equal(regcomp(&r, pattern, REG_EXTENDED | REG_NOSUB), 0);
	found = !regexec(&r, line, 0, NULL, 0);
	regfree(&r);
	return found;
}

/* Reads a report as a test harness does. Returns the number of its results. */
static unsigned read_ktap(char *text, unsigned *not_ok, unsigned *skipped)
{
	char *rest = text, *line = strsep(&rest, "\n");
	unsigned plan = 0, results = 0, number;

	*not_ok = *skipped = 0;
	assert_string_equal(line, "KTAP version 1");
	assert_int_equal(sscanf(strsep(&rest, "\n"), "1..%u", &plan), 1);
	while ((line = strsep(&rest, "\n")) && (rest || *line)) {
		if (matches("^# ", line))
			continue;
		if (!matches("^(not )?ok [0-9]+ [^ #]+( # SKIP .*)?$", line))
			fail_msg("no line of KTAP: '%s'", line);
		*not_ok += line[0] == 'n';
		*skipped += strstr(line, " # SKIP") != NULL;
		sscanf(strpbrk(line, "0123456789"), "%u", &number);
		assert_int_equal(number, ++results);
	}
	assert_int_equal(results, plan);
	return results;
}

TEST(each_verdict_has_its_line)
{
	OWNED(results_free) struct results r = made_up_four();
	char *text = written(report_ktap, &r);
	unsigned not_ok, skipped;

	assert_says(text, "\nok 1 anonymous/zero_page\n");
	assert_says(text, "\nnot ok 2 file/private_write\n");
	assert_says(text, "\nok 3 swap/out # SKIP swap: there is none\n");
	assert_says(text, "\nnot ok 4 fork/many\n");
	assert_int_equal(read_ktap(text, &not_ok, &skipped), 4);
	assert_int_equal(not_ok, 2);
	assert_int_equal(skipped, 1);
}

TEST(only_failing_discrepancies_are_printed_with_both_numbers)
{
	OWNED(results_free) struct results r = made_up_four();
	char *text = written(report_ktap, &r);

	assert_says(text, "# the numbers differ\n");
	assert_says(text, "# write half: status.RssAnon says 127 pages, should be 128: off by -1");
	assert_says_not(text, "stat.rss");
}

TEST(no_string_can_forge_a_result)
{
	OWNED(results_free) struct results r = made_up_results();
	unsigned not_ok, skipped;
	struct result *c = made_up_case(&r, hostile, VERDICT_FAIL, hostile);
	char *text;

	made_up_discrepancy(c, hostile, hostile, 1, 2, 0);
	made_up_case(&r, "a b#c", VERDICT_SKIP, hostile);
	made_up_case(&r, "\nok 7 x", VERDICT_PASS, "");
	text = written(report_ktap, &r);
	assert_int_equal(read_ktap(text, &not_ok, &skipped), 3);
	assert_int_equal(not_ok, 1);
	assert_int_equal(skipped, 1);
}

TEST(without_cases_the_plan_is_1_to_0)
{
	OWNED(results_free) struct results r = made_up_results();
	char *text = written(report_ktap, &r);

	assert_says(text, "\n1..0\n");
}
