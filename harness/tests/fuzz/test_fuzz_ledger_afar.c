// SPDX-License-Identifier: MIT
/*
 * The ledger when pages change without an access by the process: userfaultfd, KSM, a debugger,
 * compaction.
 */
#include "tests/fuzz/ledger_acts.h"
#include "tests/support/test.h"

TEST(a_page_that_userfaultfd_moves_is_soft_dirty)
{
	struct discrepancy m;

	do_acts("mmap r0 0..2 anon private rw\nwrite r0 0..1\nmadvise r0 0..1 PAGEOUT\n");
	takes(0, (uint64_t[]) { HERE | FRESH, PAGEMAP_SWAP | FRESH, FRESH });
	do_acts("userfaultfd r0 0..2 move to r1\n");
	assert_true(may_be(0, (uint64_t[]) { 0, 0, 0 }));
	assert_false(may_be(0, (uint64_t[]) { HERE, 0, 0 }));
	assert_true(ledger_check_pages(
		&ledger, 0, 1, (uint64_t[]) { HERE | FRESH, PAGEMAP_SWAP | FRESH, 0 }, true, &m));
	assert_false(ledger_check_pages(&ledger, 0, 1,
					(uint64_t[]) { HERE | FRESH, PAGEMAP_SWAP, 0 }, true, &m));
}

TEST(ksm_may_map_the_zero_page_and_unmerge_it)
{
	struct ledger_page *g;

	do_acts("mmap r0 0..0 anon private rw\npread r0 0..0\nksm r0 0..0 merge\n");
	g = &ledger.of[0].regions[0].pages[0];
	assert_int_equal(g->state, PAGE_ANON);
	do_acts("ksm r0 0..0 merge zeroes\n");
	assert_int_equal(g->state, PAGE_ANON | PAGE_ZERO);
	g->state = PAGE_ZERO;
	do_acts("ksm unmerge\n");
	assert_int_equal(g->state, PAGE_ANON | PAGE_ZERO);
}

/*
 * ksm_madvise() unmerges pages before they are moved. A page stays merged if there is no memory for
 * a copy.
 */
TEST(a_moved_ksm_zero_page_may_be_anonymous_again)
{
	struct ledger_page *g;

	do_acts("mmap r0 0..1 anon private rw\npread r0 0..1\nksm r0 0..1 merge zeroes\n");
	g = ledger.of[0].regions[0].pages;
	g[0].state = g[1].state = PAGE_ZERO;
	do_acts("mremap r0 1..1 to r1\n");
	assert_int_equal(g[0].state, PAGE_ZERO);
	assert_int_equal(ledger.of[0].regions[1].pages[1].state, PAGE_ANON | PAGE_ZERO);
}

/* ksmd scans all mergeable memory, whichever process waits for it. */
TEST(ksm_scans_all_mergeable_memory_for_one_verb)
{
	struct ledger_page *g;

	do_acts("mmap r0 0..0 anon private rw\nwrite r0 0..0\nksm zeroes\n");
	g = &ledger.of[0].regions[0].pages[0];
	assert_int_equal(g->state, PAGE_ANON | PAGE_ZERO);
	assert_int_equal(g->dirty, CLEAN_OR_DIRTY);
}

TEST(a_debugger_may_write_private_read_only_memory)
{
	const uint64_t cached = PAGEMAP_PRESENT | PAGEMAP_FILE | FRESH;

	do_acts("mmap r0 0..1 anon private r\nmem write r0 0..0\n");
	assert_true(may_be(0, (uint64_t[]) { HERE | FRESH, FRESH }));
	assert_true(may_be(0, (uint64_t[]) { FRESH, FRESH }));
	do_acts("mmap r0 0..0 memfd shared r\nread r0 0..0\nmem write r0 0..0\n");
	assert_false(may_be(0, (uint64_t[]) { FRESH, FRESH }));
	assert_true(may_be(0, (uint64_t[]) { cached, FRESH }));
}

