// SPDX-License-Identifier: MIT
/* Pages that a driver has pinned are not shared with a child: fork copies them at once. */
#include <linux/io_uring.h>
#include <rssck/case.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* Within the smallest RLIMIT_MEMLOCK in use, 64 KiB. */
enum { PINNED_PAGES = 8, SHARED = 24, PAGES = PINNED_PAGES + SHARED };
enum { REGION = 0, RING = 0, ENTRIES = 4, PARENT = 0, CHILD = 1 };

static void map_and_write(struct workload *w)
{
	w->slot[REGION] = workload_written(w, PAGES);
}

static void pin(struct workload *w)
{
	struct iovec buffer = { w->slot[REGION], PINNED_PAGES * w->page_size };
	struct io_uring_params p = { .flags = 0 };

	w->fd[RING] = (int)syscall(SYS_io_uring_setup, ENTRIES, &p);
	if (w->fd[RING] < 0)
		workload_skip(w, "io_uring_setup(2): %m");
	if (syscall(SYS_io_uring_register, w->fd[RING], IORING_REGISTER_BUFFERS, &buffer, 1) < 0)
		workload_skip(w, "IORING_REGISTER_BUFFERS: %m");
}

static void fork_child(struct workload *w)
{
	workload_fork(w, CHILD);
}

static void write_all(struct workload *w)
{
	touch_write(w, w->slot[REGION], PAGES);
}

static void unpin(struct workload *w)
{
	workload_must(
		w, syscall(SYS_io_uring_register, w->fd[RING], IORING_UNREGISTER_BUFFERS, NULL, 0),
		"IORING_UNREGISTER_BUFFERS");
	close(w->fd[RING]);
}

CASE(fork_pinned) {
	.claim = "A child has its own copy of a pinned page from the start: private in both, and "
		 "in both RssAnon",
	.because = "A driver that writes to the page must go on writing to the parent's, so fork "
		   "may not leave it to the first write who copies (copy_present_page()).",
	.said_by = SAID_BY("commit 70e806e4e645 (mm: Do early cow for pinned pages, 5.9)",
			   "Documentation/core-api/pin_user_pages.rst"),
	.processes = 1,
	.steps = STEPS(STEP("write", map_and_write, VIRT_DATA(PAGES), ANON_WRITE(PAGES)),
		       STEP_FLAGS(STEP_ANY_PAGES, "pin some", pin),
		       STEP("fork", fork_child,
			    RESHARED(PARENT, ACCOUNT_ANON, PAGE_DIRTY, SHARED, 1, 2),
			    { ACCOUNT_PRIVATE_WRITABLE, PAGES, 0, 0, CHILD },
			    { ACCOUNT_ANON, PINNED_PAGES, PAGE_DIRTY, 1, CHILD },
			    { ACCOUNT_ANON, SHARED, PAGE_DIRTY, 2, CHILD }),
		       STEP_OF(CHILD, "the child writes", write_all,
			       RESHARED(CHILD, ACCOUNT_ANON, PAGE_DIRTY, SHARED, 2, 1),
			       RESHARED(PARENT, ACCOUNT_ANON, PAGE_DIRTY, SHARED, 2, 1)),
		       STEP_FLAGS(STEP_ANY_PAGES, "unpin", unpin)),
};
