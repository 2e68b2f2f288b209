// SPDX-License-Identifier: MIT
/*
 * A load is a row of a table: what it allocates, and how each line of the ledger and each event
 * must change. The ledger is read before the load, while the load has its memory, and after it.
 */
#ifndef CASES_MACHINE_LEDGERS_H
#define CASES_MACHINE_LEDGERS_H

#include "kernel_thread.h"
#include "loads.h"
#include "negative.h"

/*
 * A load has at least PAGES_LEAST pages. A line may be off by a quarter of the load, an exact line
 * not at all.
 */
enum {
	PAGES_LEAST = 1024,
	BATCHES = 8,
	BOUND = 4,
	TRIES = 3,
	TRIES_MOST = 6,
	NOISY_MOST = 24,
	IDLE_SETTLES = 2
};

/* The lines that memory of each kind moves, and by how many pages for each of its pages. */
/* clang-format off */
#define ANON_MEMORY   { ANON, 1 }, { ANON_LISTS, 1 }, { BOTH_LISTS, 1 }, { PAID, 1 }
#define LOCKED_MEMORY { ANON, 1 }, { UNEVICTABLE_LIST, 1 }, { LOCKED, 1 }, { PAID, 1 }
#define COPIED_MEMORY { ANON, 2 }, { ANON_LISTS, 2 }, { BOTH_LISTS, 2 }, { PAID, 2 }
#define SHMEM_MEMORY  { SHMEM, 1 }, { CACHE, 1 }, { ANON_LISTS, 1 }, { BOTH_LISTS, 1 }, { PAID, 1 }
#define LOCKED_SHMEM  { SHMEM, 1 }, { CACHE, 1 }, { MAPPED, 1 }, { UNEVICTABLE_LIST, 1 }, \
		      { LOCKED, 1 }, { PAID, 1 }
#define FILE_MEMORY   { CACHE, 1 }, { FILE_LISTS, 1 }, { BOTH_LISTS, 1 }, { PAID, 1 }
#define LOCKED_FILE   { CACHE, 1 }, { MAPPED, 1 }, { UNEVICTABLE_LIST, 1 }, { LOCKED, 1 }, { PAID, 1 }
/* The page cache of a file, and an anonymous copy of each of its pages. */
#define COPIED_FILE   { CACHE, 1 }, { FILE_LISTS, 1 }, { ANON, 1 }, { ANON_LISTS, 1 }, \
		      { BOTH_LISTS, 2 }, { PAID, 2 }
/* hugetlb pages of the pool that are used. */
#define POOL_MEMORY   { POOL_FREE, -1 }, { POOL_PAID, 1 }, { POOL_PAID_RESERVED, 1 }
/* Pages that are charged, and on lists of anonymous memory, n times. */
#define LISTED(n)     { ANON_LISTS, n }, { BOTH_LISTS, n }, { PAID, n }
#define ON_SWAP       { SWAPPED, 1 }, { SWAP_LEFT, -1 }
/* clang-format on */

/* Kinds of lines that swapping or reclaim may change in any way during a load. */
#define TO_SWAP                                                                                \
	(KIND(SWAPPED) | KIND(SWAP_LEFT) | KIND(SWAP_CACHE) | KIND(CACHE) | KIND(ANON_LISTS) | \
	 KIND(BOTH_LISTS) | KIND(PAID) | KIND(UNCOMPRESSED))

/* Events of a page that goes to swap and back, in addition to those that a load names. */
#define SWAP_EVENTS                                                                  \
	" nr_vmscan_write? nr_written? pgmajfault? workingset_activate_anon? "       \
	"workingset_restore_anon? workingset_activate? workingset_restore? swpout? " \
	"zswpout? swpin? swpin_fallback? swpin_fallback_charge? pswpin? "            \
	"workingset_refault_anon? "
/*
 * Events of reclaim, in addition to those that a load names. memory.stat and vmstat must agree on
 * them.
 */
#define RECLAIM_EVENTS                                                                  \
	SWAP_EVENTS                                                                     \
	" pgscan? pgscan_direct? pgscan_proactive? pgscan_anon? pgscan_file? pgsteal? " \
	"pgsteal_direct? pgsteal_proactive? pgsteal_anon? pgsteal_file? pgrefill? "     \
	"pgdeactivate? pgactivate? pswpin? pswpout? workingset_refault_anon? "          \
	"workingset_refault_file? workingset_activate_file? workingset_restore_file? "  \
	"pgfault? "
