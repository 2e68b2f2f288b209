// SPDX-License-Identifier: MIT
/*
 * Page classes from pagemap, with made-up page tables and kpageflags: two sparse files in memory
 * stand for the kernel's files, and an ioctl() for PAGEMAP_SCAN.
 */
#include "tests/pagetable/world.h"

TEST(an_empty_table_has_no_pages)
{
	walk();
	assert_class(CLASS_ANON, 0);
	assert_true(w.map.pagemap.walked);
	assert_value(&w.s.values, METRIC_PAGEMAP_PRESENT, 0);
	assert_value(&w.s.values, METRIC_PAGEMAP_ZERO, 0);
}

TEST(an_exclusive_page_is_anonymous_without_kpageflags)
{
	entry(3, PRESENT | EXCLUSIVE | 5);
	frame(5, KPF(ZERO)); /* an exclusive page is anonymous, so its flags are not read */
	walk();
	assert_class(CLASS_ANON, 1);
	assert_value(&w.s.values, METRIC_PAGEMAP_EXCLUSIVE, 1);
}

TEST(kpageflags_distinguishes_a_shared_page_from_the_zero_page)
{
	for (unsigned n = 0; n < 10; n++)
		entry(n, PRESENT | 7);
	entry(10, PRESENT | 8);
	entry(11, PRESENT | 9000);
	frame(7, KPF(ZERO));
	frame(8, KPF(ANON));
	frame(9000, KPF(ANON));
	walk();
	assert_value(&w.s.values, METRIC_PAGEMAP_PRESENT, 12);
	assert_value(&w.s.values, METRIC_PAGEMAP_ZERO, 10);
	assert_value(&w.s.values, METRIC_PAGEMAP_ANON, 2);
	assert_true(w.map.pagemap.zero_known);
}

TEST(a_frame_beyond_the_last_is_special)
{
	entry(0, PRESENT | 1ULL << 40);
	walk();
	assert_class(CLASS_SPECIAL, 1);
}

TEST(the_huge_zero_page_is_zero_though_it_has_pm_file)
{
	entry(0, PRESENT | FILE_PAGE | 7);
	frame(7, KPF(ZERO));
	walk();
	assert_class(CLASS_ZERO, 1);
	w.host.sees_pfns = false;
	walk();
	assert_class(CLASS_ZERO, 1);
}

/* [uprobes] is a page of the kernel in a mapping of one page, into which no huge page fits. */
TEST(a_small_mapping_holds_no_huge_zero_page)
{
	w.host.huge_page_size = 512 * PAGE;
	w.host.sees_pfns = false;
	w.map.name = "[uprobes]";
	entry(0, PRESENT | FILE_PAGE | EXCLUSIVE);
	walk();
	assert_class(CLASS_FILE, 1);
}

TEST(page_cache_is_file_or_shmem_by_its_device)
{
	entry(0, PRESENT | FILE_PAGE | 5);
	of_file(DISK_MINOR);
	walk();
	assert_class(CLASS_FILE, 1);
	of_file(TMPFS_MINOR);
	walk();
	assert_class(CLASS_SHMEM, 1);
}

TEST(the_first_system_v_segment_has_no_inode_and_is_shmem)
{
	of_file(TMPFS_MINOR);
	w.map.inode = 0;
	w.map.name = "/SYSV00000000 (deleted)";
	entry(0, PRESENT | EXCLUSIVE | 5);
	frame(5, KPF(SWAPBACKED));
	walk();
	assert_class(CLASS_SHMEM, 1);
}

TEST(shmem_below_an_overlay_is_shmem)
{
	of_file(DISK_MINOR);
	entry(0, PRESENT | FILE_PAGE | 5);
	entry(1, PRESENT | FILE_PAGE | 6);
	frame(5, KPF(SWAPBACKED));
	walk();
	assert_class(CLASS_SHMEM, 2);
}

TEST(a_written_private_file_page_is_anonymous)
{
	of_file(DISK_MINOR);
	entry(0, PRESENT | EXCLUSIVE | 5);
	entry(1, PRESENT | 6);
	frame(5, KPF(ANON));
	frame(6, KPF(ANON));
	walk();
	assert_class(CLASS_ANON, 2);
}

TEST(huge_page_cache_of_old_kernels_has_no_pm_file)
{
	of_file(DISK_MINOR);
	entry(0, PRESENT | EXCLUSIVE | 5);
	walk();
	assert_class(CLASS_FILE, 1);
	of_file(TMPFS_MINOR);
	w.map.shared = true;
	walk();
	assert_class(CLASS_SHMEM, 1);
}

