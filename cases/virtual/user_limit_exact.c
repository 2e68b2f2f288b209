// SPDX-License-Identifier: MIT
/*
 * Limits of all that a user's processes pin, and of the pages of their pipes, let exactly N be
 * taken, and all come back when they are given back or the process ends.
 */
#include "user_ways.h"

static const char *const settings[] = { ALLOWANCE, PIPE_SOFT, PIPE_HARD, NULL };

static void each_row(struct workload *w)
{
	place = (struct place) { .w = w, .page = w->page_size };
	place.cpus = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
	user_try_rooms(w, settings, users, sizeof(users) / sizeof(*users), N);
}

CASE(virtual_user_limit_exact) {
	.claim =
		"The limits of a user's memory (RLIMIT_MEMLOCK for perf and memfd_secret, perf_event_mlock_kb, pipe-user-pages-hard) allow exactly N and refuse one more; what is given back, or ends with its process, can be taken again",
	.because = "user_struct has the sums: locked_vm and pipe_bufs. Each user of them subtracts "
		   "what it added when the ring, the file or the pipe is released, or when a call "
		   "fails after the addition.",
	.said_by = SAID_BY("Documentation/admin-guide/sysctl/kernel.rst, perf_event_mlock_kb",
			   "pipe(7), pipe-user-pages-hard"),
	.needs = NEEDS("root", "guest"),
	.steps = STEPS(STEP("each of a user's limits", each_row, .checks = 1)),
};
