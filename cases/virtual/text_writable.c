// SPDX-License-Identifier: MIT
/* VmExe is at most the memory that is executable and not writable, so VmLib is never negative. */
#include <rssck/case.h>

STEP_SYMBOLS(WRITABLE_FOR_A_MOMENT);

static void protect(struct workload *w, int prot)
{
	uintptr_t page = w->page_size, start = (uintptr_t)workload_stat(w, "self", 26);
	uintptr_t end = (uintptr_t)workload_stat(w, "self", 27);

	start = start / page * page;
	end = (end + page - 1) / page * page;
	/* A security module may refuse to make text writable. */
	if (start >= end || mprotect((void *)start, end - start, prot) < 0)
		workload_skip(w, "mprotect of the program's text: %m");
}

static void report(struct workload *w, const char *exe, const char *lib)
{
	workload_report(w, exe, workload_status_pages(w, "VmExe"));
	workload_report(w, lib, workload_status_pages(w, "VmLib"));
}

static void writable_for_a_moment(struct workload *w)
{
	report(w, "VmExe before", "VmLib before");
	protect(w, PROT_READ | PROT_WRITE | PROT_EXEC);
	report(w, "VmExe", "VmLib");
	protect(w, PROT_READ | PROT_EXEC);
}

static void judge(const struct trial *t, struct judgement *j)
{
	/* While the text is writable, neither VmExe nor VmLib may count it. */
	int64_t left = trial_reported(t, WRITABLE_FOR_A_MOMENT, "VmLib before");
	int64_t text = trial_reported(t, WRITABLE_FOR_A_MOMENT, "VmExe before");
	int64_t exe = left < text ? left : text;

	judge_reported(t, j, WRITABLE_FOR_A_MOMENT, "VmExe", "status.VmExe", exe,
		       "VmExe is at most the memory that is executable and not writable");
	judge_reported(t, j, WRITABLE_FOR_A_MOMENT, "VmLib", "status.VmLib", left - exe,
		       "VmLib = executable memory that is not writable, minus VmExe");
}

CASE(virtual_text_writable) {
	.claim = "While a program's text is writable, VmExe is at most the size of the other "
		 "executable memory, and VmLib is not negative",
	.because = "task_mem() shows end_code - start_code as VmExe, but at most exec_vm, which "
		   "counts executable mappings that are not writable. VmLib is exec_vm minus "
		   "VmExe.",
	.said_by = SAID_BY("proc_pid_status(5), VmExe, VmLib"),
	.steps = STEPS(STEP_AS(WRITABLE_FOR_A_MOMENT, "make text writable for a moment",
			       writable_for_a_moment)),
	.judge = judge,
};
