// SPDX-License-Identifier: MIT
/* For labs: a case whose workload is killed by a signal. */
#include <rssck/case.h>

static void crash(struct workload *w)
{
	(void)w;
	raise(SIGSEGV);
}

CASE(selftest_crash) {
	.claim = "A workload survives: for labs, this one is killed by SIGSEGV, so the case is an "
		 "error",
	.because = "A case that crashes proves nothing about the kernel; the other cases still "
		   "run. See LABS.md.",
	.steps = STEPS(STEP("crash", crash)),
	.flags = CASE_HIDDEN,
};
