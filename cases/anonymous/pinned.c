// SPDX-License-Identifier: MIT
/*
 * VmPin counts the pages of a buffer registered with io_uring, on some kernels only if the process
 * lacks CAP_IPC_LOCK. No other number changes. A forked child gets copies, which are not pinned.
 */
#include <linux/capability.h>
#include <linux/io_uring.h>
#include <rssck/case.h>
#include <sys/uio.h>

enum { PAGES = 12, REGION = 0, RING = 0, ENTRIES = 4, CHILD = 1 };
STEP_SYMBOLS(REGISTER, FORK);

static void pin(struct workload *w)
{
	struct iovec buffer = { w->slot[REGION], PAGES * w->page_size };
	struct io_uring_params p = { .flags = 0 };

	w->fd[RING] = (int)syscall(SYS_io_uring_setup, ENTRIES, &p);
	if (w->fd[RING] < 0)
		workload_skip(w, "io_uring_setup(2): %m");
	if (syscall(SYS_io_uring_register, w->fd[RING], IORING_REGISTER_BUFFERS, &buffer, 1) < 0)
		workload_skip(w, "IORING_REGISTER_BUFFERS: %m");
	workload_report(w, "privileged", geteuid() == 0);
}

static void unpin(struct workload *w)
{
	workload_must(
		w, syscall(SYS_io_uring_register, w->fd[RING], IORING_UNREGISTER_BUFFERS, NULL, 0),
		"IORING_UNREGISTER_BUFFERS");
	close(w->fd[RING]);
}

static void pin_unprivileged(struct workload *w)
{
	workload_must(w, workload_set_capability(CAP_IPC_LOCK, false), "capset");
	pin(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	const struct snapshot *s = trial_snapshot(t, REGISTER, 0);

	judge_equal(j, STEP_BASELINE, "status.VmPin",
		    trial_pages(t, STEP_BASELINE, 0, METRIC_STATUS_VMPIN), 0,
		    "nothing is pinned before the first step");
	judge_equal(j, FORK, "status.VmPin", trial_pages(t, FORK, CHILD, METRIC_STATUS_VMPIN), 0,
		    "a child's VmPin is 0");
	if (trial_reported(t, REGISTER, "privileged"))
		judge_fact(j, "pinned.VmPin_of_a_privileged_process", "%s",
			   snapshot_value(s, METRIC_STATUS_VMPIN) ? "counted" : "not counted");
}

CASE(anonymous_pinned) {
	.claim =
		"VmPin counts pages that io_uring pins; some kernels leave out those of a process with CAP_IPC_LOCK. The pages stay private, and no RSS counts them twice. A forked child gets copies that are not pinned",
	.because = "io_account_mem() adds the pages to mm->pinned_vm; 7.2 and 7.3 do not if the "
		   "process has CAP_IPC_LOCK. A pin is a reference, not a mapping, so the "
		   "mapcount stays 1. fork copies a pinned page immediately, because the device "
		   "keeps using the parent's page.",
	.said_by = SAID_BY("proc_pid_status(5), VmPin", "io_uring_register(2)"),
	.processes = 1,
	.steps = STEPS(STEP("write", step_map, ALL_WRITTEN(PAGES)),
		       STEP_AS(REGISTER, "register", pin, .flags = STEP_ANY_PAGES),
		       STEP("unregister", unpin, .flags = STEP_ANY_PAGES),
		       STEP("register without CAP_IPC_LOCK", pin_unprivileged,
			    MOVES(PINNED(PAGES))),
		       STEP_AS(FORK, "fork", step_fork, .child = CHILD,
			       MOVES(VIRT_DATA(PAGES, .process = CHILD),
				     ANON_WRITE(PAGES, .process = CHILD))),
		       STEP("child exits", step_reap, .child = CHILD),
		       STEP("unregister again", unpin, MOVES(PINNED(-PAGES)))),
	.facts = FACTS(FACT("pinned.VmPin_of_a_privileged_process",
			    "In VmPin, memory that a process with CAP_IPC_LOCK pins is",
			    "counted|not counted")),
	.judge = judge,
};
