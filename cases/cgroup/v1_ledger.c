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
	{ .name = "anonymous memory that moves to another cgroup",
	  .take = load_anonymous,
	  .then = { move },
	  .moves = { ANON_MEMORY },
	  .moved = true },
	/* 6.12 splits huge pages when it moves their charges. */
	{ .name = "huge pages that move to another cgroup",
	  .take = huge_anon,
	  .then = { move },
	  .moves = { ANON_MEMORY },
	  .any = KIND(ANON_THP_PAID),
	  .moved = true },
	{ .name = "memory that is paged out and moves to another cgroup",
	  .take = load_anonymous,
	  .then = { load_page_out, move },
	  .moves = { { PAID_SWAPPED, 1 } },
	  .any = TO_SWAP | KIND(ANON) | KIND(OUT),
	  .moved = true },
	{ .name = "a mapped memfd that moves to another cgroup",
	  .take = shmem_map,
	  .then = { move },
	  .moves = { SHMEM_MEMORY, { MAPPED, 1 } },
	  .moved = true },
	{ .name = "a mapped file that moves to another cgroup",
	  .take = file_map,
	  .then = { move },
	  .moves = { FILE_MEMORY, { MAPPED, 1 } },
	  .moved = true },
	{ .name = "a dirty file that moves to another cgroup",
	  .take = file_map,
	  .then = { load_write, move },
	  .moves = { FILE_MEMORY, { MAPPED, 1 } },
	  .any = KIND(DIRTY) | KIND(WRITTEN_BACK),
	  .moved = true },
	{ .name = "anonymous memory",
	  .take = load_anonymous,
	  .moves = { ANON_MEMORY },
	  .counts = " pgfault " },
	{ .name = "memory that is locked",
	  .take = load_anonymous,
	  .then = { load_lock },
	  .moves = { LOCKED_MEMORY } },
	{ .name = "memory that is locked when it is touched",
	  .take = load_untouched,
	  .then = { load_lock_on_fault, load_write },
	  .moves = { LOCKED_MEMORY } },
	{ .name = "memory that was moved",
	  .take = load_anonymous,
	  .then = { load_remap },
	  .moves = { ANON_MEMORY } },
	{ .name = "memory that a child has copied",
	  .take = load_anonymous,
	  .then = { load_copy },
	  .moves = { COPIED_MEMORY } },
	{ .name = "memory that is paged out",
	  .take = load_anonymous,
	  .then = { load_page_out },
	  .moves = { { PAID_SWAPPED, 1 } },
	  .any = TO_SWAP | KIND(ANON) | KIND(OUT) },
	{ .name = "memory that was paged out",
	  .take = load_anonymous,
	  .then = { load_page_out, load_write },
	  .moves = { { ANON, 1 }, { PAID_SWAPPED, 1 } },
	  .any = TO_SWAP | KIND(OUT) },
	{ .name = "memory that MADV_FREE frees",
	  .take = load_anonymous,
	  .then = { load_free, load_page_out },
	  .any = KIND(PAID) | KIND(PAID_SWAPPED) },
	{ .name = "huge pages", .take = huge_anon, .moves = { ANON_MEMORY } },
	{ .name = "huge pages that are paged out",
	  .take = huge_anon,
	  .then = { load_page_out },
	  .moves = { { PAID_SWAPPED, 1 } },
	  .any = TO_SWAP | KIND(ANON) | KIND(OUT) },
	/*
	 * A write to a huge page in the swap cache copies its small pages; the huge page stays
	 * charged until it is reclaimed.
	 */
	{ .name = "huge pages that were paged out",
	  .take = huge_anon,
	  .then = { load_page_out, load_write },
	  .moves = { { ANON, 1 } },
	  .any = TO_SWAP | KIND(OUT) | KIND(PAID_SWAPPED) },
	{ .name = "huge pages that are locked",
	  .take = huge_anon,
	  .then = { load_lock },
	  .moves = { LOCKED_MEMORY } },
	{ .name = "huge pages that a child has copied",
	  .take = huge_anon,
	  .then = { load_copy },
	  .moves = { COPIED_MEMORY } },
	{ .name = "a memfd that nobody maps", .act = shmem_unmapped, .moves = { SHMEM_MEMORY } },
	{ .name = "a memfd that is mapped",
	  .take = shmem_map,
	  .moves = { SHMEM_MEMORY, { MAPPED, 1 } } },
	{ .name = "a memfd that is locked",
	  .take = shmem_map,
	  .then = { load_lock },
	  .moves = { LOCKED_SHMEM } },
	{ .name = "a memfd that is paged out",
	  .take = shmem_map,
	  .then = { load_page_out },
	  .moves = { { PAID_SWAPPED, 1 } },
	  .any = TO_SWAP | KIND(SHMEM) | KIND(MAPPED) | KIND(OUT) },
	{ .name = "a file that is read", .act = file_read, .moves = { FILE_MEMORY } },
	{ .name = "a file that is mapped",
	  .take = file_map,
	  .moves = { FILE_MEMORY, { MAPPED, 1 } } },
	{ .name = "a file that is locked",
	  .take = file_map,
	  .then = { load_lock },
	  .moves = { LOCKED_FILE } },
	{ .name = "a file that is copied",
	  .take = file_map_private,
	  .then = { load_write },
	  .moves = { COPIED_FILE } },
	{ .name = "a file that is written",
	  .act = file_written,
	  .moves = { FILE_MEMORY },
	  .any = KIND(DIRTY) | KIND(WRITTEN_BACK) },
	{ .name = "a file that is written through a mapping",
	  .take = file_map,
	  .then = { load_write },
	  .moves = { FILE_MEMORY, { MAPPED, 1 } },
	  .any = KIND(DIRTY) | KIND(WRITTEN_BACK) },
	{ .name = "a dirty file that is truncated", .act = file_truncated },
	{ .name = "a file that is reclaimed and read again",
	  .act = file_reclaimed,
	  .moves = { FILE_MEMORY },
	  .any = TO_SWAP | KIND(ANON) | KIND(OUT) | KIND(PAID_SWAPPED) },
	{ .name = "a file that is larger than the limit", .act = file_beyond_limit, .any = ~0ULL },
	{ .name = "reserved hugetlb pages",
	  .act = pool_reserved,
	  .moves = { { POOL_PAID_RESERVED, 1 } } },
	{ .name = "hugetlb pages",
	  .act = pool_used,
	  .moves = { { POOL_PAID, 1 }, { POOL_PAID_RESERVED, 1 } } },
	{ .name = "hugetlb pages that a child has copied",
	  .act = pool_copied,
	  .moves = { { POOL_PAID, 1 } },
	  .any = KIND(POOL_PAID_RESERVED) },
	{ .name = "hugetlb pages without a reservation",
	  .act = pool_unreserved,
	  .moves = { { POOL_PAID, 1 } },
	  .any = KIND(POOL_PAID_RESERVED) },
	{ .name = "processes",
	  .act = stacks,
	  .moves = { { OTHER, 0 } },
	  .any = KIND(ANON) | KIND(ANON_LISTS) | KIND(PAID) | KIND(PAID_SWAPPED) },
	{ .name = "unread datagrams", .act = datagrams, .moves = { { QUEUED, 1 } } },
	{ .name = "pipes", .act = pipes, .moves = { { PAID, 1 }, { KERNEL, 1 } } },
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