TEST(process_vm_writev_changes_the_other_process_only)
{
	do_acts("mmap r0 0..0 anon private rw\nfork p1\nprocess_vm_writev r0 0..0 to p1\n");
	assert_true(may_be(0, (uint64_t[]) { FRESH }));
	assert_true(may_be(1, (uint64_t[]) { HERE | FRESH }));
	assert_false(may_be(1, (uint64_t[]) { FRESH }));
}

TEST(a_verb_that_ends_MCL_FUTURE_leaves_no_lock)
{
	do_acts("mmap r0 0..0 anon private rw\nmlock r0 0..0\n");
	assert_true(ledger.of[0].regions[0].pages[0].flags & PF_LOCKED);
	do_acts("brk locked\n");
	assert_false(ledger.of[0].regions[0].pages[0].flags & PF_LOCKED);
}

TEST(compaction_loses_no_page_and_no_mark)
{
	do_acts("mmap r0 0..1 anon private rw\nwrite r0 0..1\nclear_refs soft-dirty\n"
		"write r0 0..0\n");
	takes(0, (uint64_t[]) { HERE | FRESH, HERE });
	do_acts("compact\n");
	assert_true(may_be(0, (uint64_t[]) { HERE | FRESH, HERE }));
	assert_true(may_be(0, (uint64_t[]) { HERE | FRESH, HERE | FRESH }));
	assert_false(may_be(0, (uint64_t[]) { HERE, HERE }));
}

TEST(a_zero_page_of_a_file_is_unmapped_with_the_page)
{
	do_acts("mmap r0 0..1 memfd private rw\nuserfaultfd r0 0..1 zero\n");
	ledger.of[0].regions[0].pages[0].state = ledger.of[0].regions[0].pages[1].state = PAGE_ZERO;
	do_acts("punch r0 0..0\n");
	assert_true(may_be(0, (uint64_t[]) { FRESH, PAGEMAP_PRESENT | FRESH }));
	assert_false(may_be(0, (uint64_t[]) { FRESH, FRESH }));
}

/* A protected page in r1 shows that this kernel has bit 57. */
static void show_protection(void)
{
	const uint64_t words[] = { HERE | FRESH | PAGEMAP_UFFD_WP };
	struct discrepancy m;

	do_acts("mmap r1 0..0 anon private rw\nwrite r1 0..0\nuserfaultfd r1 0..0 asking\n"
		"userfaultfd r1 0..0 protect\n");
	assert_true(ledger_check_pages(&ledger, 0, 1, words, true, &m));
	ledger_take(&ledger, 0);
}

TEST(a_protected_page_has_uffd_wp_until_it_is_written)
{
	const uint64_t is = HERE | FRESH, is_protected = is | PAGEMAP_UFFD_WP;

	show_protection();
	do_acts("mmap r0 0..1 anon private rw\nwrite r0 0..1\n");
	takes(0, (uint64_t[]) { is, is });
	do_acts("userfaultfd r0 0..1 not asking\n");
	takes(0, (uint64_t[]) { is, is });
	do_acts("userfaultfd r0 0..0 protect\n");
	assert_false(may_be(0, (uint64_t[]) { is, is }));
	takes(0, (uint64_t[]) { is_protected, is });
	do_acts("move_pages r0 0..1\n");
	assert_false(may_be(0, (uint64_t[]) { is, is }));
	do_acts("write r0 0..1\n");
	assert_true(may_be(0, (uint64_t[]) { is, is }));
	assert_false(may_be(0, (uint64_t[]) { is_protected, is }));
	takes(0, (uint64_t[]) { is, is });
	do_acts("userfaultfd r0 0..1 unprotect\n");
	assert_false(may_be(0, (uint64_t[]) { is, is_protected }));
}

