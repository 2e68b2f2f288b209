// SPDX-License-Identifier: MIT
/*
 * JSON: the output matches the schema, whatever the strings contain, and reading it back gives the
 * same results.
 */
#include "tests/support/json.h"
#include "tests/support/made_up.h"
#include "tests/support/test.h"
#include <errno.h>

static json_t *parse(const struct results *r)
{
	return json_read(written(report_json, r));
}

TEST(json_has_the_members_that_the_schema_names)
{
	OWNED(results_free) struct results r = made_up_four();
	json_auto_t *root = parse(&r);
	static const char *const numbers[] = {
		"kernel/page_size",
		"kernel/cpus",
		"models/statm.resident/batch",
		"summary/pass",
		"summary/fail",
		"summary/skip",
		"summary/error",
		"cases/1/duration_ms",
		"cases/1/discrepancies/0/counter",
		"cases/1/discrepancies/0/precise",
		"cases/1/discrepancies/0/bound",
	};
	static const char *const words[] = {
		"kernel/release",
		"kernel/version",
		"kernel/machine",
		"cases/1/id",
		"cases/1/claim",
		"cases/1/reason",
		"cases/1/discrepancies/0/step",
		"cases/1/discrepancies/0/metric",
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		json_number(root, numbers[i]);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		json_text(root, words[i]);
	assert_string_equal(json_text(root, "schema"), "rssck-results/1");
	assert_string_equal(json_text(root, "models/statm.resident/kind"), "exact");
	assert_int_equal(json_number(root, "kernel/page_size"), 4096);
	assert_int_equal(json_number(root, "summary/pass") + json_number(root, "summary/fail") +
				 json_number(root, "summary/skip") +
				 json_number(root, "summary/error"),
			 4);
	assert_int_equal(json_length(root, "cases"), 4);
	assert_string_equal(json_text(root, "cases/1/verdict"), "fail");
	assert_true(json_is_object(json_at(root, "cases/1/facts")));
	assert_int_equal(json_number(root, "cases/1/discrepancies/0/difference"), -1);
	assert_string_equal(json_text(root, "cases/0/facts/zero_page.counted_in_rss"), "no");
}

TEST(json_is_valid_whatever_the_strings_contain)
{
	OWNED(results_free) struct results r = made_up_results();
	struct result *c = made_up_case(&r, hostile, VERDICT_FAIL, hostile);

	made_up_fact(c, hostile, hostile);
	snprintf(made_up_discrepancy(c, hostile, hostile, 1, 2, 0)->text, 160, "%s", hostile);
	snprintf(r.kernel_version, sizeof(r.kernel_version), "%s", hostile);

	json_auto_t *root = parse(&r);

	assert_int_equal(json_length(root, "cases"), 1);
}

TEST(a_string_cut_within_a_character_is_valid_json)
{
	OWNED(results_free) struct results r = made_up_results();
	struct result *c = made_up_case(&r, "file/x", VERDICT_FAIL, "");

	memset(c->reason, 'a', sizeof(c->reason) - 1);
	memcpy(c->reason + sizeof(c->reason) - 3, "\xe2\x82", 3);
	json_decref(parse(&r));
}

static void assert_same_case(const struct result *a, const struct result *b)
{
	assert_string_equal(a->id, b->id);
	assert_int_equal(a->verdict, b->verdict);
	assert_string_equal(a->reason, b->reason);
	assert_int_equal(a->duration_ms, b->duration_ms);
	assert_int_equal(a->nr_facts, b->nr_facts);
	for (size_t i = 0; i < a->nr_facts; i++) {
		assert_string_equal(a->facts[i].name, b->facts[i].name);
		assert_string_equal(a->facts[i].value, b->facts[i].value);
	}
	assert_int_equal(a->nr_discrepancies, b->nr_discrepancies);
	for (size_t i = 0; i < a->nr_discrepancies; i++)
		assert_memory_equal(&a->discrepancies[i], &b->discrepancies[i],
				    sizeof(a->discrepancies[i]));
}

static void assert_same_curve(const struct curve *a, const struct curve *b)
{
	assert_string_equal(a->name, b->name);
	assert_string_equal(a->x, b->x);
	assert_string_equal(a->y, b->y);
	assert_int_equal(a->nr, b->nr);
	assert_memory_equal(a->at, b->at, a->nr * sizeof(*a->at));
	assert_int_equal(a->nr_series, b->nr_series);
	for (size_t i = 0; i < a->nr_series; i++) {
		assert_string_equal(a->series[i].name, b->series[i].name);
		assert_memory_equal(a->series[i].of, b->series[i].of, a->nr * sizeof(*a->at));
	}
}

TEST(results_read_back_are_the_results_written)
{
	OWNED(results_free) struct results r = made_up_four(), back;

	made_up_models(&r, MODEL_PER_CPU, 64);
	back = read_back(&r);
	assert_string_equal(r.kernel_release, back.kernel_release);
	assert_string_equal(r.machine, back.machine);
	assert_int_equal(back.page_size, 4096);
	assert_int_equal(back.cpus, 2);
	for (enum metric_id id = 0; id < METRIC_COUNT; id++) {
		assert_int_equal(r.models.of[id].kind, back.models.of[id].kind);
		assert_int_equal(r.models.of[id].batch, back.models.of[id].batch);
	}
	assert_memory_equal(r.count, back.count, sizeof(r.count));
	assert_int_equal(r.nr, back.nr);
	for (size_t i = 0; i < r.nr; i++)
		assert_same_case(&r.of[i], &back.of[i]);
	assert_int_equal(r.nr_curves, back.nr_curves);
	assert_same_curve(&r.curves[0], &back.curves[0]);
}

/* Replaces the first `old` of `good`, and expects that the file is refused. */
static void refuse_with(const char *good, const char *old, const char *new, const char *part)
{
	OWNED(text_end) char *text = text_with(good, old, new);

	assert_results_refused(text, part);
}

TEST(an_unusable_file_is_refused_with_a_reason)
{
	OWNED(results_free) struct results r = made_up_four();
	char *good = written(report_json, &r);

	assert_results_refused("", "cut off");
	assert_results_refused("{ \"schema\": \"rssck-results/1\"", "cut off");
	assert_results_refused("# a README", "not JSON");
	assert_results_refused("[]", "not results of rssck");
	assert_results_refused("{}", "not results of rssck");
	refuse_with(good, "rssck-results/1", "rssck-results/2", "rssck-results/2");
	refuse_with(good, "\"kernel\"", "\"colonel\"", "no \"kernel\"");
	refuse_with(good, "\"page_size\": 4096", "\"page_size\": \"4096\"", "wrong type");
	refuse_with(good, "\"page_size\": 4096", "\"page_size\": 4095", "4095");
	refuse_with(good, "\"cpus\": 2", "\"cpus\": 0", "0 CPUs");
	refuse_with(good, "\"exact\"", "\"quantum\"", "quantum");
	refuse_with(good, "\"verdict\": \"fail\"", "\"verdict\": \"maybe\"", "maybe");
	refuse_with(good, "counted_in_rss\": \"no\"", "counted_in_rss\": 0", "is not a string");
	refuse_with(good, "\"difference\": -1", "\"difference\": 1", "wrong difference");
	refuse_with(good, "\"skip\": 1", "\"skip\": 2", "the summary counts 2 cases as skip");
	refuse_with(good, "\"curves\": [", "\"curves\": [ 1,", "curve is not an object");
	refuse_with(good, "\"curves\": [", "\"curves\": 1, \"c\": [", "wrong type");
	refuse_with(good, "\"at\": [", "\"at\": [ 1,", "does not ascend");
	refuse_with(good, "\"at\": [", "\"at\": [ 0,", "does not ascend");
	refuse_with(good, "\"at\": [", "\"at\": [ null,", "does not ascend");
	refuse_with(good, "\"page tables\": [", "\"page tables\": [ 1,", "does not have 3 points");
	refuse_with(good, "490", "\"490\"", "is not a number");
	refuse_with(good, "\"facts\": {", "\"facts\": { \"a\": \"b\", \"a\": \"c\", ", "not JSON");
}

TEST(an_old_file_without_curves_is_read)
{
	OWNED(results_free) struct results r = made_up_four(), back;
	OWNED(text_end)
	char *text = text_with(written(report_json, &r), "\"curves\"", "\"others\"");

	back = results_of_text(text);
	assert_int_equal(back.nr_curves, 0);
}

TEST(a_missing_file_and_a_folder_are_refused)
{
	struct results r;
	char why[256];

	assert_int_equal(results_load(&r, "/nonexistent/x.json", why, sizeof(why)), -1);
	assert_says(why, "No such file");
	assert_int_equal(results_load(&r, "/", why, sizeof(why)), -1);
	assert_says(why, "Is a directory");
}

TEST(a_truncated_file_is_refused)
{
	OWNED(results_free) struct results r = made_up_four();
	char *good = written(report_json, &r);

	/* The last two bytes are the closing brace and a line break. */
	for (size_t len = strlen(good) - 2; len > 16; len -= 17) {
		good[len] = '\0';
		assert_results_refused(good, "cut off");
	}
}

static int table(const struct results *r, FILE *out)
{
	return report_table(r, out, 0, false);
}

/* A buffered stream fails when it is closed, an unbuffered one at the first write. */
TEST(every_writer_reports_a_full_disk)
{
	int (*const writers[])(const struct results *r, FILE *out) = { report_json, report_ktap,
								       report_junit, table };
	OWNED(results_free) struct results r = made_up_four();

	for (size_t i = 0; i < 2 * sizeof(writers) / sizeof(writers[0]); i++) {
		FILE *full = fopen("/dev/full", "w");

		assert_non_null(full);
		if (i % 2)
			setvbuf(full, NULL, _IONBF, 0);
		assert_int_equal(writers[i / 2](&r, full), -1);
		assert_int_equal(errno, ENOSPC);
		fclose(full);
	}
}
