// SPDX-License-Identifier: MIT
/*
 * Limits of all that a user's processes pin, and of the pages of their pipes, let exactly N be
 * taken, and all come back when they are given back or the process ends.
 */
#include "user_ways.h"

static const char *const settings[] = { ALLOWANCE, PIPE_SOFT, PIPE_HARD };

enum { SETTINGS = sizeof(settings) / sizeof(*settings) };

static int64_t were[SETTINGS];

static void restore(void)
{
	for (size_t i = 0; i < SETTINGS; i++)
		if (were[i] >= 0)
			workload_try_to_set_number(settings[i], were[i]);
}

/* The limits that are settings of the machine are restored even if a row fails. */
static void each_row(struct workload *w)
{
	struct workload_guard g;

	place = (struct place) { .w = w, .page = w->page_size };
	place.cpus = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
	for (size_t i = 0; i < SETTINGS; i++)
		were[i] = workload_number(settings[i], NULL, -1);
	g = workload_guard_begin(w, restore);
	WORKLOAD_TRY_ROOMS(w, users, N, "a user of its own (setresuid(2))");
	workload_guard_end(w, &g);
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