TEST(the_vdso_is_file_and_vvar_is_special)
{
	w.map.name = "[vdso]";
	entry(0, PRESENT | FILE_PAGE | 5);
	walk();
	assert_class(CLASS_FILE, 1);
	w.map.name = "[vvar]";
	w.map.flags = "rd mr pf io de dd";
	entry(0, PRESENT | 5);
	walk();
	assert_class(CLASS_SPECIAL, 1);
}

/* Linux 7.x maps pages with a struct page in [vvar], and counts them. */
TEST(vvar_with_pages_of_its_own_is_file)
{
	w.map.name = "[vvar]";
	w.map.flags = "rd mr de dd mm";
	entry(0, PRESENT | FILE_PAGE | 5);
	entry(1, PRESENT | 6);
	walk();
	assert_value(&w.s.values, METRIC_PAGEMAP_FILE, 1);
	assert_value(&w.s.values, METRIC_PAGEMAP_SPECIAL, 1);
}

TEST(a_copied_page_of_a_pfn_mapping_is_anonymous)
{
	w.map.flags = "rd wr mr mw me pf";
	entry(0, PRESENT | EXCLUSIVE | 5);
	entry(1, PRESENT | 6);
	walk();
	assert_value(&w.s.values, METRIC_PAGEMAP_ANON, 1);
	assert_value(&w.s.values, METRIC_PAGEMAP_SPECIAL, 1);
}

TEST(a_hugetlb_page_is_hugetlb_whatever_its_bits)
{
	of_file(DISK_MINOR);
	w.map.flags = "rd wr mr mw me de ht";
	entry(0, PRESENT | EXCLUSIVE | 5);
	entry(1, PRESENT | FILE_PAGE | 6);
	entry(2, PRESENT | 7);
	walk();
	assert_class(CLASS_HUGETLB, 3);
	assert_int_equal(w.map.pagemap.hugetlb_file, 1);
	assert_int_equal(w.map.pagemap.file_bit, 0);
	assert_value(&w.s.values, METRIC_PAGEMAP_EXCLUSIVE, 0);
}

TEST(hugetlb_without_vmflags_is_known_by_its_name)
{
	of_file(DISK_MINOR);
	w.map.flags = "";
	w.map.name = "/anon_hugepage (deleted)";
	entry(0, PRESENT | EXCLUSIVE | 5);
	walk();
	assert_class(CLASS_HUGETLB, 1);
}

TEST(swap_entries_are_not_present)
{
	entry(0, PAGEMAP_SWAP | 1234 << 5 | 0);
	entry(1, PAGEMAP_SWAP | 1235 << 5 | 3);
	entry(2, PAGEMAP_SWAP | 1235 << 5 | 21); /* the last type that is never reserved */
	walk();
	assert_class(CLASS_SWAP, 3);
	assert_value(&w.s.values, METRIC_PAGEMAP_PRESENT, 0);
	assert_value(&w.s.values, METRIC_PAGEMAP_SWAP, 3);
}

/* smaps counts none of them in Swap, either. */
TEST(guard_regions_and_markers_are_not_swap)
{
	entry(0, PAGEMAP_SWAP | PAGEMAP_GUARD | 31);
	entry(1, PAGEMAP_SWAP | 31);                   /* a guard region before 6.15 */
	entry(2, PAGEMAP_SWAP | PAGEMAP_UFFD_WP | 31); /* a marker of userfaultfd */
	entry(3, PAGEMAP_SWAP | 5 << 5 | 30);          /* a page under migration */
	entry(4, PAGEMAP_SWAP | 5 << 5 | 22);          /* SWP_HWPOISON of 5.19 to 6.1 */
	walk();
	assert_class(CLASS_SWAP, 0);
	/* With hidden PFNs every swap entry shows type 0, and bit 58 marks guard regions. */
	w.host.sees_pfns = false;
	walk();
	assert_class(CLASS_SWAP, 4);
}

TEST(an_entry_of_a_poisoned_frame_is_a_poisoned_page)
{
	entry(0, PAGEMAP_SWAP | 5 << 5 | 30); /* its frame is poisoned */
	entry(1, PAGEMAP_SWAP | 6 << 5 | 30); /* a page under migration */
	entry(2, PAGEMAP_SWAP | 5 << 5 | 3);  /* 5 is a swap offset */
	entry(3, PAGEMAP_SWAP | PAGEMAP_GUARD | 5 << 5 | 31);
	entry(4, PAGEMAP_SWAP | 5 << 5 | 22); /* SWP_HWPOISON of 5.19 to 6.1 */
	frame(5, KPF(HWPOISON));
	walk();
	assert_int_equal(w.map.pagemap.poisoned, 2);
	assert_class(CLASS_SWAP, 1);
	w.host.sees_pfns = false;
	walk();
	assert_int_equal(w.map.pagemap.poisoned, 0);
}

