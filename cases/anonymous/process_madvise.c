// SPDX-License-Identifier: MIT
/*
 * Advice that process_madvise() accepts for the calling process has the same effect as in
 * madvise().
 */
#include <rssck/case.h>
#include <sys/uio.h>

enum { PAGES = 256, REGION = 0 };
STEP_SYMBOLS(WRITE, COLD);

static ssize_t advise(struct workload *w, int advice)
{
	char *p = w->slot[REGION];
	struct iovec parts[] = { { p, w->page_size },
				 { p + PAGES / 2 * w->page_size, PAGES / 2 * w->page_size } };
	int fd = (int)syscall(SYS_pidfd_open, getpid(), 0);
	ssize_t n;

	if (fd < 0)
		workload_skip(w, "pidfd_open(2): %m");
	n = syscall(SYS_process_madvise, fd, parts, 2, advice, 0);
	close(fd);
	if (n >= 0 && (size_t)n != (1 + PAGES / 2) * w->page_size)
		workload_fail(
			w,
			"process_madvise(2) returned %zd, which is not the number of advised bytes",
			n);
	return n;
}

static void cold(struct workload *w)
{
	if (advise(w, MADV_COLD) < 0)
		workload_skip(w, "process_madvise(2): %m");
}

static void dontneed(struct workload *w)
{
	if (advise(w, MADV_DONTNEED) < 0)
		workload_skip_step(
			w, "process_madvise(2) that accepts MADV_DONTNEED for the calling process: "
			   "%m");
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_equal(j, COLD, "Referenced",
		    trial_mapping_pages(t, COLD, 0, WRITE, "address", METRIC_SMAPS_REFERENCED),
		    PAGES - (1 + PAGES / 2),
		    "MADV_COLD clears Referenced of the advised pages, and of no other");
}

CASE(anonymous_process_madvise) {
	.claim =
		"process_madvise on the calling process acts like madvise: MADV_COLD changes no number of the process but Referenced; MADV_DONTNEED (since 6.13) removes the pages from RES",
	.because = "process_madvise(2) runs the code of madvise(2) for each range of a vector. "
		   "Up to 6.12 it refuses MADV_DONTNEED; since 6.13 it accepts it for the "
		   "calling process.",
	.said_by = SAID_BY("process_madvise(2)"),
	.steps = STEPS(STEP_AS(WRITE, "write", step_map, ALL_WRITTEN(PAGES), .report = "address"),
		       STEP_AS(COLD, "MADV_COLD", cold),
		       STEP("MADV_DONTNEED", dontneed, MOVES(ANON_WRITE(-(1 + PAGES / 2))))),
	.judge = judge,
};
