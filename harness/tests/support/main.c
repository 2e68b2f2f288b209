// SPDX-License-Identifier: MIT
/* main() of all test programs. */
#include "tests/support/test.h"
#include <errno.h>

extern const struct test_registration __start_rssck_tests[], __stop_rssck_tests[];

/* Used by programs without TESTS_SHARE() and TESTS_EACH(). */
const struct test_fixtures __attribute__((weak)) test_fixtures;

static int by_line(const void *a, const void *b)
{
	const struct test_registration *x = a, *y = b;

	return (x->line > y->line) - (x->line < y->line);
}

int main(void)
{
	size_t nr = (size_t)(__stop_rssck_tests - __start_rssck_tests);
	struct test_registration *sorted = malloc(nr * sizeof(*sorted));
	struct CMUnitTest *tests = malloc(nr * sizeof(*tests));
	int failed;

	if (!sorted || !tests)
		return 1;
	memcpy(sorted, __start_rssck_tests, nr * sizeof(*sorted));
	qsort(sorted, nr, sizeof(*sorted), by_line);
	for (size_t i = 0; i < nr; i++) {
		tests[i] = sorted[i].test;
		if (!tests[i].setup_func && !tests[i].teardown_func) {
			tests[i].setup_func = test_fixtures.setup_each;
			tests[i].teardown_func = test_fixtures.teardown_each;
		}
	}
	/* The macro cmocka_run_group_tests() works only with an array whose size is known. */
	failed = _cmocka_run_group_tests(program_invocation_short_name, tests, nr,
					 test_fixtures.setup, test_fixtures.teardown);
	free(sorted);
	free(tests);
	return failed != 0;
}