#define LOCKED_EVENTS                                             \
	" unevictable_pgs_mlocked*1 unevictable_pgs_munlocked*1 " \
	"unevictable_pgs_culled? unevictable_pgs_rescued? "
/*
 * Events of small pages that are each written once. They do not hold for huge pages: 5.10 counts
 * one nr_vmscan_write per huge page, and 6.1 counts its pages twice in nr_written.
 */
#define WRITE_EVENTS      " pswpout*1 nr_vmscan_write*1 nr_written*1 "
#define HUGE_EVENTS       " thp_fault_alloc*1 anon_fault_alloc*1 "
#define HUGE_SHMEM_EVENTS " thp_file_alloc*1 shmem_alloc*1 "
#define SPLIT_EVENTS      " thp_split_pmd? thp_swpout? swpout? thp_split_page? split? split_deferred? "

/*
 * Events of a huge page that mm/vmscan.c shrink_folio_list() splits because swap has no free
 * cluster, as on a rotating disk.
 */
#define FALLBACK_EVENTS " thp_swpout_fallback? swpout_fallback? thp_deferred_split_page? "
#define WHOLE_OR_SPLIT  " thp_swpout+thp_swpout_fallback*1 swpout+swpout_fallback*1 "
#define EITHER_EVENTS   " thp_swpout+thp_swpout_fallback? swpout+swpout_fallback? "

/*
 * A load takes memory and then performs acts on it. Alternatively `act` does everything, and
 * returns the number of pages.
 */
struct load {
	const char *name;
	char *(*take)(const struct workload *w); /* NULL with errno on failure */
	bool (*then[3])(const struct workload *w, char *p);
	int64_t (*act)(const struct workload *w); /* returns the pages, or -errno */
	bool by_lists; /* with active and inactive lists: MGLRU must be on, and is turned off */
	struct {
		enum kind kind;
		int times; /* by how many times the load's pages the line moves */
	} moves[10];
	uint64_t any; /* kinds whose numbers the kernel may change in any way during the load */
	bool moved;   /* the load moves its process to the other cgroup */
	int on[2];    /* the nodes' shares of the pages, such as 3 and 1; 0 and 0 for any */
	const char *counts;          /* events of the load, such as " pgfault*1 " (event_times()) */
	const char *counts_by_lists; /* more events, if reclaim uses active and inactive lists */
	const char *raises; /* events that rise by one or more, such as " memory.events.max " */
	const char *may_raise;
	uint64_t loses; /* kinds whose numbers a known bug leaves wrong */
	/* Kinds that a known bug leaves below 0: nr_hugetlb, of a page that migrates (sums.h). */
	uint64_t below;
};

/* The first fields of a row: memory that is taken, and what is then done with it; or one act. */
#define TAKES(what, first, ...) .name = (what), .take = (first), .then = { __VA_ARGS__ }
#define DOES(what, function)    .name = (what), .act = (function)

/*
 * The ledgers before, during and after a load. If no line is off, the ledger after one load is the
 * ledger before the next.
 */
struct ledgers {
	struct ledger of[3], *before, *during, *after;
	bool begun;
	void (*read)(const struct workload *w, struct ledger *l);
	bool events;
	bool shmem_huge; /* any memfd may have huge pages, because the kernel chooses */
	bool zswap;
	bool lists;         /* reclaim uses active and inactive lists (MGLRU is off) */
	struct ledger idle; /* the smallest rise of each event while no load ran */
	int idle_rounds;
	int settled; /* number of settlings between before and after; IDLE_SETTLES without a load */
	int64_t load_us;
	/* Events of the machine that rose while no load ran. */
	char noisy[NOISY_MOST][72];
	size_t nr_noisy;
	uint64_t below;             /* kinds that a known bug has left below 0 */
	struct negatives negatives; /* numbers below 0 before the first load */
};

/*
 * Waits until paged-out pages are written, because Writeback counts them until then. Writeback on a
 * slow disk takes a while. A number that does not fall is waited for only once.
 */
