// SPDX-License-Identifier: MIT
/*
 * Removes a cgroup after its processes have left, while its memory stays. The numbers of the parent
 * cgroup must count this memory until it is freed.
 */
#include "double_entry.h"

STEP_SYMBOLS(REMOVE);

static const struct load loads[] = {
	{ .name = "nothing" },
	{ TAKES("anonymous memory", load_anonymous), .moves = { ANON_MEMORY },
	  .counts = " pgfault*1 " },
	{ TAKES("locked memory", load_anonymous, load_lock), .moves = { LOCKED_MEMORY } },
	{ TAKES("memory that a child has copied", load_anonymous, load_copy),
	  .moves = { COPIED_MEMORY } },
	{ TAKES("memory that is paged out", load_anonymous, load_page_out), .moves = { ON_SWAP },
	  .any = TO_SWAP | KIND(ANON) },
	{ DOES("memory that zswap compresses", anon_compressed),
	  .moves = { ON_SWAP, { UNCOMPRESSED, 1 } }, .any = TO_SWAP | KIND(ANON) },
	{ TAKES("huge pages", huge_anon), .moves = { ANON_MEMORY, { ANON_THP, 1 } } },
	{ DOES("a memfd that nobody maps", shmem_unmapped), .moves = { SHMEM_MEMORY } },
	{ TAKES("a memfd that is mapped", shmem_map), .moves = { SHMEM_MEMORY, { MAPPED, 1 } } },
	{ TAKES("a memfd that is paged out", shmem_map, load_page_out), .moves = { ON_SWAP },
	  .any = TO_SWAP | KIND(SHMEM) | KIND(MAPPED) },
	{ TAKES("huge pages of a tmpfs", shmem_huge_map),
	  .moves = { SHMEM_MEMORY, { MAPPED, 1 }, { SHMEM_THP, 1 }, { SHMEM_THP_MAPPED, 1 } } },
	{ DOES("a file that is read", file_read), .moves = { FILE_MEMORY } },
	{ TAKES("a file that is mapped", file_map), .moves = { FILE_MEMORY, { MAPPED, 1 } } },
	{ TAKES("a file that is locked", file_map, load_lock), .moves = { LOCKED_FILE } },
	{ DOES("a file that is written", file_written), .moves = { FILE_MEMORY },
	  .any = KIND(DIRTY) | KIND(WRITTEN_BACK) },
	{ DOES("hugetlb pages", pool_used), .moves = { POOL_MEMORY }, .any = KIND(POOL_NODES),
	  .loses = KIND(POOL_NODES) },
	{ DOES("hugetlb pages that are shared", pool_shared), .moves = { POOL_MEMORY },
	  .any = KIND(POOL_NODES), .loses = KIND(POOL_NODES) },
	{ DOES("reserved hugetlb pages", pool_reserved),
	  .moves = { { POOL_RESERVED, 1 }, { POOL_PAID_RESERVED, 1 } } },
	{ DOES("unread datagrams", datagrams), .moves = { { QUEUED, 1 }, { PAID, 1 } },
	  .any = KIND(KERNEL) },
	{ DOES("pipes", pipes), .moves = { { PAID, 1 }, { KERNEL, 1 } } },
	{ DOES("pipes, a second time", pipes), .moves = { { PAID, 1 }, { KERNEL, 1 } } },
};

enum { LOADS = sizeof(loads) / sizeof(*loads) };

static bool enter_removed(void)
{
	char path[LEDGER_PATH];

	return mkdir(ledger_path("removed", path), 0755) == 0 &&
	       workload_try_to_set(ledger_path("removed/cgroup.procs", path), "0");
}

static bool remove_cgroup(void)
{
	char from[LEDGER_PATH], to[LEDGER_PATH], pid[24];
	FILE *f;

	ledger_path("stays/cgroup.procs", to);
	f = fopen(ledger_path("removed/cgroup.procs", from), "re");
	while (f && fscanf(f, "%23s", pid) == 1)
		workload_try_to_set(to, pid);
	if (f)
		fclose(f);
	if (rmdir(ledger_path("removed", from)))
		return false;
	workload_await_frees();
	return true;
}

