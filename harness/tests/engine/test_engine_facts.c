// SPDX-License-Identifier: MIT
/* The value of a fact must be known, and the same on each CPU. */
#include "tests/engine/verdict.h"

/*
 * Runs a case that declares `known` as the values of a fact, and reports the next value of `told`
 * in each try.
 */
static struct result run_with_facts(struct engine *e, unsigned flags, const char *known,
				    const char *const *told)
{
	const struct fact_known facts[] = { FACT(known ? "made.up" : "another", NULL, known),
					    { .name = NULL } };
	struct testcase c = once;

	c.flags = flags | CASE_KEEPS_MEMORY;
	c.facts = facts;
	c.judge = tell_fact;
	values = told;
	nr_judged = 0;
	return run(e, &c);
}

#define TOLD(...)             \
	(const char *const[]) \
	{                     \
		__VA_ARGS__   \
	}

TEST(a_fact_with_a_known_value_is_kept)
{
	OWNED(result_free)
	struct result r = run_with_facts(*state, CASE_ALL_CPUS, "yes|no", TOLD("no"));

	assert_verdict(&r, VERDICT_PASS, "");
	assert_int_equal(r.nr_facts, 1);
	assert_string_equal(r.facts[0].name, "made.up");
	assert_string_equal(r.facts[0].value, "no");
}

TEST(a_fact_with_an_unknown_value_fails)
{
	static const char *const unknown[] = { "maybe", "ye", "yesno", "o", "" };

	for (size_t i = 0; i < sizeof(unknown) / sizeof(*unknown); i++) {
		OWNED(result_free)
		struct result r = run_with_facts(*state, CASE_ALL_CPUS, "yes|no",
						 TOLD(unknown[i], unknown[i]));
		char words[80];

		snprintf(words, sizeof(words), "unknown behaviour: made.up = %s (known: yes|no)",
			 unknown[i]);
		assert_verdict(&r, VERDICT_FAIL, words);
	}
}

TEST(an_undeclared_fact_fails)
{
	OWNED(result_free)
	struct result r = run_with_facts(*state, CASE_ALL_CPUS, NULL, TOLD("yes", "yes"));

	assert_verdict(&r, VERDICT_FAIL, "unknown behaviour: made.up = yes (known: none)");
}

TEST(a_fact_that_differs_between_cpus_fails)
{
	OWNED(result_free) struct result r;

	require_two_cpus(*state);
	r = run_with_facts(*state, 0, "yes|no", TOLD("yes", "no"));
	assert_verdict(&r, VERDICT_FAIL, "made.up = yes on the first CPU and no on the last");
	result_free(&r);
	r = run_with_facts(*state, 0, "yes|no", TOLD("yes", "yes"));
	assert_verdict(&r, VERDICT_PASS, "");
	assert_int_equal(r.nr_facts, 1);
}
