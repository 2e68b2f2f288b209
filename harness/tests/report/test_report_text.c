// SPDX-License-Identifier: MIT
/* The text for people: the table, a case that did not pass, and the numbers in them. */
#include "base/print/words.h"
#include "tests/support/made_up.h"
#include "tests/support/test.h"

static int table_plain(const struct results *r, FILE *out)
{
	return report_table(r, out, 0, false);
}

static int table_colour(const struct results *r, FILE *out)
{
	return report_table(r, out, 0, true);
}

static int brief(const struct results *r, FILE *out)
{
	return report_brief(r, out, false);
}

static int first_case(const struct results *r, FILE *out)
{
	return report_case(&r->of[0], r, out, false);
}

/* Returns the line that begins with a word, with single blanks, until the next call. */
static char *line_of(const char *text, const char *word)
{
	static char line[160];
	const char *at = text;
	size_t n = 0;

	while (at && strncmp(at, word, strlen(word))) {
		at = strchr(at, '\n');
		at += at != NULL;
	}
	if (!at)
		fail_msg("no line '%s' in:\n%s", word, text);
	for (; *at && *at != '\n' && n + 1 < sizeof(line); at++)
		if (*at != ' ' || (n && line[n - 1] != ' '))
			line[n++] = *at;
	line[n] = '\0';
	return line;
}

static struct results with_threads(enum model_kind kind, unsigned batch, int64_t counter,
				   int64_t precise, int64_t bound)
{
	struct results r = made_up_results();
	struct result *c = made_up_case(&r, "counters/threads_malloc", VERDICT_PASS, "");

	made_up_models(&r, kind, batch);
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++)
		made_up_discrepancy(c, "100 threads x 1 MiB", metric(*id)->name, counter, precise,
				    bound);
	return r;
}

TEST(the_table_has_both_numbers_the_difference_and_the_bound)
{
	OWNED(results_free) struct results r = with_threads(MODEL_PER_CPU, 32, 24049, 29961, 6464);
	char *text = written(table_plain, &r);

	assert_string_equal(
		line_of(text, "statm.resident"),
		"statm.resident 96,196 119,844 -23,648 -5,912 6,464 per-CPU, batch 32, 2 CPUs");
}

TEST(an_exact_counter_is_off_by_0)
{
	OWNED(results_free) struct results r = with_threads(MODEL_EXACT, 0, 29961, 29961, 0);
	char *text = written(table_plain, &r);

	assert_string_equal(line_of(text, "status.VmRSS"),
			    "status.VmRSS 119,844 119,844 0 0 0 exact");
}

TEST(the_table_shows_the_worst_of_several_runs)
{
	OWNED(results_free) struct results r = with_threads(MODEL_PER_CPU, 32, 100, 110, 186);

	made_up_discrepancy(&r.of[0], "100 threads x 1 MiB", "stat.rss", 150, 120, 186);
	made_up_discrepancy(&r.of[0], "all threads gone", "stat.rss", 0, 180, 186);

	char *text = written(table_plain, &r);

	assert_string_equal(line_of(text, "stat.rss"),
			    "stat.rss 600 480 +120 +30 186 per-CPU, batch 32, 2 CPUs");
}

TEST(without_the_case_the_table_names_the_models)
{
	OWNED(results_free) struct results r = made_up_four();
	char *text;

	made_up_models(&r, MODEL_PER_CPU, 64);
	text = written(table_plain, &r);
	assert_string_equal(line_of(text, "stat.rss"), "stat.rss per-CPU, batch 64, 2 CPUs");
	assert_says_not(text, "off by");
}

TEST(kilobytes_depend_on_the_page_size)
{
	OWNED(results_free) struct results r = with_threads(MODEL_EXACT, 0, 10, 10, 0);
	char *text;

	r.page_size = 65536;
	text = written(table_plain, &r);
	assert_string_equal(line_of(text, "stat.rss"), "stat.rss 640 640 0 0 0 exact");
}

TEST(colour_is_used_only_on_request)
{
	OWNED(results_free) struct results r = with_threads(MODEL_PER_CPU, 32, 100, 110, 186);
	char *plain = written(table_plain, &r), *coloured = written(table_colour, &r);

	assert_null(strchr(plain, '\033'));
	assert_says(coloured, "\033[33m");
}

