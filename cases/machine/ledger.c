// SPDX-License-Identifier: MIT
/*
 * Double entry for numbers of the machine: each load allocates memory and frees it. Each number
 * that counts its kind of memory moves by its pages, no other number moves, and all numbers return
 * to their old values.
 */
#include "../hugetlb/pages.h"
#include "swap_loads.h"

STEP_SYMBOLS(TAKE, TAKE_CHARGED);

#define HUGE_LOCKED_EVENTS                                                     \
	" thp_split_pmd? unevictable_pgs_mlocked? unevictable_pgs_munlocked? " \
	"unevictable_pgs_culled? unevictable_pgs_rescued? "

/* clang-format off */
#define TABLE_MEMORY { TABLES, 1 }, { PAID, 1 }, { KERNEL, 1 }
/* clang-format on */
#define TABLE_EVENTS " pgfault*1 thp_fault_fallback? thp_zero_page_alloc? thp_split_pmd? "

static const struct load loads[] = {
	{ .name = "nothing" },
	{ TAKES("anonymous memory", load_anonymous), .moves = { ANON_MEMORY },
	  .counts = " pgfault*1 " },
	{ TAKES("anonymous memory that migrates", load_anonymous, load_migrate),
	  .moves = { ANON_MEMORY }, .counts = " pgfault*1 pgmigrate_success*2 " },
	{ TAKES("anonymous memory that mbind(2) moves", load_anonymous, load_bind),
	  .moves = { ANON_MEMORY }, .counts = " pgfault*1 pgmigrate_success*2 " },
	{ DOES("memory that NUMA balancing moves", anon_balanced), .moves = { ANON_MEMORY },
	  .counts = " pgfault? pgmigrate_success*2 numa_pages_migrated*1 numa_pte_updates "
		    "numa_hint_faults " },
	{ TAKES("memory that is locked", load_anonymous, load_lock), .moves = { LOCKED_MEMORY },
	  .counts = " pgfault*1 " LOCKED_EVENTS },
	{ TAKES("memory that is locked before it is touched", load_untouched, load_lock),
	  .moves = { LOCKED_MEMORY }, .counts = " pgfault*1 " LOCKED_EVENTS },
	{ TAKES("memory that was locked", load_anonymous, load_lock, load_unlock),
	  .moves = { ANON_MEMORY }, .counts = " pgfault*1 " LOCKED_EVENTS },
	{ TAKES("memory that is locked when it is touched", load_untouched, load_lock_on_fault,
		load_write),
	  .moves = { LOCKED_MEMORY }, .counts = " pgfault*1 " LOCKED_EVENTS },
	{ TAKES("memory that was moved", load_anonymous, load_remap), .moves = { ANON_MEMORY },
	  .counts = " pgfault*1 " },
	{ TAKES("memory that a child has copied", load_anonymous, load_copy),
	  .moves = { COPIED_MEMORY }, .counts = " pgfault*2 " },
	{ DOES("memory that is pinned and unpinned", anon_pinned), .moves = { ANON_MEMORY },
	  .counts = " pgfault*1 " },
	{ TAKES("memory that MADV_FREE frees", load_anonymous, load_free, load_page_out),
	  .any = KIND(PAID), .counts = " pgfault*1 pglazyfree*1 pglazyfreed*1 " },
	{ TAKES("huge pages", huge_anon), .moves = { ANON_MEMORY, { ANON_THP, 1 } },
	  .counts = HUGE_EVENTS },
	{ TAKES("huge pages that migrate", huge_anon, load_migrate, thp_stays),
	  .moves = { ANON_MEMORY, { ANON_THP, 1 } },
	  .counts = HUGE_EVENTS " pgmigrate_success*2 thp_migration_success*2 " },
	{ TAKES("huge pages that are locked", huge_anon, load_lock),
	  .moves = { LOCKED_MEMORY, { ANON_THP, 1 } }, .counts = HUGE_EVENTS HUGE_LOCKED_EVENTS },
	{ TAKES("huge pages that were locked", huge_anon, load_lock, load_unlock, thp_stays),
	  .moves = { ANON_MEMORY, { ANON_THP, 1 } }, .counts = HUGE_EVENTS HUGE_LOCKED_EVENTS },
	{ TAKES("huge pages that a child has copied", huge_anon, load_copy),
	  .moves = { COPIED_MEMORY }, .any = KIND(ANON_THP),
	  .counts = " thp_fault_alloc? anon_fault_alloc? thp_fault_fallback? pgfault? "
		    "anon_fault_fallback? thp_wp_alloc? " SPLIT_EVENTS
		    " thp_deferred_split_page? " },
	{ TAKES("huge pages that MADV_FREE frees", huge_anon, load_free, load_page_out),
	  .any = KIND(PAID),
	  .counts = HUGE_EVENTS
	  " pglazyfree*1 pglazyfreed*1 thp_deferred_split_page? " SPLIT_EVENTS },
	{ TAKES("huge pages that are split", huge_anon, thp_split), .moves = { ANON_MEMORY },
	  .any = KIND(ANON_THP),
	  .counts = HUGE_EVENTS
	  " thp_deferred_split_page*1 split_deferred*1 thp_split_pmd*1 " SPLIT_EVENTS },
	{ DOES("huge pages that were collapsed", thp_collapsed),
	  .moves = { ANON_MEMORY, { ANON_THP, 1 } }, .counts = " pgfault*1 thp_collapse_alloc*1 " },
	{ DOES("a memfd that nobody maps", shmem_unmapped), .moves = { SHMEM_MEMORY } },
	{ TAKES("a memfd that is mapped", shmem_map), .moves = { SHMEM_MEMORY, { MAPPED, 1 } },
	  .counts = " pgfault? " },
	{ TAKES("a memfd that migrates", shmem_map, load_migrate),
	  .moves = { SHMEM_MEMORY, { MAPPED, 1 } }, .counts = " pgfault? pgmigrate_success*2 " },
	{ TAKES("a memfd that is locked", shmem_map, load_lock), .moves = { LOCKED_SHMEM },
	  .counts = " pgfault? pgactivate? " LOCKED_EVENTS },
	{ TAKES("a memfd that was locked", shmem_map, load_lock, load_unlock),
	  .moves = { SHMEM_MEMORY, { MAPPED, 1 } },
	  .counts = " pgfault? pgactivate? " LOCKED_EVENTS },
	{ TAKES("a System V segment that SHM_LOCK locks", load_segment),
	  .moves = { { SHMEM, 1 },
		     { CACHE, 1 },
		     { UNEVICTABLE_LIST, 1 },
		     { MAPPED, 1 },
		     { PAID, 1 } },
	  .counts = " pgfault? unevictable_pgs_culled*1 " },
	{ TAKES("a System V segment that was locked", load_segment, load_segment_unlock),
	  .moves = { SHMEM_MEMORY, { MAPPED, 1 } },
	  .counts = " pgfault? unevictable_pgs_culled*1 unevictable_pgs_scanned*1 "
		    "unevictable_pgs_rescued*1 " },
	{ DOES("a memfd with punched holes", shmem_punched), .moves = { SHMEM_MEMORY } },
	{ TAKES("huge pages of a tmpfs", shmem_huge_map),
	  .moves = { SHMEM_MEMORY, { MAPPED, 1 }, { SHMEM_THP, 1 }, { SHMEM_THP_MAPPED, 1 } },
	  .counts = HUGE_SHMEM_EVENTS " thp_file_mapped*1 " },
	{ TAKES("huge pages of a tmpfs that migrate", shmem_huge_map, load_migrate),
	  .moves = { SHMEM_MEMORY, { MAPPED, 1 } }, .any = KIND(SHMEM_THP) | KIND(SHMEM_THP_MAPPED),
	  .counts = HUGE_SHMEM_EVENTS
	  " thp_file_mapped*1 pgmigrate_success*2 thp_migration_success*2 " },
	{ TAKES("huge pages of a tmpfs that are locked", shmem_huge_map, load_lock),
	  .moves = { LOCKED_SHMEM }, .any = KIND(SHMEM_THP) | KIND(SHMEM_THP_MAPPED),
	  .counts = HUGE_SHMEM_EVENTS
	  " thp_file_mapped? pgfault? pgactivate? " HUGE_LOCKED_EVENTS },
	{ TAKES("huge pages of a tmpfs that were locked", shmem_huge_map, load_lock, load_unlock),
	  .moves = { SHMEM_MEMORY, { MAPPED, 1 } }, .any = KIND(SHMEM_THP) | KIND(SHMEM_THP_MAPPED),
	  .counts = HUGE_SHMEM_EVENTS
	  " thp_file_mapped? pgfault? pgactivate? " HUGE_LOCKED_EVENTS },
	{ DOES("huge pages of a tmpfs that are split", shmem_huge_split), .moves = { SHMEM_MEMORY },
	  .counts = HUGE_SHMEM_EVENTS " thp_file_mapped*1 thp_split_page*1 split*1 pgactivate? " },
	{ DOES("huge pages of a tmpfs that are truncated and written again", shmem_huge_cut),
	  .moves = { SHMEM_MEMORY }, .any = KIND(SHMEM_THP),
	  .counts = HUGE_SHMEM_EVENTS " thp_file_mapped*1 thp_split_page? split? pgactivate? "
				      "thp_file_fallback? shmem_fallback? " },
	{ DOES("a memfd that was collapsed", shmem_collapsed),
	  .moves = { SHMEM_MEMORY, { SHMEM_THP, 1 } }, .any = KIND(SHMEM_THP_MAPPED) | KIND(MAPPED),
	  .counts = " thp_collapse_alloc? thp_file_mapped? " },
	{ DOES("a file that is read", file_read), .moves = { FILE_MEMORY } },
	{ DOES("a file that is read three times", file_used), .moves = { FILE_MEMORY },
	  .counts = " pgactivate? " },
	{ DOES("a file that is read three times, with MGLRU off", file_used), .by_lists = true,
	  .moves = { FILE_MEMORY }, .counts = " pgactivate? " },
	{ TAKES("a file that is mapped", file_map), .moves = { FILE_MEMORY, { MAPPED, 1 } },
	  .counts = " pgfault? pgmajfault? " },
	{ DOES("a file that sendfile(2) reads", file_sent), .moves = { FILE_MEMORY },
	  .counts = " pgactivate? " },
	{ TAKES("a mapped file that POSIX_FADV_DONTNEED deactivates", file_map, load_deactivate),
	  .moves = { FILE_MEMORY, { MAPPED, 1 } },
	  .counts = " pgfault? pgmajfault? pgdeactivate? pgrotated? " },
	{ TAKES("a file that migrates", file_map, load_migrate),
	  .moves = { FILE_MEMORY, { MAPPED, 1 } },
	  .counts = " pgfault? pgmajfault? pgmigrate_success*2 " },
	{ TAKES("a file that is locked", file_map, load_lock), .moves = { LOCKED_FILE },
	  .counts = " pgfault? pgmajfault? pgactivate? " LOCKED_EVENTS },
	{ TAKES("a file that was locked", file_map, load_lock, load_unlock),
	  .moves = { FILE_MEMORY, { MAPPED, 1 } },
	  .counts = " pgfault? pgmajfault? pgactivate? " LOCKED_EVENTS },
	{ TAKES("a file that is copied", file_map_private, load_write), .moves = { COPIED_FILE },
	  .counts = " pgfault? pgmajfault? " },
	{ DOES("a file that is written", file_written), .moves = { FILE_MEMORY },
	  .any = KIND(DIRTY) | KIND(WRITTEN_BACK), .counts = " nr_dirtied*1 nr_written? " },
	{ TAKES("a file that is written through a mapping", file_map, load_write),
	  .moves = { FILE_MEMORY, { MAPPED, 1 } }, .any = KIND(DIRTY) | KIND(WRITTEN_BACK),
	  .counts = " pgfault? pgmajfault? nr_dirtied*1 nr_written? " },
	{ TAKES("a dirty file that migrates", file_map, load_write, load_migrate),
	  .moves = { FILE_MEMORY, { MAPPED, 1 } }, .any = KIND(DIRTY) | KIND(WRITTEN_BACK),
	  .counts = " pgfault? pgmajfault? nr_dirtied*1 nr_written? pgmigrate_success*2 " },
	{ DOES("a file that is written and synced", file_synced), .moves = { FILE_MEMORY },
	  .counts = " nr_dirtied*1 nr_written*1 " },
	{ DOES("a file that is written and dropped while it is written back",
	       file_written_and_dropped),
	  .any = KIND(CACHE) | KIND(FILE_LISTS) | KIND(BOTH_LISTS) | KIND(PAID) | KIND(DIRTY) |
		 KIND(WRITTEN_BACK),
	  .counts = " nr_dirtied*1 nr_written*1 pgdeactivate? pgrotated? " },
	{ DOES("a dirty file that is truncated", file_truncated),
	  .counts = " nr_dirtied*1 nr_written? " },
	{ DOES("a file that is reclaimed and read again", file_reclaimed), .moves = { FILE_MEMORY },
	  .any = TO_SWAP | KIND(ANON), .counts = " pgsteal_file*1 pgsteal pgscan " RECLAIM_EVENTS },
	{ DOES("a file that is reclaimed with MGLRU off and read again", file_reclaimed),
	  .by_lists = true, .moves = { FILE_MEMORY }, .any = TO_SWAP | KIND(ANON),
	  .counts = " pgsteal_file*1 pgsteal pgscan " RECLAIM_EVENTS },
	{ DOES("a file that is larger than memory.max", file_beyond_max), .any = ~0ULL,
	  .raises = " memory.events.max memory.events.local.max ", .counts = RECLAIM_EVENTS },
	{ DOES("a file that is larger than memory.high", file_beyond_high), .any = ~0ULL,
	  .raises = " memory.events.high memory.events.local.high ", .counts = RECLAIM_EVENTS },
	{ DOES("reserved hugetlb pages", pool_reserved),
	  .moves = { { POOL_RESERVED, 1 }, { POOL_PAID_RESERVED, 1 } } },
	{ DOES("hugetlb pages", pool_used), .moves = { POOL_MEMORY } },
	{ DOES("hugetlb pages that are shared", pool_shared), .moves = { POOL_MEMORY } },
	{ DOES("hugetlb pages that a child has copied", pool_copied),
	  .moves = { { POOL_FREE, -1 }, { POOL_PAID, 1 } },
	  .any = KIND(POOL_RESERVED) | KIND(POOL_PAID_RESERVED) },
	{ DOES("hugetlb pages without a reservation", pool_unreserved),
	  .moves = { { POOL_FREE, -1 }, { POOL_PAID, 1 } }, .any = KIND(POOL_PAID_RESERVED) },
	{ DOES("hugetlb pages that are punched out of a file", pool_punched) },
	{ DOES("hugetlb pages that migrate", pool_migrated), .any = KIND(ANON_FOLIOS),
	  .loses = KIND(ANON_FOLIOS), .below = KIND(POOL_BYTES), .moves = { POOL_MEMORY },
	  .counts = " pgmigrate_success? " },
	{ DOES("surplus hugetlb pages", pool_surplus),
	  .moves = { { POOL, 1 }, { POOL_SURPLUS, 1 } },
	  .any = KIND(POOL_FREE) | KIND(POOL_PAID) | KIND(POOL_PAID_RESERVED),
	  .counts = " htlb_buddy_alloc_success*1 " },
	{ DOES("hugetlb pages bound to a node that has too few", pool_bound),
	  .any = KIND(POOL) | KIND(POOL_SURPLUS) | KIND(POOL_FREE) | KIND(POOL_PAID) |
		 KIND(POOL_PAID_RESERVED),
	  .counts = " htlb_buddy_alloc_success? htlb_buddy_alloc_fail? " },
	{ DOES("a pool that is resized", pool_resized), .moves = { POOL_MEMORY },
	  .counts = " htlb_buddy_alloc_success*1 " },
	{ DOES("processes", stacks), .moves = { { OTHER, 0 } },
	  .any = KIND(STACKS) | KIND(ANON) | KIND(ANON_LISTS) | KIND(BOTH_LISTS) | KIND(PAID),
	  /* On powerpc with pages of 64 KiB huge pages may map the program's own file. */
	  .counts = " pgfault? thp_file_mapped? " },
	{ DOES("unread datagrams", datagrams), .moves = { { QUEUED, 1 }, { PAID, 1 } },
	  .any = KIND(KERNEL) },
	/*
	 * A second load, because the kernel prints a number below 0 as 0: an error that the first
	 * load leaves may show only now.
	 */
	{ DOES("unread datagrams, a second time", datagrams),
	  .moves = { { QUEUED, 1 }, { PAID, 1 } }, .any = KIND(KERNEL) },
	{ DOES("pipes", pipes), .moves = { { PAID, 1 }, { KERNEL, 1 } } },
	{ DOES("pipes, a second time", pipes), .moves = { { PAID, 1 }, { KERNEL, 1 } } },
	{ DOES("page tables", tables_small), .moves = { TABLE_MEMORY }, .counts = TABLE_EVENTS },
	{ DOES("page tables of huge zero pages", tables_kept), .moves = { TABLE_MEMORY },
	  .counts = TABLE_EVENTS },
	{ DOES("page tables of huge zero pages that are split", tables_split),
	  .moves = { TABLE_MEMORY }, .counts = TABLE_EVENTS },
	/* The last row, because on some kernels it leaves a node in hugetlb.*.numa_stat below 0. */
	{ DOES("hugetlb pages that move to another node", pool_moved),
	  .any = KIND(ANON_FOLIOS) | KIND(POOL_NODES),
	  .loses = KIND(ANON_FOLIOS) | KIND(POOL_NODES), .below = KIND(POOL_BYTES),
	  .moves = { POOL_MEMORY }, .counts = " pgmigrate_success? " },
};

