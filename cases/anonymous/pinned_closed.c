// SPDX-License-Identifier: MIT
/* Closing a ring subtracts its registered buffers from VmPin. */
#include <linux/capability.h>
#include <linux/io_uring.h>
#include <poll.h>
#include <rssck/case.h>
#include <sys/uio.h>

/*
 * PAGES pages of 4 KiB and the ring's own pages fit into the kernel's default RLIMIT_MEMLOCK (64
 * KiB up to 5.15).
 */
enum { PAGES = 8, REGION = 0, ENTRIES = 4, PATIENCE_S = 10 };
STEP_SYMBOLS(REGISTER_AND_CLOSE);

/*
 * Registers the only write end of a pipe with the ring, so the pipe closes when the ring is freed.
 * Sets *end to the read end. Returns false if the kernel refuses.
 */
static bool watch(int ring, int *end)
{
	int ends[2];
	bool watched;

	if (pipe(ends) < 0)
		return false;
	watched = syscall(SYS_io_uring_register, ring, IORING_REGISTER_FILES, &ends[1], 1) >= 0;
	close(ends[1]);
	*end = ends[0];
	return watched;
}

static void wait_for_its_end(struct workload *w, int end)
{
	struct pollfd p = { .fd = end };

	if (poll(&p, 1, PATIENCE_S * 1000) != 1)
		workload_skip(w, "an io_uring that the kernel frees within %d s after close(2)",
			      PATIENCE_S);
	close(end);
}

/* Registers and closes in one step, because the kernel frees a ring some time after close(2). */
static void register_and_close(struct workload *w)
{
	struct iovec buffer = { w->slot[REGION], PAGES * w->page_size };
	int64_t before = workload_status_pages(w, "VmPin"), left;
	struct patience patience = { .seconds = 1 };
	struct io_uring_params p = { .flags = 0 };
	int ring, end;

	/* On 7.2 and 7.3 VmPin does not count the buffers of a process that has CAP_IPC_LOCK. */
	workload_must(w, workload_set_capability(CAP_IPC_LOCK, false), "capset");
	ring = (int)syscall(SYS_io_uring_setup, ENTRIES, &p);
	if (ring < 0)
		workload_skip(w, "io_uring_setup(2): %m");
	if (syscall(SYS_io_uring_register, ring, IORING_REGISTER_BUFFERS, &buffer, 1) < 0)
		workload_skip(w, "IORING_REGISTER_BUFFERS: %m");
	if (!watch(ring, &end))
		workload_skip(w, "IORING_REGISTER_FILES: %m");
	workload_report(w, "registered", workload_status_pages(w, "VmPin") - before);
	close(ring);
	wait_for_its_end(w, end);
	/*
	 * The tested kernels free the buffers before the files, so VmPin has fallen when the pipe
	 * closes. The order is not guaranteed.
	 */
	do
		left = workload_status_pages(w, "VmPin") - before;
	while (left && workload_pause(&patience));
	workload_report(w, "closed", left);
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_reported(t, j, REGISTER_AND_CLOSE, "registered", "status.VmPin", PAGES,
		       "VmPin counts the pages of a registered buffer");
	judge_reported(t, j, REGISTER_AND_CLOSE, "closed", "status.VmPin, closed", 0,
		       "VmPin returns to its old value after the ring is freed");
}

CASE(anonymous_pinned_closed) {
	.claim = "After an io_uring ring is closed and freed, VmPin no longer counts its "
		 "registered buffers",
	.because = "io_ring_exit_work(), which runs in a worker, unregisters the buffers. It "
		   "subtracts their pages from pinned_vm of the mm that registered them.",
	.said_by = SAID_BY("io_uring_register(2)", "proc_pid_status(5), VmPin"),
	.steps = STEPS(STEP("write", step_map, ALL_WRITTEN(PAGES)),
		       STEP_AS(REGISTER_AND_CLOSE, "register and close", register_and_close)),
	.judge = judge,
};
