// SPDX-License-Identifier: MIT
/* The ledger predicts the state of pages, and notices a page in another state. */
#include "fuzz/known.h"
#include "tests/fuzz/ledger_acts.h"
#include "tests/support/test.h"
#include <errno.h>

TEST(a_written_page_is_present_and_soft_dirty)
{
	do_acts("mmap r0 0..1 anon private rw\n");
	takes(0, (uint64_t[]) { FRESH, FRESH });
	do_acts("clear_refs soft-dirty\nwrite r0 0..0\n");
	assert_true(may_be(0, (uint64_t[]) { HERE | PAGEMAP_SOFT_DIRTY, 0 }));
	assert_false(may_be(0, (uint64_t[]) { HERE, 0 }));
	assert_false(may_be(0, (uint64_t[]) { 0, 0 }));
	assert_false(may_be(0, (uint64_t[]) { HERE | PAGEMAP_SOFT_DIRTY, HERE }));
	assert_false(may_be(0, (uint64_t[]) { HERE | PAGEMAP_SOFT_DIRTY, PAGEMAP_SOFT_DIRTY }));
}

TEST(pageout_may_or_may_not_swap_a_page_out)
{
	do_acts("mmap r0 0..0 anon private rw\nwrite r0 0..0\n");
	takes(0, (uint64_t[]) { HERE | FRESH });
	do_acts("madvise r0 0..0 PAGEOUT\n");
	assert_true(may_be(0, (uint64_t[]) { HERE | FRESH }));
	assert_true(may_be(0, (uint64_t[]) { PAGEMAP_SWAP | FRESH }));
	assert_false(may_be(0, (uint64_t[]) { FRESH }));
}

TEST(a_lazyfree_page_may_disappear_until_it_is_written)
{
	do_acts("mmap r0 0..0 anon private rw\nwrite r0 0..0\n");
	takes(0, (uint64_t[]) { HERE | FRESH });
	do_acts("madvise r0 0..0 FREE\nmadvise r0 0..0 PAGEOUT\n");
	assert_true(may_be(0, (uint64_t[]) { FRESH }));
	do_acts("write r0 0..0\n");
	takes(0, (uint64_t[]) { HERE | FRESH });
	do_acts("madvise r0 0..0 PAGEOUT\n");
	assert_false(may_be(0, (uint64_t[]) { FRESH }));
}

TEST(a_child_inherits_the_pages_of_its_parent)
{
	do_acts("mmap r0 0..1 anon private rw\nwrite r0 0..0\n");
	takes(0, (uint64_t[]) { HERE | FRESH, FRESH });
	do_acts("fork p1\n");
	assert_true(may_be(1, (uint64_t[]) { PAGEMAP_PRESENT | FRESH, FRESH }));
	assert_false(may_be(1, (uint64_t[]) { FRESH, FRESH }));
}

TEST(a_child_does_not_inherit_dontfork_or_wipeonfork_memory)
{
	do_acts("mmap r0 0..1 anon private rw\nwrite r0 0..1\nmadvise r0 0..0 WIPEONFORK\n");
	takes(0, (uint64_t[]) { HERE | FRESH, HERE | FRESH });
	do_acts("fork p1\n");
	assert_true(may_be(1, (uint64_t[]) { FRESH, PAGEMAP_PRESENT | FRESH }));
	assert_false(may_be(1, (uint64_t[]) { PAGEMAP_PRESENT | FRESH, PAGEMAP_PRESENT | FRESH }));
}

TEST(a_punched_file_loses_its_pages_and_no_private_copy)
{
	const uint64_t cached = PAGEMAP_PRESENT | PAGEMAP_FILE | FRESH;

	do_acts("mmap r0 0..1 file private rw\nread r0 0..0\nwrite r0 1..1\n");
	takes(0, (uint64_t[]) { cached, HERE | FRESH });
	do_acts("punch r0 0..1\n");
	assert_true(may_be(0, (uint64_t[]) { FRESH, HERE | FRESH }));
	assert_false(may_be(0, (uint64_t[]) { cached, HERE | FRESH }));
	assert_false(may_be(0, (uint64_t[]) { FRESH, FRESH }));
}

TEST(an_access_that_raises_a_signal_is_counted)
{
	do_acts("mmap r0 0..3 anon private r\nwrite r0 0..2\n");
	assert_true(ledger.faulted_known);
	assert_int_equal(ledger.faulted, 3);
	do_acts("mmap r1 0..3 file shared rw\ntruncate r1 2..3\nread r1 0..3\n");
}

/*
 * The kernel records no peak before it unmaps the huge page, so VmHWM may be too small by its
 * pages.
 */
TEST(an_act_on_a_part_of_a_file_huge_page_unmaps_all_of_it)
{
	static uint64_t words[HUGE];

	do_acts("mmap r0 0..511 huge memfd rw\nwrite r0 0..511\n");
	for (int i = 0; i < HUGE; i++)
		words[i] = HERE | FRESH | PAGEMAP_FILE;
	takes(0, words);
	assert_int_equal(ledger.of[0].dropped, 0);
	do_acts("userfaultfd r0 0..511 asking\n");
	assert_int_equal(ledger.of[0].dropped, 0);
	do_acts("userfaultfd r0 0..0 protect\n");
	assert_int_equal(ledger.of[0].dropped, HUGE);
	do_acts("userfaultfd r0 0..511 protect\n");
	assert_int_equal(ledger.of[0].dropped, 2 * HUGE);
}

