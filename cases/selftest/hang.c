// SPDX-License-Identifier: MIT
/* For labs: a case whose workload never answers. */
#include <rssck/case.h>

enum { LIMIT_S = 3 };

static void hang(struct workload *w)
{
	(void)w;
	for (;;)
		pause();
}

CASE(selftest_hang) {
	.claim = "A workload answers: for labs, this one hangs, so the case is an error after its "
		 "time limit",
	.because = "A case that hangs proves nothing about the kernel; the other cases still run. "
		   "See LABS.md.",
	.steps = STEPS(STEP("hang", hang)),
	.limit_s = LIMIT_S,
	.flags = CASE_HIDDEN,
};
