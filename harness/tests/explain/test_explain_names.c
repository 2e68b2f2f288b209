// SPDX-License-Identifier: MIT
/*
 * Each line and file of the kernel that is about memory is a known name: those of Linux 6.12, and
 * some of later versions.
 */
#include "base/list.h"
#include "explain/query.h"
#include "tests/explain/recorded_topics.h"

static size_t unknown(const char *before, const char *names)
{
	char name[64], asked[128];
	size_t nr = 0;

	while (list_next(&names, " ", name, sizeof(name))) {
		snprintf(asked, sizeof(asked), "%s%s", before, name);

		OWNED(query_free) struct query q = resolved(asked);

		if (is_answered(&q))
			continue;
		print_error("nothing is called '%s'\n", asked);
		nr++;
	}
	return nr;
}

TEST(every_line_of_vmstat_is_known)
{
	/* mm/vmstat.c vmstat_text[], without the numbers of machine/numbers.def */
	static const char names
		[] = "numa_hit numa_miss numa_foreign numa_interleave numa_local numa_other "
		     "workingset_refault_anon workingset_refault_file workingset_activate_anon "
		     "workingset_activate_file workingset_restore_anon workingset_restore_file "
		     "workingset_nodereclaim pgpromote_success pgpromote_candidate "
		     "pgdemote_kswapd pgdemote_direct pgdemote_khugepaged pgpgin pgpgout pswpin "
		     "pswpout pgfree pgactivate pgdeactivate pglazyfree pgfault pgmajfault "
		     "pglazyfreed pgrefill pgreuse pgsteal_kswapd pgsteal_direct "
		     "pgsteal_khugepaged pgscan_kswapd pgscan_direct pgscan_khugepaged "
		     "pgscan_direct_throttle pgscan_anon pgscan_file pgsteal_anon pgsteal_file "
		     "zone_reclaim_success zone_reclaim_failed pginodesteal slabs_scanned "
		     "kswapd_inodesteal kswapd_low_wmark_hit_quickly "
		     "kswapd_high_wmark_hit_quickly pageoutrun pgrotated drop_pagecache "
		     "drop_slab oom_kill numa_pte_updates numa_huge_pte_updates numa_hint_faults "
		     "numa_hint_faults_local numa_pages_migrated pgmigrate_success "
		     "pgmigrate_fail thp_migration_success thp_migration_fail "
		     "thp_migration_split compact_migrate_scanned compact_free_scanned "
		     "compact_isolated compact_stall compact_fail compact_success "
		     "compact_daemon_wake compact_daemon_migrate_scanned "
		     "compact_daemon_free_scanned htlb_buddy_alloc_success htlb_buddy_alloc_fail "
		     "cma_alloc_success cma_alloc_fail unevictable_pgs_culled "
		     "unevictable_pgs_scanned unevictable_pgs_rescued unevictable_pgs_mlocked "
		     "unevictable_pgs_munlocked unevictable_pgs_cleared unevictable_pgs_stranded "
		     "thp_fault_alloc thp_fault_fallback thp_fault_fallback_charge "
		     "thp_collapse_alloc thp_collapse_alloc_failed thp_file_alloc "
		     "thp_file_fallback thp_file_fallback_charge thp_file_mapped thp_split_page "
		     "thp_split_page_failed thp_deferred_split_page thp_underused_split_page "
		     "thp_split_pmd thp_scan_exceed_none_pte thp_scan_exceed_swap_pte "
		     "thp_scan_exceed_share_pte thp_split_pud thp_zero_page_alloc "
		     "thp_zero_page_alloc_failed thp_swpout thp_swpout_fallback balloon_inflate "
		     "balloon_deflate balloon_migrate nr_tlb_remote_flush "
		     "nr_tlb_remote_flush_received nr_tlb_local_flush_all nr_tlb_local_flush_one "
		     "swap_ra swap_ra_hit swpin_zero swpout_zero ksm_swpin_copy cow_ksm zswpin "
		     "zswpout zswpwb direct_map_level2_splits direct_map_level3_splits "
		     "vma_lock_success vma_lock_abort vma_lock_retry vma_lock_miss kstack_1k "
		     "kstack_2k kstack_4k kstack_8k kstack_16k kstack_32k kstack_64k kstack_rest "
		     "pgalloc_dma pgalloc_dma32 pgalloc_normal pgalloc_movable pgalloc_device "
		     "allocstall_dma allocstall_dma32 allocstall_normal allocstall_movable "
		     "allocstall_device pgskip_dma pgskip_dma32 pgskip_normal pgskip_movable "
		     "pgskip_device "
		     "pgpromote_candidate_nrl";

	assert_int_equal(unknown("", names), 0);
}

