// SPDX-License-Identifier: MIT
/* Swapped shmem is in Swap of smaps, and in no process's VmSwap or SwapPss. */
#include "../shmem/sysvipc.h"
#include <sys/ipc.h>

enum { PAGES = 256, REGION = 0, ID = 0 };

/* Uses a System V segment, because /proc/sysvipc/shm shows how much of it is on swap. */
static void attach_and_write(struct workload *w)
{
	int id = shmget(IPC_PRIVATE, PAGES * w->page_size, IPC_CREAT | 0600);

	if (id < 0)
		workload_skip(w, "shmget(2): %m");
	w->slot[REGION] = shmat(id, NULL, 0);
	shmctl(id, IPC_RMID, NULL);
	if (w->slot[REGION] == (void *)-1)
		workload_die(w, "shmat(2): %m");
	workload_remember(w, w->slot[REGION], PAGES * w->page_size);
	w->number[ID] = id;
	touch_write(w, w->slot[REGION], PAGES);
}

/* Returns the segment's bytes on swap; -1 if it has no line. */
static long long swapped(long long id)
{
	struct segment_line s;

	return segment_line_of((int)id, &s) ? s.swap : -1;
}

static void page_out(struct workload *w)
{
	long long all = (long long)(PAGES * w->page_size), now;
	struct patience patience = { .seconds = 5 };

	for (;;) {
		workload_advise(w, w->slot[REGION], PAGES * w->page_size, MADV_PAGEOUT);
		now = swapped(w->number[ID]);
		if (now == all)
			return;
		workload_wait(w, &patience,
			      "swap that takes all of the shmem (it took %lld of %lld bytes)", now,
			      all);
		/*
		 * MADV_PAGEOUT skips unmapped pages, so the step maps pages that are still in
		 * memory.
		 */
		touch_read(w, w->slot[REGION], PAGES);
	}
}

CASE(swap_shmem_swap) {
	.claim = "Swap of smaps counts swapped shmem; VmSwap and SwapPss do not, so top's SWAP "
		 "does not show it",
	.because = "The swap entry is in tmpfs's tree, not in the page table, whose entry is "
		   "empty. smaps reads this tree (shmem_swap_usage()); no counter of the mm "
		   "includes it.",
	.said_by = SAID_BY("proc_pid_status(5), VmSwap: 'shmem swap usage is not included'"),
	.needs = NEEDS("swap"),
	.steps = STEPS(STEP("write", attach_and_write,
			    MOVES(VIRT_OTHER(PAGES), SHMEM_WRITE(PAGES))),
		       STEP("page out", page_out, MOVES(SHMEM_WRITE(-PAGES), SHMEM_SWAPPED(PAGES))),
		       STEP("read again", step_read, .pages = PAGES,
			    MOVES(SHMEM_WRITE(PAGES), SHMEM_SWAPPED(-PAGES)))),
};
