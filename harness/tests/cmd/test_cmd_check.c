// SPDX-License-Identifier: MIT
/*
 * The parts of rssck check that need no kernel: exit status, command line, selection, repetition.
 */
#include "base/nearest.h"
#include "cmd/check/check.h"
#include "tests/support/made_up.h"
#include "tests/support/test.h"
#include <fcntl.h>

/* ---- exit status ---- */

TEST(the_exit_status_does_not_depend_on_the_number_of_failures)
{
	static const struct {
		size_t pass, fail, skip, error;
		int status, bisect;
	} rows[] = {
		{ 22, 0, 0, 0, 0, 0 },    { 20, 0, 2, 0, 0, 0 },   { 1, 0, 21, 0, 0, 0 },
		{ 21, 1, 0, 0, 1, 1 },    { 18, 4, 0, 0, 1, 1 },   { 0, 125, 0, 0, 1, 1 },
		{ 0, 256, 0, 0, 1, 1 },   { 0, 1, 0, 1, 1, 1 },    { 21, 0, 0, 1, 2, 125 },
		{ 0, 0, 1, 4, 2, 125 },   { 0, 0, 22, 0, 4, 125 }, { 0, 0, 0, 0, 4, 125 },
		{ 1, 0, 0, 256, 2, 125 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const size_t count[VERDICT_COUNT] = { [VERDICT_PASS] = rows[i].pass,
						      [VERDICT_FAIL] = rows[i].fail,
						      [VERDICT_SKIP] = rows[i].skip,
						      [VERDICT_ERROR] = rows[i].error };

		assert_int_equal(check_status(count, false, false), rows[i].status);
		assert_int_equal(check_status(count, false, true), rows[i].bisect);
	}
}

TEST(runs_that_differ_fail_and_cannot_be_judged_by_bisect)
{
	const size_t count[VERDICT_COUNT] = { [VERDICT_PASS] = 22 };

	assert_int_equal(check_status(count, true, false), 1);
	assert_int_equal(check_status(count, true, true), 125);
}

/* ---- command line ---- */

static int parse(struct check_options *o, const char *words)
{
	char *argv[16] = { (char[]) { "rssck check" } }, *copy = strdup(words), *rest = copy, *word;
	int argc = 1, first;

	while ((word = strsep(&rest, " ")))
		if (*word)
			argv[argc++] = word;
	first = check_options_parse(o, argc, argv);
	free(copy);
	return first;
}

TEST(each_option_sets_its_member)
{
	struct check_options o;

	assert_int_equal(parse(&o, ""), 1);
	assert_int_equal(o.format, FORMAT_TEXT);
	assert_int_equal(o.repeat, 1);
	assert_null(o.output);
	assert_int_equal(
		parse(&o, "--format=junit --repeat 3 --limit=7 --bisect --color=never -vq x"), 8);
	assert_int_equal(o.format, FORMAT_JUNIT);
	assert_int_equal(o.repeat, 3);
	assert_int_equal(o.limit_s, 7);
	assert_int_equal(o.colour, COLOUR_NEVER);
	assert_true(o.bisect && o.verbose && o.quiet);
	assert_true(parse(&o, "--output=-") > 0);
	assert_null(o.output);
}

TEST(invalid_options_are_refused)
{
	static const char *const bad[] = {
		"--format=xml", "--format=",    "--repeat=0",
		"--repeat=-1",  "--repeat=2x",  "--repeat=99999999999999",
		"--limit=0",    "--limit=1.5",  "--color=red",
		"--nonsense",   "--bisect=yes", "--output"
	};
	struct check_options o;
	int err = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY);

	assert_true(dup2(null, STDERR_FILENO) >= 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (parse(&o, bad[i]) >= 0) {
			dup2(err, STDERR_FILENO);
			fail_msg("%s was taken", bad[i]);
		}
	}
	dup2(err, STDERR_FILENO);
	close(err);
	close(null);
}

/* ---- selection ---- */

/* Returns the number of chosen cases; `why` gets the reason if there is none. */
static char why[320];

