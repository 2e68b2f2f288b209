// SPDX-License-Identifier: MIT
/* For labs: a case that skips on every kernel. */
#include <rssck/case.h>

static void skip(struct workload *w)
{
	workload_skip(w, "a made-up feature");
}

CASE(selftest_skip) {
	.claim = "A made-up feature works: for labs, this case is skipped on every kernel",
	.because = "No kernel has the feature. See LABS.md.",
	.steps = STEPS(STEP("ask for it", skip)),
	.flags = CASE_HIDDEN,
};