/*
 * Reclaim may also split a huge page whose state the ledger does not predict, as after
 * GUARD_REMOVE.
 */
TEST(a_file_huge_page_that_reclaim_splits_is_unmapped)
{
	static uint64_t there[HUGE], gone[HUGE];

	do_acts("mmap r0 0..511 huge memfd rw\nwrite r0 0..511\nmadvise r0 0..511 GUARD_REMOVE\n");
	for (int i = 0; i < HUGE; i++) {
		there[i] = HERE | FRESH | PAGEMAP_FILE;
		gone[i] = FRESH;
	}
	takes(0, there);
	do_acts("madvise r0 0..511 PAGEOUT\n");
	takes(0, gone);
	assert_int_equal(ledger.of[0].dropped, HUGE);
}

TEST(splitting_a_huge_page_may_make_all_of_it_soft_dirty)
{
	do_acts("mmap r0 0..1 huge private rw\nwrite r0 0..1\n");
	takes(0, (uint64_t[]) { HERE | FRESH, HERE | FRESH });
	do_acts("clear_refs soft-dirty\n");
	takes(0, (uint64_t[]) { HERE, HERE });
	do_acts("madvise r0 0..0 WIPEONFORK\n");
	assert_true(may_be(0, (uint64_t[]) { HERE | FRESH, HERE | FRESH }));
}

TEST(a_write_beyond_its_end_extends_a_file)
{
	const uint64_t cached = PAGEMAP_PRESENT | PAGEMAP_FILE | FRESH;

	do_acts("mmap r0 0..3 memfd private rw\ntruncate r0 0..3\npwrite r0 2..2\n");
	takes(0, (uint64_t[]) { FRESH, FRESH, FRESH, FRESH });
	do_acts("read r0 0..2\n");
	takes(0, (uint64_t[]) { cached, cached, cached, FRESH });
}

TEST(a_partial_move_leaves_the_rest_of_the_target_unchanged)
{
	do_acts("mmap r0 0..3 anon private rw\nwrite r0 0..3\n");
	takes(0, (uint64_t[]) { HERE | FRESH, HERE | FRESH, HERE | FRESH, HERE | FRESH });
	do_acts("mmap r1 0..1 anon private rw\nmremap r1 0..3 to r0\n");
	assert_false(may_be(0, (uint64_t[]) { FRESH, FRESH, FRESH, FRESH }));
	takes(0, (uint64_t[]) { FRESH, FRESH, HERE | FRESH, HERE | FRESH });
}

TEST(a_page_that_moves_alone_is_soft_dirty)
{
	struct ledger_place place = { .arena = 16 * 4096, .stride = 16 * 4096, .page_size = 4096 };
	struct mapping moved = { .start = place.arena,
				 .end = place.arena + 4096,
				 .readable = true,
				 .writable = true,
				 .flags = "rd wr" };
	struct snapshot s = { .maps = &moved, .nr_maps = 1 };
	struct discrepancy m;

	do_acts("mmap r1 0..0 anon private rw\nwrite r1 0..0\nclear_refs soft-dirty\n"
		"mremap r1 0..0 to r0\n");
	/* Only maps shows whether the new mapping is soft-dirty. */
	assert_true(may_be(0, (uint64_t[]) { HERE | PAGEMAP_SOFT_DIRTY }));
	ledger.of[0].regions[1].top = 0;
	assert_true(ledger_check_maps(&ledger, 0, &s, &place, &m));
	ledger.of[0].regions[0].pages[0].flags |= PF_ADOPT_NEW;
	assert_true(may_be(0, (uint64_t[]) { HERE }));
	assert_false(ledger_check_maps(&ledger, 0, &s, &place, &m));
	assert_string_equal(m.metric, "soft-dirty of r0 page 0");
}

TEST(a_collapse_may_lose_soft_dirty_of_a_file_page)
{
	const uint64_t cached = HERE | PAGEMAP_FILE;

	do_acts("mmap r0 0..0 huge shared rw\nclear_refs soft-dirty\nwrite r0 0..0\n");
	takes(0, (uint64_t[]) { cached | PAGEMAP_SOFT_DIRTY });
	do_acts("madvise r0 0..0 COLLAPSE\n");
	assert_true(may_be(0, (uint64_t[]) { cached }));
}

TEST(a_merged_page_may_lose_soft_dirty_and_nothing_else)
{
	do_acts("mmap r0 0..1 anon private rw\nclear_refs soft-dirty\nwrite r0 0..1\n");
	takes(0, (uint64_t[]) { HERE | PAGEMAP_SOFT_DIRTY, HERE | PAGEMAP_SOFT_DIRTY });
	do_acts("ksm r0 0..1 merge\n");
	assert_true(may_be(0, (uint64_t[]) { PAGEMAP_PRESENT, PAGEMAP_PRESENT }));
	assert_false(may_be(0, (uint64_t[]) { PAGEMAP_PRESENT, 0 }));
}