static size_t chosen(char *word)
{
	OWNED(selection_free) struct selection s;
	size_t nr;

	why[0] = '\0';
	if (select_cases(&s, &word, word ? 1 : 0, why, sizeof(why)))
		return 0;
	nr = s.nr;
	for (size_t i = 1; i < nr; i++)
		assert_true(strcmp(s.of[i - 1]->file, s.of[i]->file) < 0);
	return nr;
}

TEST(a_case_is_selected_by_its_id_its_group_or_a_pattern)
{
	size_t all = chosen(NULL), group = chosen("file");

	assert_int_equal(chosen("file/private_write"), 1);
	assert_true(group > 1 && group < all);
	assert_int_equal(chosen("file/"), group);
	assert_int_equal(chosen("file/*"), group);
	assert_true(chosen("*/private_*") >= 2);
	assert_int_equal(chosen("*"), all);
}

TEST(a_hidden_case_runs_only_by_its_id)
{
	size_t nr, hidden = 0;
	const struct case_registration *all = cases_all(&nr);
	char id[64];

	for (size_t i = 0; i < nr; i++) {
		if (!(all[i].c->flags & CASE_HIDDEN))
			continue;
		hidden++;
		case_id(&all[i], id, sizeof(id));
		assert_int_equal(chosen(id), 1);
	}
	assert_int_equal(chosen(NULL), nr - hidden);
}

TEST(an_unknown_case_is_answered_with_similar_ids)
{
	assert_int_equal(chosen("file/private_wirte"), 0);
	assert_says(why, "similar: file/private_write");
	assert_int_equal(chosen("private_write"), 0);
	assert_says(why, "similar: file/private_write");
	assert_int_equal(chosen("zzzzzzzzzzzzzzzzzzzzzzzz"), 0);
	assert_says(why, "rssck list");
	/* A prefix of a group's name selects nothing, and an empty word does not mean all cases. */
	assert_int_equal(chosen("fil"), 0);
	assert_int_equal(chosen(""), 0);
	assert_int_equal(chosen("/"), 0);
}

TEST(a_word_of_any_length_is_accepted)
{
	char *word = malloc(100001);

	memset(word, 'x', 100000);
	word[100000] = '\0';
	assert_int_equal(chosen(word), 0);
	free(word);
}

TEST(the_edit_distance_counts_letters)
{
	assert_int_equal(edit_distance("", ""), 0);
	assert_int_equal(edit_distance("", "abc"), 3);
	assert_int_equal(edit_distance("abc", ""), 3);
	assert_int_equal(edit_distance("write", "wirte"), 1);
	assert_int_equal(edit_distance("cow", "cows"), 1);
	assert_int_equal(edit_distance("cow", "cat"), 2);
	assert_int_equal(edit_distance("abcdef", "abcdef"), 0);
}

/* ---- repetition ---- */

static size_t differences(const struct results *a, const struct results *b, char **text)
{
	size_t n;

	*text = PRINTED(out, n = repeat_compare(a, b, 7, out));
	return n;
}

TEST(equal_verdicts_and_facts_are_no_difference)
{
	OWNED(results_free) struct results a = made_up_four(), b = made_up_four();
	char *text;

	/* A lag is not a fact, so it may differ between runs. */
	b.of[1].discrepancies[2].counter--;
	assert_int_equal(differences(&a, &b, &text), 0);
	assert_string_equal(text, "");
}

TEST(differences_between_runs_are_named)
{
	OWNED(results_free) struct results a = made_up_four(), b = made_up_four();
	char *text;

	strcpy(b.of[0].facts[0].value, "yes");
	b.of[0].nr_facts = 1;
	made_up_fact(&b.of[3], "new", "1");
	b.of[1].verdict = VERDICT_PASS;
	assert_int_equal(differences(&a, &b, &text), 4);
	assert_says(text, "run 7 differs from run 1: anonymous/zero_page: "
			  "zero_page.counted_in_rss was no and is now yes\n");
	assert_says(text, "zero_page.present_in_pagemap was yes and is now absent\n");
	assert_says(text, "fork/many: new was absent and is now 1\n");
	assert_says(
		text,
		"file/private_write: verdict was fail and is now pass\n    fail: the numbers differ\n");
}
