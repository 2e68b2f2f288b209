// SPDX-License-Identifier: MIT
/*
 * A limit of N lets N be taken and refuses one more, in each way to take some. What is given back,
 * or was taken by a call that failed or by a process that ended, can be taken again.
 */
#include "segments.h"

#define TMPFS "a tmpfs of its own (fsopen(2))"

static void begin(struct workload *w)
{
	place = (struct place) { .w = w };
	mount = (struct mount) { .page = w->page_size, .pages = MOST };
}

static void each_page(struct workload *w)
{
	begin(w);
	WORKLOAD_TRY_ROOMS(w, pages, N, TMPFS);
}

static void each_inode(struct workload *w)
{
	begin(w);
	WORKLOAD_TRY_ROOMS(w, inodes, N, TMPFS);
}

static void each_segment(struct workload *w)
{
	begin(w);
	WORKLOAD_TRY_ROOMS(w, segments, N, "an IPC namespace of its own (unshare(2))");
}

CASE(shmem_limit_exact) {
	.claim = "A tmpfs of N pages, N inodes or a quota of N, SHMALL, SHMMAX, SHMMNI and "
		 "RLIMIT_MEMLOCK of locked segments let exactly N be taken in every way, and "
		 "refuse one more; a call that is refused, even halfway, or fails takes nothing, "
		 "and what is given back, or ends with its process, can be taken again",
	.because = "shmem_inode_acct_blocks(), shmem_reserve_inode(), newseg() and "
		   "user_shm_lock() compare what is taken with the limit before they allocate, "
		   "and undo it if the allocation fails.",
	.said_by = SAID_BY("tmpfs(5), size, nr_blocks, nr_inodes", "shmget(2), SHMALL, SHMMNI",
			   "shmctl(2), SHM_LOCK"),
	.needs = NEEDS("root"),
	.steps = STEPS(STEP("pages of a tmpfs", each_page, .checks = 1),
		       STEP("inodes of a tmpfs", each_inode, .checks = 1),
		       STEP("segments of System V", each_segment, .checks = 1)),
};
