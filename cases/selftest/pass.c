// SPDX-License-Identifier: MIT
/* For labs: a case that passes on every kernel. */
#include <rssck/case.h>

CASE(selftest_pass) {
	.claim = "A page that is written is counted: for labs, this case passes",
	.because = "It shows how a result finds its way through a lab; see LABS.md.",
	.steps = STEPS(STEP("write a page", step_map, .pages = 1, .written = 1,
			    MOVES(VIRT_DATA(1), ANON_WRITE(1)))),
	.flags = CASE_HIDDEN,
};