TEST(soft_dirty_entries_are_counted_with_and_without_a_page)
{
	entry(0, PAGEMAP_SOFT_DIRTY);
	entry(1, PAGEMAP_SOFT_DIRTY | PRESENT | EXCLUSIVE | 5);
	walk();
	assert_class(CLASS_ANON, 1);
	assert_value(&w.s.values, METRIC_PAGEMAP_SOFT_DIRTY, 2);
}

/* A guard region and untouched memory have neither a page nor a swap entry. */
TEST(soft_dirty_entries_with_a_page_or_swap_are_counted_separately)
{
	entry(0, PAGEMAP_SOFT_DIRTY);
	entry(1, PAGEMAP_SOFT_DIRTY | PRESENT | EXCLUSIVE | 5);
	entry(2, PAGEMAP_SOFT_DIRTY | PAGEMAP_SWAP | 3);
	entry(3, PAGEMAP_SOFT_DIRTY | PAGEMAP_SWAP | PAGEMAP_GUARD | 31);
	walk();
	assert_value(&w.s.values, METRIC_PAGEMAP_SOFT_DIRTY, 4);
	assert_int_equal(w.map.pagemap.soft_dirty_entries, 2);
}

/* A mapping of 2 GiB: the made-up table has only the three entries that the scan reports. */
TEST(a_large_sparse_mapping_is_soft_dirty_by_its_VmFlag)
{
	static const struct scan_region regions[] = { { BASE, BASE + 3 * PAGE, SCAN_PRESENT } };
	enum { PAGES = 2 << 18 };

	scan_says(regions, 1);
	entry(0, PRESENT | EXCLUSIVE | PAGEMAP_SOFT_DIRTY);
	entry(1, PRESENT | EXCLUSIVE);
	entry(2, PRESENT | EXCLUSIVE);
	w.map.end = BASE + (2ULL << 30);
	walk();
	assert_value(&w.s.values, METRIC_PAGEMAP_SOFT_DIRTY, 1);
	w.map.flags = "rd wr mr mw me ac sd";
	walk();
	assert_value(&w.s.values, METRIC_PAGEMAP_SOFT_DIRTY, PAGES);
	assert_int_equal(w.map.pagemap.soft_dirty_entries, 1);
	/*
	 * If all entries are read, in a smaller mapping or without the scan, the flag is not
	 * needed.
	 */
	w.map.end = BASE + 64 * PAGE;
	walk();
	assert_value(&w.s.values, METRIC_PAGEMAP_SOFT_DIRTY, 1);
	w.map.end = BASE + (2ULL << 30);
	w.host.has_scan = false;
	assert_int_equal(ftruncate(w.pagemap, (off_t)(BASE / PAGE + PAGES) * 8), 0);
	walk();
	assert_value(&w.s.values, METRIC_PAGEMAP_SOFT_DIRTY, 1);
}

static void says_empty(struct mapping *m)
{
	m->smaps_have |= 1ULL << (METRIC_SMAPS_RSS - METRIC_SMAPS_FIRST);
}

/* The made-up table ends after 64 pages, so reading more would be an error. */
TEST(an_empty_reservation_is_not_read)
{
	w.map.end = BASE + (16ULL << 40);
	says_empty(&w.map);
	walk();
	assert_false(w.map.pagemap.walked);
	assert_value(&w.s.values, METRIC_PAGEMAP_ANON, 0);
	assert_value(&w.s.values, METRIC_PAGEMAP_FILE, 0);
	assert_false(w.s.values.have[METRIC_PAGEMAP_PRESENT]);
	assert_false(w.s.values.have[METRIC_PAGEMAP_ZERO]);
}

TEST(a_reservation_too_large_to_read_makes_the_sums_unknown)
{
	w.map.end = BASE + (16ULL << 40);
	says_empty(&w.map);
	w.map.smaps[METRIC_SMAPS_RSS - METRIC_SMAPS_FIRST] = 4;
	walk();
	assert_false(w.map.pagemap.walked);
	assert_all_absent(&w.s.values, SOURCE_PAGEMAP);
}

TEST(the_gate_page_is_not_walked)
{
	w.map.start = 0xffffffffff600000;
	w.map.end = 0xffffffffff601000;
	w.map.name = "[vsyscall]";
	walk();
	assert_false(w.map.pagemap.walked);
	assert_value(&w.s.values, METRIC_PAGEMAP_PRESENT, 0);
	assert_value(&w.s.values, METRIC_PAGEMAP_ZERO, 0);
}

