// SPDX-License-Identifier: MIT
/* VmHWM includes pages that MADV_DONTNEED, mremap or ftruncate removes. */
#include "peak_by.h"

/* Each of the three ways to remove pages starts from a higher RSS than the one before. */
enum { PAGES = 2048, WAYS = 3, REGION = 0, FILE_REGION = 1, FD = 0 };
STEP_SYMBOLS(WRITE, DONTNEED, WRITE_MORE, MREMAP_SHRINKING, WRITE_MOST, FTRUNCATE);

static void map(struct workload *w)
{
	w->slot[REGION] = workload_anonymous(w, WAYS * PAGES);
	w->fd[FD] = workload_shmem(w, (WAYS + 1) * PAGES);
	w->slot[FILE_REGION] = workload_map(w, (WAYS + 1) * PAGES * w->page_size,
					    PROT_READ | PROT_WRITE, MAP_SHARED, w->fd[FD], 0);
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const unsigned ways[WAYS][2] = { { WRITE, DONTNEED },
						{ WRITE_MORE, MREMAP_SHRINKING },
						{ WRITE_MOST, FTRUNCATE } };

	judge_peaks_by(t, j, ways, WAYS);
}

CASE(counters_peak_by) {
	.claim =
		"Before MADV_DONTNEED, mremap or ftruncate removes pages, the kernel raises VmHWM to the approximate RSS, so VmHWM is too low by at most the lag of RSS",
	.because = "MADV_DONTNEED, mremap and ftruncate call update_hiwater_rss() before they "
		   "unmap pages.",
	.said_by = SAID_BY("proc_pid_status(5), VmHWM"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(
		STEP("map", map, MOVES(VIRT_DATA(WAYS *PAGES), VIRT_OTHER((WAYS + 1) * PAGES))),
		STEP_AS(WRITE, "write", step_write, .slot = REGION, .pages = PAGES,
			.flags = STEP_UNSETTLED, MOVES(ANON_WRITE(PAGES))),
		STEP_AS(DONTNEED, "MADV_DONTNEED", step_advise, .slot = REGION, .pages = PAGES,
			.advice = MADV_DONTNEED, .flags = STEP_UNSETTLED,
			MOVES(ANON_WRITE(-PAGES))),
		STEP_AS(WRITE_MORE, "write more", step_write, .slot = REGION, .pages = 2 * PAGES,
			.flags = STEP_UNSETTLED, MOVES(ANON_WRITE(2 * PAGES))),
		STEP_AS(MREMAP_SHRINKING, "mremap to shrink", step_remap, .slot = REGION,
			.pages = WAYS * PAGES, .becomes = 1, .flags = STEP_UNSETTLED,
			MOVES(ANON_WRITE(-2 * PAGES + 1), VIRT_DATA(-WAYS *PAGES + 1))),
		STEP_AS(WRITE_MOST, "write most", step_write, .slot = FILE_REGION,
			.pages = WAYS * PAGES, .flags = STEP_UNSETTLED,
			MOVES(SHMEM_WRITE(WAYS *PAGES))),
		STEP_AS(FTRUNCATE, "ftruncate", step_truncate, .pages = 0, .flags = STEP_UNSETTLED,
			MOVES(SHMEM_WRITE(-WAYS *PAGES)))),
	.judge = judge,
};