TEST(every_line_of_zoneinfo_is_known)
{
	assert_int_equal(unknown("zoneinfo ",
				 "free boost min low high promo spanned present managed cma "
				 "protection pagesets count batch high_min high_max "
				 "node_unreclaimable start_pfn"),
			 0);
}

TEST(every_line_of_memory_stat_is_known)
{
	static const char names
		[] = "anon file kernel kernel_stack pagetables sec_pagetables percpu sock "
		     "vmalloc shmem zswap zswapped file_mapped file_dirty file_writeback "
		     "swapcached anon_thp file_thp shmem_thp inactive_anon active_anon "
		     "inactive_file active_file unevictable slab_reclaimable slab_unreclaimable "
		     "workingset_refault_anon workingset_refault_file workingset_activate_anon "
		     "workingset_activate_file workingset_restore_anon workingset_restore_file "
		     "workingset_nodereclaim pgdemote_kswapd pgdemote_direct pgdemote_khugepaged "
		     "pgpromote_success pgscan pgsteal pgscan_proactive pgsteal_proactive slab "
		     "hugetlb pgdemote_proactive pgpgin pgpgout pgscan_kswapd pgscan_direct "
		     "pgscan_khugepaged pgsteal_kswapd pgsteal_direct pgsteal_khugepaged pgfault "
		     "pgmajfault pgrefill pgactivate pgdeactivate pglazyfree pglazyfreed "
		     "swpin_zero swpout_zero zswpin zswpout zswpwb thp_fault_alloc "
		     "thp_collapse_alloc thp_swpout thp_swpout_fallback numa_pages_migrated "
		     "numa_pte_updates numa_hint_faults";

	assert_int_equal(unknown("memory.stat ", names), 0);
	assert_int_equal(unknown("memory.stat ", "cache rss rss_huge mapped_file swap total_cache "
						 "total_rss hierarchical_memory_limit "
						 "hierarchical_memsw_limit"),
			 0);
}

TEST(every_file_of_the_memory_controller_is_known)
{
	static const char names
		[] = "current peak min low high max events events.local stat numa_stat oom.group "
		     "reclaim swap.current swap.high swap.max swap.peak swap.events "
		     "zswap.current zswap.max zswap.writeback usage_in_bytes max_usage_in_bytes "
		     "limit_in_bytes soft_limit_in_bytes failcnt force_empty use_hierarchy "
		     "cgroup.event_control swappiness move_charge_at_immigrate oom_control "
		     "pressure_level kmem.limit_in_bytes kmem.usage_in_bytes kmem.failcnt "
		     "kmem.max_usage_in_bytes kmem.slabinfo kmem.tcp.limit_in_bytes "
		     "kmem.tcp.usage_in_bytes kmem.tcp.failcnt kmem.tcp.max_usage_in_bytes "
		     "memsw.usage_in_bytes memsw.max_usage_in_bytes memsw.limit_in_bytes "
		     "memsw.failcnt";

	assert_int_equal(unknown("memory.", names), 0);
}

TEST(every_file_of_the_hugetlb_controller_is_known)
{
	static const char
		names[] = "max rsvd.max current rsvd.current events events.local numa_stat "
			  "limit_in_bytes rsvd.limit_in_bytes usage_in_bytes rsvd.usage_in_bytes "
			  "max_usage_in_bytes rsvd.max_usage_in_bytes failcnt rsvd.failcnt";

	assert_int_equal(unknown("hugetlb.2MB.", names), 0);
}