static void await_writeback(void)
{
	static int64_t stays;
	struct patience p = { .seconds = 5, .pause_us = 5000 };
	int64_t now;

	while ((now = workload_number("/proc/meminfo", "Writeback", 0)) > stays &&
	       workload_pause(&p))
		;
	stays = now > stays ? now : stays;
}

/*
 * Returns true if the kernel may free memory as late as ten seconds after a grace period. With
 * rcu_nocbs= or nohz_full= a thread such as rcuop/0 runs the callbacks of a CPU, and collects them
 * first (kernel/rcu/tree_nocb.h, jiffies_lazy_flush).
 */
static bool rcu_is_lazy(void)
{
	static int lazy = -1;

	if (lazy < 0)
		lazy = has_kernel_thread("rcuo");
	return lazy;
}

/* Dropping slab caches makes RCU run its callbacks (lazy_rcu_shrink_scan()). */
static void hurry_rcu(void)
{
	workload_try_to_set("/proc/sys/vm/drop_caches", "2");
	workload_await_frees();
}

static void settle(struct workload *w)
{
	await_writeback();
	if (rcu_is_lazy())
		hurry_rcu();
	ledger_settle_counters(w);
}

static void drop_file(struct workload *w)
{
	fsync(w->fd[LOAD_FILE]);
	posix_fadvise(w->fd[LOAD_FILE], 0, 0, POSIX_FADV_DONTNEED);
}

static int64_t times(const struct load *load, enum kind kind)
{
	for (size_t i = 0; i < sizeof(load->moves) / sizeof(*load->moves); i++)
		if (load->moves[i].times && load->moves[i].kind == kind)
			return load->moves[i].times;
	return 0;
}

/* Returns true if the line counts a node, and the load says how its pages are spread. */
static bool is_of_placed(const struct load *load, const struct ledger_line *line)
{
	return load->on[0] + load->on[1] && line->node >= 0;
}

/*
 * Returns the part of `pages` that the line must count: the share of its node, or all pages if the
 * line or the load is of no node.
 */
static int64_t of_node(const struct load *load, const struct ledger_line *line, int64_t pages)
{
	if (!is_of_placed(load, line))
		return pages;
	return pages * load->on[line->node] / (load->on[0] + load->on[1]);
}

/*
 * Returns by how many pages the line must move. If the load does not name the line's kind, memsw of
 * cgroup v1 moves like charged memory, and anonymous folios like anonymous huge pages.
 */
static int64_t expected(const struct load *load, const struct ledger_line *line, int64_t pages)
{
	int64_t n = times(load, line->kind);

	if (line->other != load->moved)
		return 0;
	if (!n && line->kind == PAID_SWAPPED)
		n = times(load, PAID);
	if (!n && line->kind == ANON_FOLIOS)
		n = times(load, ANON_THP);
	return of_node(load, line, n * pages);
}

static int64_t bound(const struct workload *w, const struct ledger_line *line)
{
	return line->row && line->row->exact ? 0 : (int64_t)load_pages(w) / BOUND;
}

/* A line that moved by a wrong number, or has a wrong value. */
struct off {
	char name[72];
	bool is_value;    /* `by` is the value, not how much it moved */
	const char *must; /* "must change by", "must be at most" */
	bool exact;
	bool shared; /* the machine's event rose by too much, which other processes may cause */
	const char *when;
	int64_t by, expected;
};

static const char *off_verb(const struct off *o)
{
	return o->is_value ? "is" : "changed by";
}

/* A line changed by `by` in all, but must change by `must`. */
static bool off_in_all(struct off *o, const char *name, int64_t by, int64_t must)
{
	*o = (struct off) {
		.must = "must change by", .when = "over the whole load", .by = by, .expected = must
	};
	snprintf(o->name, sizeof(o->name), "%s", name);
	return true;
}

static bool is_off(const struct workload *w, const struct ledger_line *line, int64_t moved,
		   int64_t must, struct off *o, const char *when)
{
	if (llabs(moved - must) <= bound(w, line))
		return false;
	off_in_all(o, line->name, moved, must);
	o->exact = line->row && line->row->exact;
	o->when = when;
	return true;
}

#endif