enum { LOADS = sizeof(loads) / sizeof(*loads) };

static void take_and_give_back(struct workload *w)
{
	struct ledgers *b = ledgers_open(w, ledger_read);
	int64_t taken;

	charge_hugetlb(false);
	ledger_enter(w);
	b->events = true;
	take(w, &loads[0], b);
	taken = swap_loads_take(w, b);
	for (size_t i = 1; i < LOADS; i++) {
		int64_t folios = thp_anon_folios(w), done = take(w, &loads[i], b);

		taken += done;
		if (done && loads[i].loses && folios >= 0)
			workload_report(w, "folios", thp_anon_folios(w) - folios);
	}
	workload_cgroup_leave(w);
	ledgers_close(w, b, taken);
}

/* Migrates a hugetlb page, and reports how much memory.numa_stat counts on its new node then. */
static void migrate_charged(struct workload *w, struct ledgers *b)
{
	char *p = pool_map(1, MAP_PRIVATE);
	const struct ledger_line *node;
	char name[32];
	int to;

	if (!p)
		return;
	touch_write(w, p, 1);
	to = workload_migrate_to_other(p);
	if (to >= 0) {
		settle(w);
		b->read(w, b->during);
		snprintf(name, sizeof(name), "numa_stat N%d.hugetlb", to);
		node = ledger_find(b->during, name, 0);
		if (node)
			workload_report(w, "on new node", node->value);
	}
	munmap(p, workload_hugetlb_bytes());
}

