// SPDX-License-Identifier: MIT
/* For labs: a case whose workload dies by a signal. */
#include <rssck/case.h>

static void crash(struct workload *w)
{
	(void)w;
	raise(SIGSEGV);
}

CASE(selftest_crash) {
	.claim =
		"A workload lives on: for labs, this one dies by SIGSEGV, and the case is an error",
	.because = "A case that crashes proves nothing about the kernel, and the others go on; see "
		   "LABS.md.",
	.steps = STEPS(STEP("crash", crash)),
	.flags = CASE_HIDDEN,
};