TEST(every_bit_of_kpageflags_is_known)
{
	static const char names
		[] = "LOCKED ERROR REFERENCED UPTODATE DIRTY LRU ACTIVE SLAB WRITEBACK RECLAIM "
		     "BUDDY MMAP ANON SWAPCACHE SWAPBACKED COMPOUND_HEAD COMPOUND_TAIL HUGE "
		     "UNEVICTABLE HWPOISON NOPAGE KSM THP OFFLINE ZERO_PAGE IDLE PGTABLE "
		     "RESERVED MLOCKED OWNER_2 PRIVATE PRIVATE_2 OWNER_PRIVATE ARCH SOFTDIRTY "
		     "ARCH_2 ARCH_3";

	assert_int_equal(unknown("kpageflags ", names) + unknown("KPF_", names), 0);
}

static void assert_decoded(const char *asked, const char *decoded, size_t names)
{
	OWNED(query_free) struct query q = resolved(asked);

	assert_string_equal(q.relation, decoded);
	assert_int_equal(q.found.nr, names);
}

TEST(values_of_kpageflags_and_pagemap_are_decoded)
{
	assert_decoded("kpageflags 0x400000", "0x400000 of /proc/kpageflags has bit 22 (THP).", 1);
	assert_decoded("/proc/kpageflags 0x10000000000800",
		       "0x10000000000800 of /proc/kpageflags has bit 11 (MMAP), "
		       "bit 52 (of no known meaning).",
		       1);
	assert_decoded("pagemap 0x8080000000000abc",
		       "0x8080000000000abc of pagemap: bit 63: present; bit 55: soft-dirty; "
		       "bits 0 to 54: page frame 0xabc.",
		       0);
	assert_decoded("pagemap 0x4000000000000061",
		       "0x4000000000000061 of pagemap: bit 62: on swap (or being migrated); "
		       "bits 0 to 4: swap area 1; bits 5 to 54: slot 3 of it, in pages.",
		       0);
}

TEST(every_word_of_numa_maps_is_known)
{
	assert_int_equal(unknown("numa_maps ",
				 "anon= dirty= mapped= mapmax= swapcache= active= writeback= N0= "
				 "kernelpagesize_kB= file= heap stack huge default interleave bind "
				 "prefer"),
			 0);
}

TEST(every_file_of_ksm_is_known)
{
	assert_int_equal(
		unknown("/sys/kernel/mm/ksm/",
			"advisor_max_cpu advisor_max_pages_to_scan advisor_min_pages_to_scan "
			"advisor_mode advisor_target_scan_time full_scans general_profit "
			"ksm_zero_pages max_page_sharing merge_across_nodes pages_scanned "
			"pages_shared pages_sharing pages_skipped pages_to_scan pages_unshared "
			"pages_volatile run sleep_millisecs smart_scan stable_node_chains "
			"stable_node_chains_prune_millisecs stable_node_dups use_zero_pages"),
		0);
}

TEST(every_file_of_huge_pages_is_known)
{
	static const char sizes[] = "nr_hugepages nr_hugepages_mempolicy nr_overcommit_hugepages "
				    "free_hugepages resv_hugepages surplus_hugepages";
	static const char counts[] =
		"anon_fault_alloc anon_fault_fallback anon_fault_fallback_charge zswpout swpin "
		"swpin_fallback swpin_fallback_charge swpout swpout_fallback shmem_alloc "
		"shmem_fallback shmem_fallback_charge split_failed split_deferred nr_anon "
		"nr_anon_partially_mapped";
	static const char settings
		[] = "enabled defrag shmem_enabled use_zero_page hpage_pmd_size shrink_underused "
		     "hugepages-64kB/enabled hugepages-64kB/shmem_enabled khugepaged/defrag "
		     "khugepaged/alloc_sleep_millisecs khugepaged/scan_sleep_millisecs "
		     "khugepaged/pages_to_scan khugepaged/pages_collapsed khugepaged/full_scans "
		     "khugepaged/max_ptes_none khugepaged/max_ptes_swap khugepaged/max_ptes_shared";

	assert_int_equal(unknown("/sys/kernel/mm/hugepages/hugepages-2048kB/", sizes), 0);
	assert_int_equal(unknown("", counts), 0);
	assert_int_equal(unknown("/sys/kernel/mm/transparent_hugepage/", settings), 0);
}
