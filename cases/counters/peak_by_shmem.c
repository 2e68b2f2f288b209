// SPDX-License-Identifier: MIT
/* VmHWM includes pages of shared memory that hole punching, MADV_DONTNEED or munmap removes. */
#include "peak_by.h"

/* Each of the three ways to remove pages starts from a higher RSS than the one before. */
enum { PAGES = 2048, WAYS = 3, MOST = WAYS * PAGES };
STEP_SYMBOLS(WRITE, PUNCH_A_HOLE, WRITE_MORE, DONTNEED, WRITE_MOST, MUNMAP);

static void judge(const struct trial *t, struct judgement *j)
{
	static const unsigned ways[WAYS][2] = { { WRITE, PUNCH_A_HOLE },
						{ WRITE_MORE, DONTNEED },
						{ WRITE_MOST, MUNMAP } };

	judge_peaks_by(t, j, ways, WAYS);
}

CASE(counters_peak_by_shmem) {
	.claim =
		"Before a punched hole, MADV_DONTNEED or munmap removes shared memory, the kernel raises VmHWM to the approximate RSS, so VmHWM is too low by at most the lag of RSS",
	.because =
		"A hole and MADV_DONTNEED zap pages in functions such as zap_page_range_single() (7.3: zap_vma_range_batched()). munmap does so in unmap_region(), since 6.12 in vms_clear_ptes(). Each calls update_hiwater_rss() first.",
	.said_by = SAID_BY("proc_pid_status(5), VmHWM"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP("map", step_map_shmem, .pages = MOST, MOVES(VIRT_OTHER(MOST))),
		       STEP_AS(WRITE, "write", step_write, .pages = PAGES, .flags = STEP_UNSETTLED,
			       MOVES(SHMEM_WRITE(PAGES))),
		       STEP_AS(PUNCH_A_HOLE, "punch a hole", step_advise, .pages = MOST,
			       .advice = MADV_REMOVE, .flags = STEP_UNSETTLED,
			       MOVES(SHMEM_WRITE(-PAGES))),
		       STEP_AS(WRITE_MORE, "write more", step_write, .pages = 2 * PAGES,
			       .flags = STEP_UNSETTLED, MOVES(SHMEM_WRITE(2 * PAGES))),
		       STEP_AS(DONTNEED, "MADV_DONTNEED", step_advise, .pages = MOST,
			       .advice = MADV_DONTNEED, .flags = STEP_UNSETTLED,
			       MOVES(SHMEM_WRITE(-2 * PAGES))),
		       STEP_AS(WRITE_MOST, "write most", step_write, .pages = MOST,
			       .flags = STEP_UNSETTLED, MOVES(SHMEM_WRITE(MOST))),
		       STEP_AS(MUNMAP, "munmap", step_unmap, .pages = MOST, .flags = STEP_UNSETTLED,
			       MOVES(VIRT_OTHER(-MOST), SHMEM_WRITE(-MOST)))),
	.judge = judge,
};
