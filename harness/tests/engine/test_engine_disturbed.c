// SPDX-License-Identifier: MIT
/* If other processes disturb the machine's memory during a try, a failure becomes an error. */
#include "engine/disturbed.h"
#include "tests/engine/verdict.h"

TEST(an_event_since_the_first_reading_is_named)
{
	struct disturbances before;
	char why[200];

	disturbances_read(&before);
	before.of_machine[0] -= 7;
	assert_true(disturbed_since(&before, 0, why, sizeof(why)));
	assert_true(strlen(why) > 0);
}

TEST(an_event_that_the_case_causes_is_no_excuse)
{
	struct disturbances before;
	unsigned excused = 0;
	char why[200];

	disturbances_read(&before);
	if (disturbed_since(&before, ~0u, why, sizeof(why)))
		skip();
	for (int i = 0; i < DISTURBANCES; i++) {
		disturbances_read(&before);
		before.of_machine[i] -= 7;
		excused += disturbed_since(&before, 0, why, sizeof(why)) &&
			   !disturbed_since(&before, ~0u, why, sizeof(why));
	}
	assert_true(excused > 0);
}

TEST(a_reached_limit_is_named_first)
{
	struct disturbances before;
	char without[200], with[200];

	disturbances_read(&before);
	before.of_machine[0] -= 7;
	disturbed_since(&before, 0, without, sizeof(without));
	before.of_group[0] -= 3;
	assert_true(disturbed_since(&before, 0, with, sizeof(with)));
	if (!strcmp(without, with))
		skip();
}

TEST(a_failure_after_a_disturbed_calibration_is_an_error)
{
	static const char disturbed[] = "somebody took the memory away";
	static const char *const unknown[] = { "maybe", "maybe", "maybe", "maybe" };
	const struct fact_known facts[] = { FACT("made.up", NULL, "yes|no"), { .name = NULL } };
	struct engine *e = *state;
	struct testcase c = once;

	c.flags = CASE_KEEPS_MEMORY;
	c.facts = facts;
	c.judge = tell_fact;
	values = unknown;
	nr_judged = 0;
	snprintf(e->unmeasured, sizeof(e->unmeasured), "%s", disturbed);
	OWNED(result_free) struct result r = run(e, &c);
	e->unmeasured[0] = '\0';
	assert_verdict(&r, VERDICT_ERROR, disturbed);
}
