// SPDX-License-Identifier: MIT
/* The loads that page out. machine/ledger runs them with the machine's swap. */
#ifndef CASES_MACHINE_SWAP_LOADS_H
#define CASES_MACHINE_SWAP_LOADS_H

#include "double_entry.h"

static const struct load swap_loads[] = {
	{ TAKES("memory that is paged out", load_anonymous, load_page_out), .moves = { ON_SWAP },
	  .any = TO_SWAP | KIND(ANON), .counts = " pgfault*1 " WRITE_EVENTS SWAP_EVENTS },
	{ TAKES("memory that was paged out", load_anonymous, load_page_out, load_write),
	  .moves = { { ANON, 1 } }, .any = TO_SWAP,
	  .counts = " pgfault*2 " WRITE_EVENTS SWAP_EVENTS },
	{ TAKES("memory of zeroes that was paged out", load_anonymous, load_zero, load_page_out,
		load_read),
	  .moves = { { ANON, 1 } }, .any = TO_SWAP, .counts = " pgfault*2 pswpout*1 " SWAP_EVENTS },
	{ TAKES("memory that swapoff(2) reads back", load_anonymous, load_page_out, load_swap_off),
	  .moves = { ANON_MEMORY }, .counts = " pgfault*1 pswpout*1 " SWAP_EVENTS },
	{ TAKES("memory in the swap cache", swap_cached),
	  .moves = { { ANON, 1 }, { SWAP_CACHE, 1 }, ON_SWAP }, .any = TO_SWAP,
	  .counts = " pgfault? pswpout*1 " SWAP_EVENTS },
	{ TAKES("memory in the swap cache that migrates", swap_cached, load_migrate),
	  .any = TO_SWAP & ~KIND(SWAP_CACHE), .moves = { { ANON, 1 }, { SWAP_CACHE, 1 } },
	  .counts = " pgfault? pswpout*1 pgmigrate_success*2 " SWAP_EVENTS },
	{ DOES("memory that zswap compresses", anon_compressed),
	  .moves = { ON_SWAP, { UNCOMPRESSED, 1 } }, .any = TO_SWAP | KIND(ANON),
	  .counts = " pgfault*1 pswpout*1 " SWAP_EVENTS },
	{ TAKES("huge pages that are paged out", huge_anon, load_page_out), .moves = { ON_SWAP },
	  .any = TO_SWAP | KIND(ANON) | KIND(ANON_THP),
	  .counts = HUGE_EVENTS
	  " pswpout*1 " WHOLE_OR_SPLIT FALLBACK_EVENTS SPLIT_EVENTS SWAP_EVENTS },
	{ TAKES("huge pages that were paged out", huge_anon, load_page_out, load_write),
	  .moves = { { ANON, 1 } }, .any = TO_SWAP | KIND(ANON_THP),
	  .counts = HUGE_EVENTS
	  " pswpout*1 pgfault? " WHOLE_OR_SPLIT FALLBACK_EVENTS SPLIT_EVENTS SWAP_EVENTS },
	{ TAKES("a memfd that is paged out", shmem_map, load_page_out), .moves = { ON_SWAP },
	  .any = TO_SWAP | KIND(SHMEM) | KIND(MAPPED),
	  .counts = " pgfault? pswpout*1 " SWAP_EVENTS },
	{ TAKES("a memfd that was paged out", shmem_map, load_page_out, load_read),
	  .moves = { { SHMEM, 1 }, { MAPPED, 1 } }, .any = TO_SWAP,
	  .counts = " pgfault? pswpout*1 " SWAP_EVENTS },
	{ TAKES("huge pages of a tmpfs that are paged out", shmem_huge_map, load_page_out),
	  .moves = { ON_SWAP },
	  .any = TO_SWAP | KIND(SHMEM) | KIND(MAPPED) | KIND(SHMEM_THP) | KIND(SHMEM_THP_MAPPED),
	  .counts = HUGE_SHMEM_EVENTS
	  " thp_file_mapped*1 pswpout*1 " EITHER_EVENTS FALLBACK_EVENTS SPLIT_EVENTS SWAP_EVENTS },
	/*
	 * Since 6.9 MADV_PAGEOUT leaves the PMD young (commit 2864f3d0f583), so the folio becomes
	 * referenced when reclaim splits the PMD (__split_huge_pmd_locked()). A folio that is read
	 * back from the swap cache is still referenced, and the unmap activates it
	 * (folio_mark_accessed()). A folio that was written immediately and freed, as with zram, is
	 * read into a new folio, which is not referenced. MGLRU activates none.
	 */
	{ TAKES("huge pages of a tmpfs that were paged out", shmem_huge_map, load_page_out,
		load_read),
	  .moves = { { SHMEM, 1 }, { MAPPED, 1 } },
	  .any = TO_SWAP | KIND(SHMEM_THP) | KIND(SHMEM_THP_MAPPED),
	  .counts = HUGE_SHMEM_EVENTS
	  " thp_file_mapped? pswpout*1 pgfault? " EITHER_EVENTS FALLBACK_EVENTS SPLIT_EVENTS
		  SWAP_EVENTS,
	  .counts_by_lists = " pgactivate? " },
	{ DOES("anonymous memory that is reclaimed", anon_reclaimed), .moves = { { ANON, 1 } },
	  .any = TO_SWAP,
	  .counts = " pgsteal_anon*1 pgsteal pgscan pswpout*1 pgfault*2 " RECLAIM_EVENTS },
	{ DOES("anonymous memory that is reclaimed with MGLRU off", anon_reclaimed),
	  .by_lists = true, .moves = { { ANON, 1 } }, .any = TO_SWAP,
	  .counts = " pgsteal_anon*1 pgsteal pgscan pswpout*1 pgfault*2 " RECLAIM_EVENTS },
	{ DOES("memory that memory.swap.max keeps from swap", swap_beyond_max),
	  .moves = { { ANON, 1 } }, .any = TO_SWAP, .raises = " memory.swap.events.max ",
	  .counts = " pgfault*1 pgactivate*1 " SWAP_EVENTS },
};

enum { SWAP_LOADS = sizeof(swap_loads) / sizeof(*swap_loads) };

static int64_t swap_loads_take(struct workload *w, struct ledgers *b)
{
	int64_t taken = 0;

	for (size_t i = 0; i < SWAP_LOADS; i++)
		taken += take(w, &swap_loads[i], b);
	return taken;
}

#endif
