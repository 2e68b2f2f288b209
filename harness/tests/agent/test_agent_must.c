// SPDX-License-Identifier: MIT
/*
 * workload_must() accepts the result of a call. A truth value does not compile, because it is never
 * -1.
 */
#include "tests/support/test.h"
#include <stdbool.h>

/* -Iinclude is relative to the top of the tree, where all tests are run. */
static bool compiles(const char *result)
{
	char command[600];

	snprintf(command, sizeof(command),
		 "printf '#include <rssck/case.h>\\n#include <fcntl.h>\\n#include <unistd.h>\\n"
		 "void f(struct workload *w, int fd, long a);\\n"
		 "void f(struct workload *w, int fd, long a)\\n{ (void)fd, (void)a; "
		 "workload_must(w, %s, \"x\"); }\\n' | "
		 "gcc -std=gnu11 -D_GNU_SOURCE= -Iinclude -Wall -Wextra -Werror "
		 "-fsyntax-only -x c - 2>/dev/null",
		 result);
	return system(command) == 0;
}

TEST(must_accepts_the_result_of_a_call)
{
	static const char *const good[] = { "fd", "close(fd)", "fcntl(fd, a | 1, 0)",
					    "(a == 3) ? 0 : -1", "(fd < 0 || close(fd)) ? -1 : 0" };

	if (!compiles("0"))
		skip();
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		if (!compiles(good[i]))
			fail_msg("does not compile: %s", good[i]);
}

/* The sizeofs in workload_must() refuse these with -Wparentheses. */
TEST(must_refuses_a_truth_value)
{
	static const char *const bad[] = {
		"fd < 0 || close(fd)",
		"close(fd) || close(1)",
		"close(fd) && close(1)",
		"close(fd) < 0",
		"a == 0",
		"close(fd) != 0",
	};

	if (!compiles("0"))
		skip();
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		if (compiles(bad[i]))
			fail_msg("compiles: %s", bad[i]);
}
