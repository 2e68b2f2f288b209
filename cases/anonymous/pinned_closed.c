// SPDX-License-Identifier: MIT
/* A ring that is closed with its buffers registered gives VmPin back. */
#include <linux/capability.h>
#include <linux/io_uring.h>
#include <rssck/case.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* Within the smallest RLIMIT_MEMLOCK in use, 64 KiB, with the ring's own pages. */
enum { PAGES = 8, REGION = 0, ENTRIES = 4, TRIES = 250, PAUSE_US = 20000 };

/* CAP_IPC_LOCK would keep newer kernels from counting at all. */
static void drop_privilege(struct workload *w)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct have[2];

	workload_must(w, syscall(SYS_capget, &header, have), "capget");
	have[0].effective &= ~(1U << CAP_IPC_LOCK);
	workload_must(w, syscall(SYS_capset, &header, have), "capset");
}

/* In one step, because the kernel takes a ring down some time after it was closed. */
static void register_and_close(struct workload *w)
{
	struct iovec buffer = { w->slot[REGION], PAGES * w->page_size };
	struct io_uring_params p = { .flags = 0 };
	int64_t before = workload_status_pages(w, "VmPin"), after;
	int ring;

	drop_privilege(w);
	ring = (int)syscall(SYS_io_uring_setup, ENTRIES, &p);
	if (ring < 0)
		workload_skip(w, "io_uring_setup(2): %m");
	if (syscall(SYS_io_uring_register, ring, IORING_REGISTER_BUFFERS, &buffer, 1) < 0)
		workload_skip(w, "IORING_REGISTER_BUFFERS: %m");
	workload_report(w, "registered", workload_status_pages(w, "VmPin") - before);
	close(ring);
	after = workload_status_pages(w, "VmPin");
	for (int i = 0; i < TRIES && after != before; i++) {
		usleep(PAUSE_US);
		after = workload_status_pages(w, "VmPin");
	}
	workload_report(w, "closed", after - before);
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const char step[] = "register and close";

	judge_equal(j, step, "status.VmPin", trial_reported(t, step, "registered", -1), PAGES,
		    "VmPin counts the pages of a registered buffer");
	judge_equal(j, step, "status.VmPin, closed", trial_reported(t, step, "closed", -1), 0,
		    "and no longer when the ring is gone");
}

CASE(anonymous_pinned_closed) {
	.claim = "Closing a ring of io_uring unpins the buffers that are registered with it: VmPin "
		 "falls",
	.because = "The ring is taken down by a worker, io_ring_exit_work(), which unregisters the "
		   "buffers and subtracts their pages from pinned_vm of the mm that registered "
		   "them.",
	.said_by = SAID_BY("io_uring_register(2)", "proc_pid_status(5), VmPin"),
	.steps = STEPS(STEP("write", step_map, .pages = PAGES, .written = PAGES,
			    MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		       STEP("register and close", register_and_close)),
	.judge = judge,
};