TEST(a_failed_case_shows_its_worst_number_first)
{
	OWNED(results_free) struct results r = made_up_results();
	struct result *c = made_up_case(&r, "file/x", VERDICT_FAIL, "the numbers differ");

	made_up_discrepancy(c, "map", "status.RssFile", 9, 10, 0);
	made_up_discrepancy(c, "map", "stat.rss", 50, 100, 60);
	made_up_discrepancy(c, "map", "statm.shared", 0, 10, 0);

	char *text = written(first_case, &r);

	assert_memory_equal(text, "fail file/x: the numbers differ\n", 32);
	assert_says(text, "map: statm.shared says 0, should be 10 pages: off by -10");
	assert_true(strstr(text, "statm.shared") < strstr(text, "status.RssFile"));
	/* A lag within its bound is not a failure. */
	assert_says_not(text, "stat.rss");
}

TEST(a_skipped_case_is_one_line_with_its_reason)
{
	OWNED(results_free) struct results r = made_up_results();
	char *text;

	made_up_case(&r, "swap/out", VERDICT_SKIP, "swap: there is\nnone");
	text = written(first_case, &r);
	assert_string_equal(text, "skip swap/out: swap: there is none\n");
}

TEST(escape_codes_in_a_reason_are_replaced)
{
	OWNED(results_free) struct results r = made_up_results();
	struct result *c = made_up_case(&r, hostile, VERDICT_FAIL, hostile);
	char *text;

	made_up_discrepancy(c, hostile, hostile, 1, 2, 0);
	text = written(first_case, &r);
	assert_null(strchr(text, '\033'));
	assert_null(strchr(text, '\001'));
}

TEST(numbers_are_grouped_by_thousands)
{
	static const struct {
		int64_t n;
		const char *words;
	} numbers[] = { { 0, "0" },
			{ 7, "7" },
			{ -999, "-999" },
			{ 1000, "1,000" },
			{ -1234567, "-1,234,567" },
			{ INT64_MIN, "-9,223,372,036,854,775,808" },
			{ INT64_MAX, "9,223,372,036,854,775,807" } };
	char buf[32];

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		assert_string_equal(number_words(numbers[i].n, buf, sizeof(buf)), numbers[i].words);
	assert_string_equal(difference_words(1000, buf, sizeof(buf)), "+1,000");
	assert_string_equal(difference_words(0, buf, sizeof(buf)), "0");
}

TEST(UTF8_is_kept_and_other_bytes_are_replaced)
{
	static const struct {
		const char *in, *out;
	} strings[] = {
		{ "", "" },
		{ "abc", "abc" },
		{ "\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\xa7", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\xa7" },
		{ "\xff", "\xef\xbf\xbd" },
		{ "\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd" }, /* overlong */
		{ "\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd" }, /* cut off */
		{ "\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
	};

	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		char *clean = utf8_clean(strings[i].in);

		assert_string_equal(clean, strings[i].out);
		free(clean);
	}
}

/* Each case has two wrong numbers, the second of which is the same in all cases. */
TEST(failures_with_one_cause_are_printed_once)
{
	OWNED(results_free) struct results r = made_up_results();
	struct result *c;
	char *text;

	for (int i = 0; i < 7; i++) {
		char id[32], own[32];

		snprintf(id, sizeof(id), "fork/%d", i);
		snprintf(own, sizeof(own), "smaps.%d", i);
		c = made_up_case(&r, id, VERDICT_FAIL, "a reason");
		made_up_discrepancy(c, "write", own, 1, 0, 0)->fails = true;
		made_up_discrepancy(c, "write", "kpagecount.once", 0, i, 0)->fails = true;
	}
	c = made_up_case(&r, "thp/other", VERDICT_FAIL, "another");
	made_up_discrepancy(c, "write", "smaps.Rss", 1, 0, 0)->fails = true;
	text = written(brief, &r);
	assert_says(text, "In 7 cases the same number is wrong, kpagecount.once");
	assert_says(text, "fail fork/0");
	assert_says_not(text, "fail fork/1");
	assert_says(text, "fail thp/other");
}
