// SPDX-License-Identifier: MIT
/* If a pinned process has pages held back on another CPU, settling flushes these as well. */
#include "judge/judge.h"
#include "tests/support/driven.h"

TEST(pages_held_back_on_another_cpu_are_settled)
{
	const struct engine *e = *state;
	OWNED(judgement_free) struct judgement j = { .failed = false };
	OWNED(trial_free) struct trial t;

	/* With a single CPU no page can be held back on another one. */
	if (e->host.nr_cpu_list < 2)
		skip();
	driven_misbehave("write", "act elsewhere");
	t = driven_trial(e);
	driven_misbehave(NULL, NULL);
	assert_int_equal(t.end, TRIAL_DONE);
	judge_trial(&t, &j);
	if (j.failed)
		fail_msg("%s: %s says %lld, should be %lld", j.discrepancies[0].step,
			 j.discrepancies[0].metric, (long long)j.discrepancies[0].counter,
			 (long long)j.discrepancies[0].precise);
	assert_nobody_left();
}

TESTS_SHARE(driven_setup_calibrated, driven_teardown);
