// SPDX-License-Identifier: MIT
/*
 * A step that cannot be done on this machine must leave nothing behind; otherwise the case reports
 * it.
 */
#include "judge/judge.h"
#include "tests/support/driven.h"

static struct judgement judged(const struct engine *e, const char *how, const char *why_skipped)
{
	struct judgement j = { .failed = false };
	OWNED(trial_free) struct trial t;

	driven_misbehave("write", how);
	t = driven_trial(e);
	driven_misbehave(NULL, NULL);
	assert_int_equal(t.end, TRIAL_DONE);
	assert_true(t.moments[2].skipped);
	assert_string_equal(t.moments[2].why_skipped, why_skipped);
	judge_trial(&t, &j);
	assert_nobody_left();
	return j;
}

static void assert_nothing_left(struct judgement j)
{
	if (j.failed)
		fail_msg("%s: %s says %lld, should be %lld", j.discrepancies[0].step,
			 j.discrepancies[0].metric, (long long)j.discrepancies[0].counter,
			 (long long)j.discrepancies[0].precise);
	assert_string_equal(j.left, "");
	judgement_free(&j);
}

TEST(a_step_that_skips_first_leaves_nothing_behind)
{
	assert_nothing_left(judged(*state, "skip step", "a made-up flag: EINVAL"));
}

TEST(mappings_and_files_of_a_skipped_step_are_removed)
{
	assert_nothing_left(
		judged(*state, "skip step late", "a made-up flag: Disk quota exceeded"));
}

TEST(a_mapping_left_by_a_skipped_step_is_an_error)
{
	const struct case_registration r = { &driven_case, driven_registration.file };
	OWNED(judgement_free)
	struct judgement j = judged(*state, "skip step untidily", "a made-up flag: EINVAL");
	OWNED(result_free) struct result result;

	assert_says(j.left, "has moved by 8 pages");

	driven_misbehave("write", "skip step untidily");
	engine_run(*state, &r, &result);
	driven_misbehave(NULL, NULL);
	assert_int_equal(result.verdict, VERDICT_ERROR);
	assert_says(result.reason, "left something behind");
}

TESTS_SHARE(driven_setup_calibrated, driven_teardown);
