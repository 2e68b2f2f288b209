// SPDX-License-Identifier: MIT
/* For labs: a case that could not be judged. */
#include <rssck/case.h>

static void fail_to_act(struct workload *w)
{
	errno = EIO;
	workload_die(w, "a made-up call");
}

CASE(selftest_error) {
	.claim = "A made-up call works: for labs, this case is an error",
	.because = "The step cannot act, so nothing is said about the kernel; see LABS.md.",
	.steps = STEPS(STEP("act", fail_to_act)),
	.flags = CASE_HIDDEN,
};
