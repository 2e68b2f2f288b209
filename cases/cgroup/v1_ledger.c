// SPDX-License-Identifier: MIT
/*
 * Double-entry bookkeeping for cgroup v1: each load allocates memory in a cgroup and frees it. Some
 * loads move the process to another cgroup in between; up to 6.12 its charges move, too.
 */
#include "v1.h"

STEP_SYMBOLS(TAKE);

static bool move(const struct workload *w, char *p)
{
	(void)w, (void)p;
	errno = EOPNOTSUPP;
	return v1_moves && v1_write(v1_memory.other, "cgroup.procs", "0");
}

static int64_t file_beyond_limit(const struct workload *w)
{
	return file_beyond(w, "memory.usage_in_bytes", "memory.limit_in_bytes", "-1");
}

static const struct load loads[] = {
	{ .name = "nothing" },
	/*
	 * The loads that move run first: the kernel prints a number below 0 as 0, and later loads
	 * would raise such a number above 0 and hide the error.
	 */
	{ TAKES("anonymous memory that moves to another cgroup", load_anonymous, move),
	  .moves = { ANON_MEMORY }, .moved = true },
	/* 6.12 splits huge pages when it moves their charges. */
	{ TAKES("huge pages that move to another cgroup", huge_anon, move),
	  .moves = { ANON_MEMORY }, .any = KIND(ANON_THP_PAID), .moved = true },
	{ TAKES("memory that is paged out and moves to another cgroup", load_anonymous,
		load_page_out, move),
	  .moves = { { PAID_SWAPPED, 1 } }, .any = TO_SWAP | KIND(ANON) | KIND(OUT),
	  .moved = true },
	{ TAKES("a mapped memfd that moves to another cgroup", shmem_map, move),
	  .moves = { SHMEM_MEMORY, { MAPPED, 1 } }, .moved = true },
	{ TAKES("a mapped file that moves to another cgroup", file_map, move),
	  .moves = { FILE_MEMORY, { MAPPED, 1 } }, .moved = true },
	{ TAKES("a dirty file that moves to another cgroup", file_map, load_write, move),
	  .moves = { FILE_MEMORY, { MAPPED, 1 } }, .any = KIND(DIRTY) | KIND(WRITTEN_BACK),
	  .moved = true },
	{ TAKES("anonymous memory", load_anonymous), .moves = { ANON_MEMORY },
	  .counts = " pgfault " },
	{ TAKES("memory that is locked", load_anonymous, load_lock), .moves = { LOCKED_MEMORY } },
	{ TAKES("memory that is locked when it is touched", load_untouched, load_lock_on_fault,
		load_write),
	  .moves = { LOCKED_MEMORY } },
	{ TAKES("memory that was moved", load_anonymous, load_remap), .moves = { ANON_MEMORY } },
	{ TAKES("memory that a child has copied", load_anonymous, load_copy),
	  .moves = { COPIED_MEMORY } },
	{ TAKES("memory that is paged out", load_anonymous, load_page_out),
	  .moves = { { PAID_SWAPPED, 1 } }, .any = TO_SWAP | KIND(ANON) | KIND(OUT) },
	{ TAKES("memory that was paged out", load_anonymous, load_page_out, load_write),
	  .moves = { { ANON, 1 }, { PAID_SWAPPED, 1 } }, .any = TO_SWAP | KIND(OUT) },
	{ TAKES("memory that MADV_FREE frees", load_anonymous, load_free, load_page_out),
	  .any = KIND(PAID) | KIND(PAID_SWAPPED) },
	{ TAKES("huge pages", huge_anon), .moves = { ANON_MEMORY } },
	{ TAKES("huge pages that are paged out", huge_anon, load_page_out),
	  .moves = { { PAID_SWAPPED, 1 } }, .any = TO_SWAP | KIND(ANON) | KIND(OUT) },
	/*
	 * A write to a huge page in the swap cache copies its small pages; the huge page stays
	 * charged until it is reclaimed.
	 */
	{ TAKES("huge pages that were paged out", huge_anon, load_page_out, load_write),
	  .moves = { { ANON, 1 } }, .any = TO_SWAP | KIND(OUT) | KIND(PAID_SWAPPED) },
	{ TAKES("huge pages that are locked", huge_anon, load_lock), .moves = { LOCKED_MEMORY } },
	{ TAKES("huge pages that a child has copied", huge_anon, load_copy),
	  .moves = { COPIED_MEMORY } },
	{ DOES("a memfd that nobody maps", shmem_unmapped), .moves = { SHMEM_MEMORY } },
	{ TAKES("a memfd that is mapped", shmem_map), .moves = { SHMEM_MEMORY, { MAPPED, 1 } } },
	{ TAKES("a memfd that is locked", shmem_map, load_lock), .moves = { LOCKED_SHMEM } },
	{ TAKES("a memfd that is paged out", shmem_map, load_page_out),
	  .moves = { { PAID_SWAPPED, 1 } },
	  .any = TO_SWAP | KIND(SHMEM) | KIND(MAPPED) | KIND(OUT) },
	{ DOES("a file that is read", file_read), .moves = { FILE_MEMORY } },
	{ TAKES("a file that is mapped", file_map), .moves = { FILE_MEMORY, { MAPPED, 1 } } },
	{ TAKES("a file that is locked", file_map, load_lock), .moves = { LOCKED_FILE } },
	{ TAKES("a file that is copied", file_map_private, load_write), .moves = { COPIED_FILE } },
	{ DOES("a file that is written", file_written), .moves = { FILE_MEMORY },
	  .any = KIND(DIRTY) | KIND(WRITTEN_BACK) },
	{ TAKES("a file that is written through a mapping", file_map, load_write),
	  .moves = { FILE_MEMORY, { MAPPED, 1 } }, .any = KIND(DIRTY) | KIND(WRITTEN_BACK) },
	{ DOES("a dirty file that is truncated", file_truncated) },
	{ DOES("a file that is reclaimed and read again", file_reclaimed), .moves = { FILE_MEMORY },
	  .any = TO_SWAP | KIND(ANON) | KIND(OUT) | KIND(PAID_SWAPPED) },
	{ DOES("a file that is larger than the limit", file_beyond_limit), .any = ~0ULL },
	{ DOES("reserved hugetlb pages", pool_reserved), .moves = { { POOL_PAID_RESERVED, 1 } } },
	{ DOES("hugetlb pages", pool_used),
	  .moves = { { POOL_PAID, 1 }, { POOL_PAID_RESERVED, 1 } } },
	{ DOES("hugetlb pages that a child has copied", pool_copied), .moves = { { POOL_PAID, 1 } },
	  .any = KIND(POOL_PAID_RESERVED) },
	{ DOES("hugetlb pages without a reservation", pool_unreserved),
	  .moves = { { POOL_PAID, 1 } }, .any = KIND(POOL_PAID_RESERVED) },
	{ DOES("processes", stacks), .moves = { { OTHER, 0 } },
	  .any = KIND(ANON) | KIND(ANON_LISTS) | KIND(PAID) | KIND(PAID_SWAPPED) },
	{ DOES("unread datagrams", datagrams), .moves = { { QUEUED, 1 } } },
	{ DOES("pipes", pipes), .moves = { { PAID, 1 }, { KERNEL, 1 } } },
};

