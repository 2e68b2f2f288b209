// SPDX-License-Identifier: MIT
/* For labs: a case that rssck cannot judge. */
#include <rssck/case.h>

static void fail_to_act(struct workload *w)
{
	errno = EIO;
	workload_die(w, "a call that always fails");
}

CASE(selftest_error) {
	.claim = "A made-up call works: for labs, the call always fails, so the case is an error",
	.because = "The step fails, so the case proves nothing about the kernel. See LABS.md.",
	.steps = STEPS(STEP("act", fail_to_act)),
	.flags = CASE_HIDDEN,
};