/*
 * Takes the loads of hugetlb pages while memory.current includes hugetlb pages. A row that moves
 * POOL_PAID by a number of pages then moves PAID by their size.
 */
static void take_charged(struct workload *w)
{
	enum { LAST = sizeof(loads->moves) / sizeof(*loads->moves) - 1 }; /* no row uses it */
	int64_t taken = 0, size = (int64_t)(workload_hugetlb_bytes() / w->page_size);
	struct ledgers *b;

	if (!size || !charge_hugetlb(true))
		workload_skip_step(w, "cgroup2 with memory_hugetlb_accounting (Linux 6.7)");
	b = ledgers_open(w, ledger_read);
	ledger_enter(w);
	take(w, &loads[0], b);
	for (size_t i = 1; i < LOADS; i++) {
		struct load load = loads[i];

		if (!times(&load, POOL_PAID) || load.act == pool_moved)
			continue;
		load.moves[LAST].kind = PAID;
		load.moves[LAST].times = (int)(times(&load, POOL_PAID) * size);
		taken += take(w, &load, b);
	}
	migrate_charged(w, b);
	workload_cgroup_leave(w);
	charge_hugetlb(false);
	ledgers_close(w, b, taken);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t on_new_node = trial_reported_or(t, TAKE_CHARGED, "on new node", -1);

	if (on_new_node >= 0)
		judge_fact(j, "hugetlb.node_of_memory_numa_stat_after_migration", "%s",
			   on_new_node ? "the new one" : "the old one");
	if (trial_reported(t, TAKE, "loads") <= (LOADS + SWAP_LOADS) / 4)
		judge_skip(
			j,
			"a machine that can allocate more than a quarter of the kinds of memory");
	if (trial_reported_or(t, TAKE, "folios", -1) >= 0)
		judge_yes_no(j, "thp.nr_anon_counts_hugetlb_pages_that_migrate",
			     trial_reported(t, TAKE, "folios") > 0);
}

