// SPDX-License-Identifier: MIT
/* For labs: a case that passes on every kernel. */
#include <rssck/case.h>

CASE(selftest_pass) {
	.claim = "For labs: a case that passes on every kernel, because RSS counts a written page",
	.because = "A lab sees how it receives the result of a case that passes. See LABS.md.",
	.steps = STEPS(STEP("write a page", step_map, ALL_WRITTEN(1))),
	.flags = CASE_HIDDEN,
};
