// SPDX-License-Identifier: MIT
/* For labs: a case that fails on every kernel. */
#include <rssck/case.h>

CASE(selftest_fail) {
	.claim = "RSS counts an untouched page: for labs, this claim is false, so the case fails",
	.because = "The claim is false, so that a lab sees how a failure looks. See LABS.md.",
	.steps = STEPS(STEP("map a page", step_map, .pages = 1,
			    MOVES(VIRT_DATA(1), ANON_WRITE(1)))),
	.flags = CASE_HIDDEN,
};