CASE(machine_ledger) {
	.claim =
		"Memory counters of the machine, its nodes and the cgroup rise and fall with the pages of their kind that are allocated and freed; on some kernels a few of them miscount hugetlb pages that migrate",
	.because = "A page that is allocated, moved, freed or changes its kind is added to one "
		   "counter and subtracted from another. If an update is missing or made twice, "
		   "the number stays wrong.",
	.said_by = SAID_BY("proc_meminfo(5)", "Documentation/filesystems/proc.rst, meminfo",
			   "Documentation/admin-guide/cgroup-v2.rst, memory.stat"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_THP | CASE_ONE_CPU,
	.limit_s = 240,
	.steps = STEPS(STEP_AS(TAKE, "allocate memory of each kind and free it", take_and_give_back,
			       .checks = 1),
		       STEP_AS(TAKE_CHARGED, "allocate hugetlb pages that are charged",
			       take_charged, .checks = 1)),
	.facts = FACTS(FACT("hugetlb.node_of_memory_numa_stat_after_migration",
			    "After a charged hugetlb page migrates, the node where "
			    "memory.numa_stat counts it is",
			    "the new one|the old one"),
		       FACT("thp.nr_anon_counts_hugetlb_pages_that_migrate",
			    "Does nr_anon of a huge page size stay too high after hugetlb pages "
			    "of that size migrate?",
			    "yes|no")),
	.judge = judge,
};