TEST(mprotect_may_make_a_whole_large_folio_soft_dirty)
{
	const uint64_t cached = HERE | PAGEMAP_FILE;

	do_acts("mmap r0 0..0 file shared rw\nwrite r0 0..0\n"
		"clear_refs soft-dirty\n");
	takes(0, (uint64_t[]) { cached });
	do_acts("mprotect r0 0..0 r\n");
	assert_true(may_be(0, (uint64_t[]) { cached | PAGEMAP_SOFT_DIRTY }));
	do_acts("mmap r0 0..0 anon private rw\nwrite r0 0..0\nclear_refs soft-dirty\n");
	takes(0, (uint64_t[]) { HERE });
	do_acts("mprotect r0 0..0 r\n");
	assert_false(may_be(0, (uint64_t[]) { HERE | PAGEMAP_SOFT_DIRTY }));
}

TEST(a_page_that_userfaultfd_provides_is_present)
{
	do_acts("mmap r0 0..1 anon private rw\nuserfaultfd r0 0..0 copy\n");
	assert_true(may_be(0, (uint64_t[]) { HERE | FRESH, FRESH }));
	assert_false(may_be(0, (uint64_t[]) { FRESH, FRESH }));
	assert_false(may_be(0, (uint64_t[]) { HERE | FRESH, HERE | FRESH }));
}

TEST(pinning_faults_pages_in_and_locks_none)
{
	do_acts("mmap r0 0..0 anon private rw\nio_uring r0 0..0\n");
	assert_true(may_be(0, (uint64_t[]) { HERE | FRESH }));
	assert_false(may_be(0, (uint64_t[]) { FRESH }));
	assert_false(ledger.of[0].regions[0].pages[0].flags & PF_LOCKED);
}

TEST(pinning_shared_memory_is_a_write)
{
	const uint64_t cached = PAGEMAP_PRESENT | PAGEMAP_FILE;

	do_acts("mmap r0 0..1 anon shared rw\n");
	takes(0, (uint64_t[]) { FRESH, FRESH });
	do_acts("clear_refs soft-dirty\n");
	takes(0, (uint64_t[]) { 0, 0 });
	do_acts("io_uring r0 0..0\n");
	assert_true(may_be(0, (uint64_t[]) { cached | FRESH, 0 }));
}

TEST(a_populate_that_fails_half_way_may_leave_lazyfree_pages)
{
	struct act_outcome refused = { .error = EFAULT };
	struct program p;
	char why[256];

	do_acts("mmap r0 0..0 anon private rw\nwrite r0 0..0\nmadvise r0 0..0 FREE\n");
	takes(0, (uint64_t[]) { HERE | FRESH });
	assert_int_equal(program_parse(&p, "madvise r0 0..0 POPULATE_WRITE\n", why, sizeof(why)),
			 0);
	ledger_act(&ledger, &p.acts[0], &refused);
	takes(0, (uint64_t[]) { HERE | FRESH });
	do_acts("madvise r0 0..0 PAGEOUT\n");
	assert_true(may_be(0, (uint64_t[]) { FRESH }));
}

TEST(a_write_may_make_a_whole_large_folio_soft_dirty)
{
	const uint64_t cached = PAGEMAP_PRESENT | PAGEMAP_FILE;

	do_acts("mmap r0 0..1 file shared rw\n");
	takes(0, (uint64_t[]) { FRESH, FRESH });
	do_acts("clear_refs soft-dirty\n");
	takes(0, (uint64_t[]) { 0, 0 });
	do_acts("write r0 0..0\n");
	assert_true(may_be(0, (uint64_t[]) { cached | FRESH, cached | FRESH }));
	assert_true(may_be(0, (uint64_t[]) { cached | FRESH, 0 }));
	assert_false(may_be(0, (uint64_t[]) { cached, cached }));
}

TEST(pages_that_move_beside_their_mapping_may_lose_their_lock)
{
	do_acts("mmap r0 0..1 anon private rw\nwrite r0 0..0\nmremap r0 0..1 beside\n");
	assert_true(may_be(0, (uint64_t[]) { 0, 0, HERE | FRESH, FRESH }));
	assert_false(may_be(0, (uint64_t[]) { HERE | FRESH, FRESH, 0, 0 }));
	do_acts("mlock r0 2..3 ONFAULT\nmremap r0 2..3 DONTUNMAP beside\n");
	assert_true(may_be(0, (uint64_t[]) { 0, 0, FRESH, FRESH, HERE | FRESH, FRESH }));
	for (unsigned i = 2; i < 6; i++)
		assert_true(ledger.of[0].regions[0].pages[i].flags & PF_MAY_UNLOCK);
	/* The region has no room, so nothing moves. */
	do_acts("mremap r0 4..1999 beside\n");
	assert_int_equal(ledger.of[0].regions[0].pages[4].state, PAGE_ANON);
}
