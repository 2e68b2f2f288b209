// SPDX-License-Identifier: MIT
/* A program's text that is writable is no VmExe: VmExe and VmLib are what is left. */
#include <rssck/case.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int64_t status_kb(struct workload *w, const char *name)
{
	FILE *f = fopen("/proc/self/status", "re");
	char line[256];
	long kb = -1;

	while (f && kb < 0 && fgets(line, sizeof(line), f))
		if (!strncmp(line, name, strlen(name)))
			kb = atol(line + strlen(name));
	if (f)
		fclose(f);
	if (kb < 0)
		workload_skip(w, "%s of /proc/PID/status", name);
	return kb;
}

static void protect(struct workload *w, int prot)
{
	uintptr_t page = w->page_size, start = (uintptr_t)workload_stat(w, "self", 26);
	uintptr_t end = (uintptr_t)workload_stat(w, "self", 27);

	start = start / page * page;
	end = (end + page - 1) / page * page;
	/* A security module may refuse that. */
	if (start >= end || mprotect((void *)start, end - start, prot) < 0)
		workload_skip(w, "mprotect of the program's text: %m");
}

static void writable_for_a_moment(struct workload *w)
{
	int64_t exe = status_kb(w, "VmExe:"), lib = status_kb(w, "VmLib:"), left;

	protect(w, PROT_READ | PROT_WRITE | PROT_EXEC);
	left = status_kb(w, "VmExe:");
	workload_tell(w, "VmExe", left);
	workload_tell(w, "VmLib", status_kb(w, "VmLib:"));
	protect(w, PROT_READ | PROT_EXEC);
	workload_tell(w, "left", lib < exe ? lib : exe);
	workload_tell(w, "more", lib < exe ? 0 : lib - exe);
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const char step[] = "writable for a moment",
			  rule[] = "VmExe is at most what is "
				   "executable and not writable, VmLib the rest of that, in kB";

	judge_equal(j, step, "status.VmExe", trial_told(t, step, "VmExe", -1),
		    trial_told(t, step, "left", -2), rule);
	judge_equal(j, step, "status.VmLib", trial_told(t, step, "VmLib", -1),
		    trial_told(t, step, "more", -2), rule);
}

CASE(virtual_text_writable) {
	.claim = "While a program's text is writable, VmExe is what else is executable, and VmLib "
		 "is not negative",
	.because = "task_mem() takes end_code - start_code for VmExe, but no more than exec_vm, "
		   "what is executable and not writable; VmLib is exec_vm less that.",
	.said_by = SAID_BY("proc_pid_status(5), VmExe, VmLib"),
	.steps = STEPS(STEP("writable for a moment", writable_for_a_moment)),
	.judge = judge,
};