/* __split_huge_pmd_locked() drops the PMD and leaves no marker. */
TEST(splitting_a_file_huge_page_may_lose_uffd_wp)
{
	const uint64_t is = PAGEMAP_PRESENT | PAGEMAP_FILE | FRESH;
	const uint64_t is_protected = is | PAGEMAP_UFFD_WP;

	show_protection();
	do_acts("mmap r0 0..1 huge memfd rw\nwrite r0 0..1\nuserfaultfd r0 0..1 not asking\n");
	takes(0, (uint64_t[]) { is, is });
	do_acts("PAGEMAP_SCAN r0 0..1 protect\n");
	takes(0, (uint64_t[]) { is_protected, is_protected });
	do_acts("madvise r0 0..0 COLD\n");
	assert_true(may_be(0, (uint64_t[]) { FRESH, FRESH }));
	assert_true(may_be(0, (uint64_t[]) { is_protected, is_protected }));
}

/* A known bug of swapoff, fixed in 5.19 by 14a762dd1977. */
TEST(swapoff_may_lose_soft_dirty)
{
	const uint64_t is = HERE | FRESH, on_swap = PAGEMAP_SWAP | FRESH;

	do_acts("mmap r0 0..0 anon private rw\nwrite r0 0..0\nclear_refs soft-dirty\n"
		"write r0 0..0\nmadvise r0 0..0 PAGEOUT\n");
	takes(0, &on_swap);
	do_acts("read r0 0..0\n");
	assert_false(may_be(0, (uint64_t[]) { HERE }));
	takes(0, &is);
	do_acts("madvise r0 0..0 PAGEOUT\n");
	takes(0, &on_swap);
	do_acts("swapoff\n");
	assert_true(may_be(0, &is));
	assert_false(may_be(0, (uint64_t[]) { PAGEMAP_SWAP }));
	assert_false(ledger.of[0].lost_marks);
	takes(0, (uint64_t[]) { HERE });
	assert_true(ledger.of[0].lost_marks);
	do_acts("read r0 0..0\n");
	assert_false(ledger.of[0].lost_marks);
}

/* replace_page() of mm/ksm.c loses uffd-wp, whichever process requested the scan. */
TEST(a_page_that_ksm_merges_may_lose_uffd_wp)
{
	const uint64_t is = HERE | FRESH, is_protected = is | PAGEMAP_UFFD_WP;

	do_acts("fork p1\n");
	show_protection();
	do_acts("mmap r0 0..0 anon private rw\nwrite r0 0..0\nuserfaultfd r0 0..0 asking\n"
		"userfaultfd r0 0..0 protect\n");
	takes(0, &is_protected);
	do_acts("p1 mmap r2 0..0 anon private rw\n");
	assert_false(may_be(0, &is));
	do_acts("p1 ksm r2 0..0 merge\n");
	assert_true(may_be(0, &is));
	assert_true(may_be(0, &is_protected));
}

TEST(a_write_that_raises_a_signal_may_leave_pages_protected)
{
	const struct act_outcome answered = { .faulted = 1 };
	const uint64_t is_protected = HERE | FRESH | PAGEMAP_UFFD_WP;
	struct program p;
	char why[256];

	show_protection();
	assert_false(program_parse(&p, "write r1 0..0\n", why, sizeof(why)));
	ledger_act(&ledger, p.acts, &answered);
	assert_true(ledger_check_pages(&ledger, 0, 1, &is_protected, true,
				       &(struct discrepancy) { 0 }));
}

TEST(a_page_copied_protected_has_uffd_wp_in_read_only_memory)
{
	const uint64_t is_protected = HERE | FRESH | PAGEMAP_UFFD_WP;

	show_protection();
	do_acts("mmap r0 0..1 anon private r\nread r0 0..0\n");
	takes(0, (uint64_t[]) { PAGEMAP_PRESENT | FRESH, FRESH });
	do_acts("userfaultfd r0 0..1 copy protected asking\n");
	/* The zero page may have been mapped there before. */
	assert_true(may_be(0, (uint64_t[]) { PAGEMAP_PRESENT | FRESH, is_protected }));
	assert_false(may_be(0, (uint64_t[]) { PAGEMAP_PRESENT | FRESH, HERE | FRESH }));
}

