// SPDX-License-Identifier: MIT
/* A verdict that needed a second try is marked in every format, and counted. */
#include "cmd/check/check.h"
#include "tests/support/json.h"
#include "tests/support/made_up.h"
#include "tests/support/markup.h"
#include "tests/support/test.h"

static void tried(struct result *r, enum verdict v, const char *reason)
{
	struct try *t = &r->tries[r->nr_tries++];

	t->verdict = v;
	t->cpu = 1;
	snprintf(t->reason, sizeof(t->reason), "%s", reason);
}

/* Four cases. The tries of the first were fail, pass, pass; those of the second fail, fail. */
static struct results retried(const char *reason)
{
	struct results r = made_up_four();

	tried(&r.of[0], VERDICT_FAIL, reason);
	tried(&r.of[0], VERDICT_PASS, "");
	tried(&r.of[0], VERDICT_PASS, "");
	result_remark(&r.of[0], "the kernel log, unrelated: %s", reason);
	tried(&r.of[1], VERDICT_FAIL, reason);
	tried(&r.of[1], VERDICT_FAIL, reason);
	return r;
}

static const char history[] = "passed, 2 of 3 tries; the first failed: two numbers differ";

static int text_of_first(const struct results *r, FILE *out)
{
	return report_case(&r->of[0], r, out, false);
}

static int text_of_second(const struct results *r, FILE *out)
{
	return report_case(&r->of[1], r, out, false);
}

static void expect(int (*write)(const struct results *r, FILE *out), const char *before,
		   const char *after)
{
	OWNED(results_free) struct results r = retried("two numbers differ");
	char *text = written(write, &r), line[200];

	snprintf(line, sizeof(line), "%s%s%s", before, history, after);
	assert_says(text, line);
	snprintf(line, sizeof(line), "the kernel log, unrelated: two numbers differ%s", after);
	assert_says(text, line);
	assert_says_not(text, "2 of 2 tries");
}

TEST(every_format_lists_the_tries_of_a_pass)
{
	expect(text_of_first, "\n    ", "\n");
	expect(report_ktap, "\n# ", "\n");
	expect(report_junit, "<system-out>", "&#10;");
}

TEST(a_case_that_always_failed_lists_no_tries)
{
	OWNED(results_free) struct results r = retried("two numbers differ");
	char *text = written(text_of_second, &r);

	assert_says_not(text, "tries");
}

TEST(cases_that_needed_a_second_try_are_counted)
{
	OWNED(results_free) struct results r = retried("two numbers differ");
	char *text = written(report_ktap, &r);

	assert_true(result_retried(&r.of[0]));
	assert_false(result_retried(&r.of[1]));
	assert_false(result_retried(&r.of[2]));
	assert_int_equal(results_retried(&r), 1);
	assert_says(text, "\n# 1 needed a second try\n");
}

TEST(json_contains_the_tries_and_they_are_read_back)
{
	OWNED(results_free) struct results r = retried("two numbers differ"), back = read_back(&r);
	json_auto_t *root = json_read(written(report_json, &r));

	assert_int_equal(json_length(root, "cases/0/tries"), 3);
	assert_string_equal(json_text(root, "cases/0/tries/0/verdict"), "fail");
	assert_string_equal(json_text(root, "cases/0/tries/0/reason"), "two numbers differ");
	assert_int_equal(json_number(root, "cases/0/tries/0/cpu"), 1);
	assert_int_equal(json_length(root, "cases/0/remarks"), 1);
	/* If one try was enough, the member is missing. */
	assert_null(json_at(root, "cases/2/tries"));
	for (size_t i = 0; i < r.nr; i++)
		assert_memory_equal(r.of[i].tries, back.of[i].tries, sizeof(r.of[i].tries));
	assert_string_equal(back.of[0].remarks[0], r.of[0].remarks[0]);
}

TEST(invalid_tries_in_a_file_stay_within_bounds)
{
	static const char made_up[] =
		"\"tries\": [1, {}, {\"verdict\": 7}, {\"verdict\": \"maybe\"}, {\"cpu\": -99}, "
		"[], null, {}, {}, {}, {}, {}, {}], \"remarks\": [1, [], \"a\\nb\", null, {}, {}], "
		"\"facts\"";
	OWNED(results_free) struct results r = made_up_four(), back;
	OWNED(text_end) char *text = text_with(written(report_json, &r), "\"facts\"", made_up);

	back = results_of_text(text);
	assert_int_equal(back.of[0].nr_tries, TRIES_KEPT);
	assert_int_equal(back.of[0].tries[2].verdict, VERDICT_ERROR);
	assert_int_equal(back.of[0].tries[4].cpu, -1);
	assert_int_equal(back.of[0].nr_remarks, REMARKS_MAX);
	assert_null(strchr(back.of[0].remarks[2], '\n'));
}

TEST(no_reason_of_a_try_can_forge_a_line)
{
	OWNED(results_free) struct results r = retried(hostile);
	char *text = written(report_ktap, &r);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, "not ok ", 7))
			assert_says_not(line, "SKIP\nnot");
		assert_true(strncmp(line, "not ok 1\t", 9));
	}
	text = written(report_junit, &r);
	/*
	 * The elements are testsuites, testsuite, properties, property, four cases, three verdicts,
	 * and one output.
	 */
	assert_int_equal(markup_read(text), 4 + 4 + 3 + 1);
}

TEST(the_text_is_truncated_to_any_buffer)
{
	OWNED(results_free) struct results r = retried("two numbers differ");
	char buf[200];

	for (size_t size = 1; size < sizeof(buf); size++) {
		memset(buf, 'x', sizeof(buf));
		tries_words(&r.of[0], buf, size);
		assert_true(strlen(buf) < size);
		assert_int_equal(buf[size], 'x');
	}
}

TEST(repeated_runs_count_second_tries_by_case)
{
	static const unsigned some[] = { 0, 3, 0, 1 }, none[] = { 0, 0, 0, 0 };
	OWNED(results_free) struct results r = made_up_four();
	char *text;
	FILE *out = printing();

	retries_print(some, &r, out);
	retries_print(none, &r, out);
	text = printed(out);
	assert_string_equal(text, "4 verdicts needed a second try: file/private_write 3, "
				  "fork/many 1\n0 verdicts needed a second try\n");
}
