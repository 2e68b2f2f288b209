// SPDX-License-Identifier: MIT
/*
 * A limit of N lets N be taken and refuses one more, in each way to take some. What is given back
 * can be taken again.
 */
#include "room.h"

#define TMPFS "a tmpfs of its own (fsopen(2))"

enum { FINE, WRONG, IMPOSSIBLE };

static const struct way *way;

static int must_use(const char *when, int64_t expected)
{
	int64_t used = way->used();

	if (used < 0 || used == expected)
		return FINE;
	return workload_say(WRONG, "%lld are counted %s, should be %lld", (long long)used, when,
			    (long long)expected);
}

static int must_take(int i)
{
	if (!way->take(i))
		return workload_say(WRONG, "number %d of %d is refused: %m", i + 1, N);
	return must_use("after taking one", i + 1);
}

static int must_be_full(int i)
{
	if (way->take(i))
		return workload_say(WRONG, "number %d is not refused though the limit is %d", i + 1,
				    N);
	if (errno != way->refused)
		return workload_say(WRONG, "number %d is refused, but with: %m", i + 1);
	return must_use("after one was refused", N);
}

static int must_give(int i)
{
	if (!way->give(i))
		return workload_say(WRONG, "number %d cannot be given back: %m", i + 1);
	return must_use("after giving one back", i);
}

static int try_way(const struct workload *w)
{
	int result = FINE;

	room.page = w->page_size;
	if (!way->limit(N))
		return workload_say(IMPOSSIBLE, "%m");
	for (int i = 0; i < N && !result; i++)
		result = must_take(i);
	result = result ? result : must_be_full(N);
	if (result)
		return result;
	result = must_give(N - 1);
	result = result ? result : must_take(N - 1);
	result = result ? result : must_be_full(N);
	for (int i = N - 1; i >= 0 && !result; i--)
		result = must_give(i);
	return result;
}

static void each_way(struct workload *w, const struct way *ways, size_t nr, const char *needs)
{
	char text[256] = "";

	room.w = w;
	for (way = ways; way < ways + nr; way++) {
		int result = workload_in_child_that_says(w, try_way, text, sizeof(text));

		if (result == WRONG)
			workload_fail(w, "%s: %s", way->name, text);
		if (result == IMPOSSIBLE && way->need == REQUIRED)
			workload_skip_step(w, "%s: %s", needs, text);
	}
	workload_checked(w);
}

#define EACH(ways, needs) each_way(w, ways, sizeof(ways) / sizeof(*(ways)), needs)

static void each_page(struct workload *w)
{
	EACH(page_ways, TMPFS);
}

static void each_inode(struct workload *w)
{
	EACH(inode_ways, TMPFS);
}

static void each_segment(struct workload *w)
{
	EACH(segment_ways, "an IPC namespace of its own (unshare(2))");
}

CASE(shmem_limit_exact) {
	.claim = "A tmpfs of N pages, N inodes or a quota of N, SHMALL, SHMMAX, SHMMNI and "
		 "RLIMIT_MEMLOCK of locked segments let exactly N be taken in every way, and "
		 "refuse one more; a refused call takes nothing, and what is given back can be "
		 "taken again",
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
