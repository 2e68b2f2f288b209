// SPDX-License-Identifier: MIT
/* For labs: a case that fails on every kernel. */
#include <rssck/case.h>

CASE(selftest_fail) {
	.claim = "An untouched page is counted: for labs, this case fails",
	.because = "It is false, so that a lab sees what a failure looks like; see LABS.md.",
	.steps = STEPS(STEP("map a page", step_map, .pages = 1,
			    MOVES(VIRT_DATA(1), ANON_WRITE(1)))),
	.flags = CASE_HIDDEN,
};