enum { LOADS = sizeof(loads) / sizeof(*loads) };

static void take_and_give_back(struct workload *w)
{
	struct ledgers *b = ledgers_open(w, v1_read);
	int64_t taken = 0;

	v1_enter(w);
	for (size_t i = 0; i < LOADS; i++)
		taken += take(w, &loads[i], b);
	v1_leave();
	ledgers_close(w, b, taken);
}

static void judge(const struct trial *t, struct judgement *j)
{
	if (trial_reported(t, TAKE, "loads") <= LOADS / 4)
		judge_skip(
			j,
			"a machine that can allocate more than a quarter of the kinds of memory");
}

CASE(cgroup_v1_ledger) {
	.claim =
		"In cgroup v1 the numbers of memory.stat, numa_stat and the usage files rise when memory of their kind is allocated, and fall when the memory is freed or, up to 6.12, its charge moves to another cgroup",
	.because = "Each page is charged to one cgroup, which counts it. Up to 6.12 "
		   "mem_cgroup_move_account() subtracts a moved page from the numbers of its old "
		   "cgroup and adds it to the numbers of its new cgroup.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v1/memory.rst"),
	.needs = NEEDS("root"),
	.flags = CASE_THP | CASE_ONE_CPU,
	.limit_s = 120,
	.steps = STEPS(STEP_AS(TAKE, "allocate memory of each kind and free it", take_and_give_back,
			       .checks = 1)),
	.judge = judge,
};