static void leave(struct workload *w)
{
	char path[LEDGER_PATH];

	workload_cgroup_undelegate(w, NULL);
	workload_try_to_set(ledger_path("cgroup.procs", path), "0");
	rmdir(ledger_path("stays", path));
	workload_cgroup_leave(w);
}

/* Enters a child of the cgroup whose numbers are read. */
static void enter(struct workload *w)
{
	char path[LEDGER_PATH];
	int error;

	ledger_enter(w);
	if (mkdir(ledger_path("stays", path), 0755) == 0 &&
	    workload_try_to_set(ledger_path("stays/cgroup.procs", path), "0") &&
	    workload_cgroup_delegate(w, NULL))
		return;
	error = errno;
	leave(w);
	workload_skip(w, "a cgroup inside a cgroup: %s", strerror(error));
}

static int64_t dying(void)
{
	char path[LEDGER_PATH];

	return workload_number(ledger_path("cgroup.stat", path), "nr_dying_descendants", 0);
}

/*
 * A removed cgroup ends with its last charge, once RCU has run its callbacks. Each CPU keeps some
 * freed swap slots back, with their charge (mm/swap_slots.c, up to 6.15).
 */
static void must_end(struct workload *w, const struct load *load, int64_t before)
{
	struct patience p = { .seconds = 10 };

	while (!(load->any & TO_SWAP) && dying() > before)
		if (!workload_pause(&p))
			workload_fail(w,
				      "after %s: nr_dying_descendants is %" PRId64
				      " instead of %" PRId64 ", though all memory is freed",
				      load->name, dying(), before);
}

static void remove_each(struct workload *w)
{
	struct ledgers *b = ledgers_open(w, ledger_read);
	const struct ledger_line *nodes;
	int64_t taken = 0;

	enter(w);
	load_begins = enter_removed;
	load_ends = remove_cgroup;
	for (size_t i = 0; i < LOADS; i++) {
		int64_t before = dying();

		taken += take(w, &loads[i], b);
		must_end(w, &loads[i], before);
	}
	leave(w);
	nodes = ledger_find(b->before, "hugetlb.numa_stat.total-nodes", 0);
	if (nodes)
		workload_report(w, "total minus nodes", llabs(nodes->value));
	ledgers_close(w, b, taken);
}

static void judge(const struct trial *t, struct judgement *j)
{
	enum { NONE = -1 };
	int64_t nodes_off = trial_reported_or(t, REMOVE, "total minus nodes", NONE);

	if (trial_reported(t, REMOVE, "loads") <= LOADS / 4)
		judge_skip(
			j,
			"a machine that can allocate more than a quarter of the kinds of memory");
	if (nodes_off != NONE)
		judge_fact(j, "hugetlb.numa_stat_of_pages_whose_cgroup_is_removed", "%s",
			   nodes_off ? "total alone" : "total and nodes");
}

CASE(machine_removed) {
	.claim =
		"Memory whose cgroup is removed stays in the numbers of the parent cgroup and of the machine until it is freed; on most kernels only the node counts of hugetlb.*.numa_stat lose it",
	.because =
		"A removed cgroup stays in the kernel until its last page is uncharged, or its pages are charged to the parent cgroup (reparenting). Neither changes the sums.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat, "
			   "nr_dying_descendants"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_THP | CASE_ONE_CPU,
	.limit_s = 120,
	.steps = STEPS(STEP_AS(REMOVE, "allocate memory, and remove its cgroup", remove_each,
			       .checks = 1)),
	.facts = FACTS(FACT(
		"hugetlb.numa_stat_of_pages_whose_cgroup_is_removed",
		"When a cgroup with hugetlb pages is removed, numa_stat of its parent counts them in",
		"total and nodes|total alone")),
	.judge = judge,
};