TEST(a_mapping_longer_than_a_buffer_is_read_to_its_end)
{
	enum { PAGES = 100 * 1000 };

	assert_int_equal(ftruncate(w.pagemap, (BASE / PAGE + PAGES) * 8), 0);
	w.map.end = BASE + PAGES * (uint64_t)PAGE;
	entry(0, PRESENT | EXCLUSIVE | 5);
	entry(32767, PRESENT | EXCLUSIVE | 5);
	entry(32768, PRESENT | EXCLUSIVE | 5);
	entry(PAGES - 1, PRESENT | EXCLUSIVE | 5);
	walk();
	assert_class(CLASS_ANON, 4);
}

TEST(a_pagemap_that_ends_early_belongs_to_an_ended_process)
{
	struct source_error e;
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	w.s.pid = pid;
	w.map.end += PAGE;
	assert_int_equal(pagemap_read(w.pagemap, &w.host, &w.s, &e), -1);
	assert_complaint(&e, SOURCE_PAGEMAP, "the process has ended");
	assert_int_equal(e.number, ESRCH);
	assert_all_absent(&w.s.values, SOURCE_PAGEMAP);
}

TEST(a_pagemap_that_ends_inside_an_existing_mapping_is_an_error)
{
	struct source_error e;
	void *p;

	/* Under valgrind there are mappings at the addresses of the made-up table. */
	if (getenv("VALGRIND"))
		skip();
	p = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(p != MAP_FAILED);
	w.s.pid = getpid();
	w.map.start = (uintptr_t)p;
	w.map.end = w.map.start + PAGE;
	w.map.name = "[vvar]";
	assert_int_equal(pagemap_read(w.pagemap, &w.host, &w.s, &e), -1);
	assert_complaint(&e, SOURCE_PAGEMAP, "ends within the mapping at 0x");
	assert_complaint(&e, SOURCE_PAGEMAP, "([vvar]), which maps lists");
	assert_int_equal(e.number, 0);
	assert_false(w.map.pagemap.walked);
	assert_all_absent(&w.s.values, SOURCE_PAGEMAP);
	munmap(p, PAGE);
}

/* The process has meanwhile unmapped the memory. */
TEST(a_pagemap_that_ends_inside_a_removed_mapping_is_ESRCH)
{
	struct source_error e;

	w.s.pid = getpid();
	w.map.end += PAGE;
	assert_int_equal(pagemap_read(w.pagemap, &w.host, &w.s, &e), -1);
	assert_int_equal(e.number, ESRCH);
}

TEST(a_file_other_than_pagemap_cannot_be_scanned)
{
	struct source_error e;

	assert_int_equal(scan_read(w.pagemap, &w.host, 64, &w.s, &e), -1);
	assert_complaint(&e, SOURCE_SCAN, "cannot be scanned");
	assert_all_absent(&w.s.values, SOURCE_SCAN);
}

TEST(an_unreadable_kpageflags_is_an_error)
{
	struct source_error e;
	int good = w.host.kpageflags;

	w.host.kpageflags = -1;
	entry(0, PRESENT | 5);
	assert_int_equal(pagemap_read(w.pagemap, &w.host, &w.s, &e), -1);
	assert_false(w.map.pagemap.walked);
	assert_complaint(&e, SOURCE_PAGEMAP, "kpageflags");
	assert_all_absent(&w.s.values, SOURCE_PAGEMAP);
	w.host.kpageflags = good;
}

TEST(the_word_of_one_frame_is_read)
{
	uint64_t word;

	frame(5, KPF(ANON));
	assert_int_equal(kpage_word(w.host.kpageflags, 5, &word), 0);
	assert_int_equal(word, KPF(ANON));
	assert_true(kpage_word(w.host.kpageflags, 1ULL << 40, &word) < 0);
	assert_true(kpage_word(-1, 5, &word) < 0);
}

/* The signal interrupts the reading of entries, of frames in batches, and of one frame. */
TEST(a_signal_while_reading_is_no_error)
{
	uint64_t word;

	entry(3, PRESENT | EXCLUSIVE | 5);
	entry(4, PRESENT | 6);
	frame(6, KPF(ZERO));
	interruptions = 1;
	walk();
	assert_int_equal(interruptions, 0);
	assert_value(&w.s.values, METRIC_PAGEMAP_ANON, 1);
	assert_value(&w.s.values, METRIC_PAGEMAP_ZERO, 1);
	interruptions = 3;
	assert_int_equal(kpage_word(w.host.kpageflags, 6, &word), 0);
	assert_int_equal(word, KPF(ZERO));
	assert_int_equal(interruptions, 0);
}
