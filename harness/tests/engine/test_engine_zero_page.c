// SPDX-License-Identifier: MIT
/*
 * Where the kernel forbids the zero page, memory that is only read must have anonymous pages. Cases
 * expect what the machine was found to do, and nothing else.
 */
#include "engine/need.h"
#include "tests/engine/opened.h"

static enum verdict read_untouched_memory(void)
{
	OWNED(result_free) struct result r;

	engine_run(&engine, case_by_id("anonymous/populate"), &r);
	return r.verdict;
}

TEST(a_case_expects_the_pages_that_a_read_gets_here)
{
	enum verdict here = read_untouched_memory();

	if (here == VERDICT_SKIP)
		skip();
	assert_int_equal(here, VERDICT_PASS);
	engine.host.reads_own_pages = !engine.host.reads_own_pages;
	assert_int_equal(read_untouched_memory(), VERDICT_FAIL);
	engine.host.reads_own_pages = !engine.host.reads_own_pages;
}

TEST(a_case_about_the_zero_page_needs_it)
{
	const struct testcase *c = case_by_id("anonymous/zero_page")->c;
	struct engine without = { .host = { .reads_own_pages = true } }, with = { .log = -1 };
	struct missing m;

	assert_false(needs_are_met(&without, c, &m));
	assert_true(missing_has(&m, MISSING_ZERO_PAGE));
	assert_true(needs_are_met(&with, c, &m));
}

TESTS_SHARE(open_engine, close_engine);
