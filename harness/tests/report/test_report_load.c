// SPDX-License-Identifier: MIT
/*
 * Results files that other programs may have written or damaged: a refusal names the place and the
 * reason; an accepted file can be reported and compared.
 */
#include "compare/compare.h"
#include "tests/support/files.h"
#include "tests/support/made_up.h"
#include "tests/support/test.h"
#include <glob.h>

/* Returns the JSON of the four made-up cases, in which the first `old` is replaced. */
static char *spoiled(const char *old, const char *new)
{
	OWNED(results_free) struct results r = made_up_four();

	return text_with(written(report_json, &r), old, new);
}

static void refuse(const char *old, const char *new, const char *part)
{
	OWNED(text_end) char *text = spoiled(old, new);

	assert_results_refused(text, part);
}

/* Loads what spoiled() returns, which must be accepted. The caller frees the results. */
static struct results accept(const char *old, const char *new)
{
	OWNED(text_end) char *text = spoiled(old, new);
	struct results r = results_of_text(text);

	written(report_json, &r);
	return r;
}

TEST(an_impossible_batch_is_refused)
{
	refuse("\"batch\": 0", "\"batch\": -1",
	       "no kernel has a batch of -1, as in the model of stat.rss");
	refuse("\"batch\": 0", "\"batch\": 4611686018427387904", "stat.rss");
}

TEST(a_repeated_case_is_refused)
{
	refuse("\"swap/out\"", "\"fork/many\"", "the case fork/many is listed more than once");
}

TEST(a_case_without_a_name_is_refused)
{
	char longer[128];

	refuse("\"swap/out\"", "\"\"", "the name of a case is empty or too long");
	snprintf(longer, sizeof(longer), "\"%0100d\"", 7);
	refuse("\"swap/out\"", longer, "the name of a case is empty or too long");
	refuse("\"swap/out\"", "7", "\"id\" of a case has the wrong type");
}

TEST(an_error_in_a_discrepancy_names_its_number)
{
	refuse("\"counter\": 510", "\"counter\": \"510\"",
	       "\"counter\" of discrepancy 2 of file/private_write has the wrong type");
	refuse("\"counter\": 510", "\"counter\": 511",
	       "discrepancy 2 of file/private_write has a wrong difference");
}

TEST(an_impossible_page_size_is_refused)
{
	refuse("\"page_size\": 4096", "\"page_size\": 16777216", "16777216");
}

/*
 * A sum, a difference, or a number of kB made of them must not overflow: the sanitizers check that.
 */
TEST(numbers_beyond_any_machine_are_kept_within_bounds)
{
	static const char least[] = "\"counter\": -9223372036854775808,\n"
				    "          \"precise\": 9223372036854775807,\n"
				    "          \"difference\": 1,\n"
				    "          \"bound\": -9223372036854775808";
	static const char before[] = "\"counter\": 127,\n          \"precise\": 128,\n"
				     "          \"difference\": -1,\n          \"bound\": 0";
	OWNED(results_free) struct results r = accept(before, least), same = accept(before, least);
	const struct discrepancy *d = &r.of[1].discrepancies[0];
	OWNED(comparison_free) struct comparison c;
	char why[256];

	assert_true(d->counter < -(1LL << 52) && d->precise > 1LL << 52);
	assert_true(d->precise - d->counter < INT64_MAX / (1 << 8));
	assert_int_equal(d->bound, -1);
	assert_int_equal(compare(&c, &r, &same, why, sizeof(why)), 0);
	assert_int_equal(c.nr, 0);
}

/* A counter below 0 is printed as 2^64 bytes minus some, in pages of 4 KiB. */
TEST(a_counter_below_0_is_read_unchanged)
{
	OWNED(results_free) struct results r = made_up_four(), back;

	r.of[1].discrepancies[0].counter = (1LL << 52) - 3;
	back = read_back(&r);
	assert_int_equal(back.of[1].discrepancies[0].counter, (1LL << 52) - 3);
}

TEST(the_sum_of_durations_does_not_overflow)
{
	OWNED(results_free)
	struct results huge = accept("\"duration_ms\": 12", "\"duration_ms\": 9223372036854775807");
	OWNED(results_free)
	struct results below = accept("\"duration_ms\": 12", "\"duration_ms\": -5");

	assert_true(huge.duration_ms > 0);
	assert_int_equal(below.of[0].duration_ms, 0);
}

TEST(unknown_members_are_ignored)
{
	static const char *const places[] = { "\"schema\":", "\"release\":", "\"kind\":", "\"id\":",
					      "\"step\":",   "\"name\":",    "\"pass\":" };

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		char more[128];
		OWNED(results_free) struct results r;

		snprintf(more, sizeof(more), "\"of a newer rssck\": [ 1, { \"x\": null } ], %s",
			 places[i]);
		r = accept(places[i], more);
		assert_int_equal(r.nr, 4);
	}
}

static bool has_control(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f || !strncmp(text, "\xc2\x9b", 2))
			return true;
	return false;
}

/* ESC [ 2 J clears a terminal, and so does U+009B 2 J. */
TEST(strings_of_a_file_cannot_control_the_terminal)
{
	struct results r = accept("the numbers differ", "a\\u001b[2Jb\\u009b2Jc\\nd\\u007fe");
	OWNED(text_end)
	char *text = spoiled("\"verdict\": \"fail\"", "\"verdict\": \"\\u001b[2J\"");
	char why[512] = "";

	assert_string_equal(r.of[1].reason, "a [2Jb  2Jc d e");
	results_free(&r);
	assert_int_equal(results_load(&r, folder_put("x.json", text), why, sizeof(why)), -1);
	assert_false(has_control(why));
}

/* The recorded runs include those of older versions of rssck. */
static void load_all(const char *pattern, size_t at_least)
{
	glob_t files;

	assert_int_equal(glob(pattern, 0, NULL, &files), 0);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		OWNED(results_free) struct results r = results_in(files.gl_pathv[i]);
	}
	assert_true(files.gl_pathc >= at_least);
	globfree(&files);
}

TEST(the_recorded_runs_are_read)
{
	load_all("results/*.json", 14);
	load_all("results/curves/*.json", 4);
}