TEST(pagemap_scan_protects_memory_of_an_asynchronous_userfaultfd)
{
	static const struct mapping watched = { .readable = true,
						.writable = true,
						.flags = "rd wr uw sd" };
	const struct ledger_place place = { .arena = 1 << 20,
					    .stride = 1 << 20,
					    .page_size = 4096 };
	struct mapping map = watched;
	struct snapshot s = { .maps = &map, .nr_maps = 1 };
	struct discrepancy m;

	map.start = place.arena;
	map.end = map.start + 4096;
	for (unsigned asks = 0; asks < 2; asks++) {
		begin();
		show_protection();
		do_acts("munmap r1 0..0\nmmap r0 0..0 anon private rw\nwrite r0 0..0\n");
		takes(0, (uint64_t[]) { HERE | FRESH });
		do_acts(asks ? "userfaultfd r0 0..0 asking\n" : "userfaultfd r0 0..0 not asking\n");
		takes(0, (uint64_t[]) { HERE | FRESH });
		assert_true(ledger_check_maps(&ledger, 0, &s, &place, &m));
		do_acts("PAGEMAP_SCAN r0 0..0 protect\n");
		assert_true(may_be(0, (uint64_t[]) { HERE | FRESH | PAGEMAP_UFFD_WP }));
		assert_int_equal(may_be(0, (uint64_t[]) { HERE | FRESH }), asks);
	}
}

static bool has_lost_watch(const char *acts)
{
	const struct ledger_place place = { .arena = 1 << 20,
					    .stride = 1 << 20,
					    .page_size = 4096 };
	struct mapping map = { .start = place.arena,
			       .end = place.arena + 2 * 4096,
			       .readable = true,
			       .writable = true,
			       .flags = "rd wr sd",
			       .pagemap.uffd_wp = 1 };
	struct snapshot s = { .maps = &map, .nr_maps = 1 };
	bool has;

	begin();
	do_acts("mmap r0 0..2 anon private rw\nmmap r1 0..2 anon private rw\n");
	do_acts(acts);
	may_be(0, (uint64_t[]) { HERE | FRESH | PAGEMAP_UFFD_WP, FRESH, FRESH, 0 });
	has = ledger_has_lost_watch(&ledger, 0, &s, &place);
	/* A process that registers the memory again with userfaultfd can remove the protection. */
	map.flags = "rd wr uw sd";
	assert_true(ledger_has_lost_watch(&ledger, 0, &s, &place));
	ledger_check_maps(&ledger, 0, &s, &place, &(struct discrepancy) { 0 });
	map.flags = "rd wr sd";
	assert_false(ledger_has_lost_watch(&ledger, 0, &s, &place));
	return has;
}

TEST(a_neighbour_merged_by_a_move_may_lose_its_userfaultfd)
{
	assert_true(has_lost_watch("userfaultfd r0 0..2 not asking\nmremap r0 2..2 beside\n"));
	assert_true(
		has_lost_watch("userfaultfd r0 0..1 asking\nmremap r0 1..1 DONTUNMAP beside\n"));
	assert_true(has_lost_watch("userfaultfd r0 0..1 asking\nuserfaultfd r1 2..2 asking\n"
				   "mremap r1 2..2 to r0\n"));
	/*
	 * The registration stays if only the neighbour was registered, if only the moved part was,
	 * if the moved part has no neighbour, or if nothing moves.
	 */
	assert_false(has_lost_watch("userfaultfd r0 0..1 asking\nmremap r0 2..2 beside\n"));
	assert_false(has_lost_watch("userfaultfd r1 2..2 asking\nmremap r1 2..2 to r0\n"));
	assert_false(has_lost_watch("userfaultfd r0 0..2 asking\nmremap r0 2..2 to r2\n"));
	assert_false(has_lost_watch("userfaultfd r0 0..2 not asking\n"));
}

TEST(an_absent_protected_hugetlb_page_is_a_marker)
{
	do_acts("mmap r0 0..511 hugetlb private rw\nuserfaultfd r0 0..511 asking\n"
		"userfaultfd r0 0..511 protect\n");
	may_be(0, (uint64_t[HUGE]) { PAGEMAP_UFFD_WP, PAGEMAP_UFFD_WP, HERE | PAGEMAP_UFFD_WP });
	assert_int_equal(ledger.of[0].regions[0].markers, 2);
}
