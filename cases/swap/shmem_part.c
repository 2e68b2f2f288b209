// SPDX-License-Identifier: MIT
/* A mapping's Swap counts the swapped shmem of its own part; punching a hole frees the swap. */
#include <rssck/case.h>

enum { PAGES = 256, HALF = PAGES / 2, WHOLE = 0, FRONT = 1, BACK = 2, FD = 0 };
STEP_SYMBOLS(PUNCH, READ_BACK);

static void map_and_write(struct workload *w)
{
	static const int first[] = { 0, 0, HALF }, pages[] = { PAGES, HALF, HALF };

	w->fd[FD] = workload_shmem(w, PAGES);
	for (int i = 0; i < 3; i++)
		w->slot[i] = workload_map(w, (size_t)pages[i] * w->page_size,
					  PROT_READ | PROT_WRITE, MAP_SHARED, w->fd[FD],
					  first[i] * (off_t)w->page_size);
	touch_write(w, w->slot[WHOLE], PAGES);
}

static void punch(struct workload *w)
{
	if (fallocate(w->fd[FD], FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
		      (off_t)(HALF * w->page_size)) < 0)
		workload_skip(w, "fallocate(FALLOC_FL_PUNCH_HOLE): %m");
}

static void read_back(struct workload *w)
{
	workload_report(w, "zram", workload_swaps_to_zram());
	touch_read(w, w->slot[BACK], HALF);
}

static void judge(const struct trial *t, struct judgement *j)
{
	if (trial_reported(t, READ_BACK, "zram"))
		judge_moved_least(j, READ_BACK, METRIC_STAT_MAJFLT,
				  trial_moved(t, PUNCH, READ_BACK, 0, METRIC_STAT_MAJFLT), 1,
				  "a fault that reads shmem from swap is a major fault");
}

CASE(swap_shmem_part) {
	.claim =
		"Swap of a mapping counts the swapped shmem of the part that the mapping covers; punching a hole lowers Swap, and reading pages back from zram takes major faults",
	.because = "For a mapping of the whole file shmem_swap_usage() takes the file's total; "
		   "for a part it counts entry by entry. shmem_undo_range() subtracts freed "
		   "entries from the total.",
	.said_by = SAID_BY("proc_pid_smaps(5), Swap"),
	.needs = NEEDS("swap"),
	.steps = STEPS(STEP("write", map_and_write,
			    MOVES(VIRT_OTHER(2 * PAGES), SHMEM_WRITE(PAGES))),
		       STEP("page out", step_page_out_shmem, .slot = WHOLE, .pages = PAGES,
			    MOVES(SHMEM_WRITE(-PAGES), SHMEM_SWAPPED(2 * PAGES))),
		       STEP_AS(PUNCH, "punch", punch, MOVES(SHMEM_SWAPPED(-2 * HALF))),
		       STEP_AS(READ_BACK, "read back", read_back,
			       MOVES(SHMEM_SWAPPED(-2 * HALF), SHMEM_WRITE(HALF)))),
	.judge = judge,
};
