// SPDX-License-Identifier: MIT
/*
 * execve(2) that the kernel refuses, at each point before the old program is gone: every number of
 * the process stays, although the kernel has copied arguments into new pages.
 */
#include "refused_exec.h"

enum { PAGES = 64 };

static char paths[REFUSALS][PATH];

static void make(struct workload *w)
{
	char text[PATH];

	workload_written(w, PAGES);
	if (!make_program(NO_PROGRAM, NULL, text))
		workload_skip(w, "a memfd");
	for (int i = 0; i < REFUSALS; i++)
		if (!make_program(refusals[i].program, text, paths[i]))
			workload_skip(w, "a memfd for %s", refusals[i].name);
}

static void try_each(struct workload *w)
{
	for (int i = 0; i < REFUSALS; i++) {
		const struct refusal *r = &refusals[i];
		int error = try_exec(r, paths[i]);

		if (error == EACCES && r->error != EACCES)
			workload_skip(w, "a memfd that may be executed (vm.memfd_noexec)");
		if (error != r->error)
			workload_fail(w, "execve(2) of %s returned '%s' instead of '%s'", r->name,
				      strerror(error), strerror(r->error));
		workload_checked(w);
	}
}

CASE(fork_exec_refused) {
	.claim = "execve(2) that fails changes no number of the process",
	.because =
		"The arguments are copied into the stack of a new mm, whose pages are no pages of the caller. free_bprm() frees it. Only begin_new_exec(), the point of no return, replaces the caller's mm.",
	.said_by = SAID_BY("execve(2)"),
	.steps = STEPS(STEP("write, make programs", make,
			    MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		       STEP("execute each in vain", try_each, .checks = REFUSALS)),
};
