// SPDX-License-Identifier: MIT
/*
 * TEST(zero_pages_are_in_no_rss) { ... } defines a test: the linker gathers the tests of a program
 * as it gathers cases, and support/main.c runs them with cmocka in the order of their lines.
 */
#ifndef RSSCK_TEST_H
#define RSSCK_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/said.h"

struct test_registration {
	struct CMUnitTest test;
	int line;
};

#if __has_attribute(retain)
#define TEST_RETAIN retain,
#else
#define TEST_RETAIN
#endif

#define TEST(name) TEST_WITH(name, NULL, NULL)

/* A test with its own setup and teardown; either may be NULL. */
#define TEST_WITH(name, setup, teardown)                                                \
	static void test_##name(void **state);                                          \
	static const struct test_registration registration_##name __attribute__((       \
		used, TEST_RETAIN section("rssck_tests"), aligned(sizeof(void *)))) = { \
		{ #name, test_##name, setup, teardown, NULL }, __LINE__                 \
	};                                                                              \
	static void test_##name(void **state __attribute__((unused)))

/* A setup or a teardown, with the parameter `state`; returns 0 if it succeeds. */
#define FIXTURE(name) static int name(void **state __attribute__((unused)))

/*
 * Functions that run before the first test, after the last test, and around each test without its
 * own functions.
 */
struct test_fixtures {
	CMFixtureFunction setup, teardown, setup_each, teardown_each;
};

extern const struct test_fixtures test_fixtures;

/* OWNED(results_free) struct results r = made_up_four(); frees it where its block ends. */
#define OWNED(release) __attribute__((cleanup(release)))

static inline void text_end(char **text)
{
	free(*text);
}

#define TESTS_SHARE(setup, teardown) \
	const struct test_fixtures test_fixtures = { setup, teardown, NULL, NULL }
#define TESTS_EACH(setup, teardown) \
	const struct test_fixtures test_fixtures = { NULL, NULL, setup, teardown }

#endif
