// SPDX-License-Identifier: MIT
/*
 * Computes the exit status from the verdicts. cmocka's own status is the number of failures: 4
 * would look like "nothing could run", and 256 like success.
 */
#include "check.h"
#include "cmd/line/command.h"

static int bisect_status(const size_t count[VERDICT_COUNT], bool unstable)
{
	if (count[VERDICT_FAIL])
		return EXIT_FAILS;
	/* A commit that was not judged must not be called good. */
	if (count[VERDICT_ERROR] || !count[VERDICT_PASS] || unstable)
		return EXIT_CANNOT_TELL;
	return EXIT_HOLDS;
}

int check_status(const size_t count[VERDICT_COUNT], bool unstable, bool bisect)
{
	if (bisect)
		return bisect_status(count, unstable);
	if (count[VERDICT_FAIL] || unstable)
		return EXIT_FAILS;
	if (count[VERDICT_ERROR])
		return EXIT_TROUBLE;
	return count[VERDICT_PASS] ? EXIT_HOLDS : EXIT_NOTHING;
}
