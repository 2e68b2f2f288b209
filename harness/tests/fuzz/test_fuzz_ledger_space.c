// SPDX-License-Identifier: MIT
/* The ledger with other kinds of mappings: locked from the start, droppable, growing down. */
#include "tests/fuzz/ledger_acts.h"
#include "tests/support/test.h"

static const struct ledger_place place = { .arena = 16 * 4096,
					   .stride = 16 * 4096,
					   .page_size = 4096 };

static bool may_be_mapped(const char *flags)
{
	struct mapping m = { .start = place.arena,
			     .end = place.arena + 4096,
			     .readable = true,
			     .writable = true,
			     .flags = flags };
	struct snapshot s = { .maps = &m, .nr_maps = 1 };
	struct discrepancy wrong;

	return ledger_check_maps(&ledger, 0, &s, &place, &wrong);
}

TEST(memory_mapped_under_MCL_FUTURE_is_locked_and_present)
{
	do_acts("mlockall FUTURE\nmmap r0 0..0 anon private rw\n");
	assert_true(may_be(0, (uint64_t[]) { HERE | FRESH }));
	assert_false(may_be(0, (uint64_t[]) { FRESH }));
	assert_true(may_be_mapped("rd wr lo sd"));
	assert_false(may_be_mapped("rd wr sd"));
	do_acts("munlockall\n");
	assert_true(may_be_mapped("rd wr sd"));
	do_acts("mmap r0 0..0 anon private rw\n");
	assert_true(may_be(0, (uint64_t[]) { FRESH }));
}

TEST(a_child_does_not_inherit_MCL_FUTURE)
{
	do_acts("mlockall FUTURE\nfork p1\np1 mmap r0 0..0 anon private rw\n");
	assert_false(ledger.of[1].regions[0].pages[0].flags & PF_LOCKED);
}

TEST(droppable_memory_may_disappear_and_is_never_swapped_out)
{
	do_acts("mmap r0 0..0 droppable rw\nwrite r0 0..0\n");
	takes(0, (uint64_t[]) { HERE | FRESH });
	do_acts("madvise r0 0..0 PAGEOUT\n");
	assert_true(may_be(0, (uint64_t[]) { FRESH }));
	assert_true(may_be(0, (uint64_t[]) { HERE | FRESH }));
	assert_false(may_be(0, (uint64_t[]) { PAGEMAP_SWAP | FRESH }));
	do_acts("userfaultfd r0 0..0 move to r1\nmadvise r1 0..0 PAGEOUT\n");
	assert_true(ledger.of[0].regions[1].pages[0].state & PAGE_ABSENT);
	do_acts("write r0 0..0\n");
	takes(0, (uint64_t[]) { HERE | PAGEMAP_SOFT_DIRTY });
	/* With MADV_WIPEONFORK the child's page is empty. */
	do_acts("fork p1\n");
	assert_true(may_be(1, (uint64_t[]) { 0 }));
	assert_false(may_be(1, (uint64_t[]) { HERE | PAGEMAP_SOFT_DIRTY }));
}

TEST(nothing_locks_droppable_memory)
{
	do_acts("mmap r0 0..0 droppable rw\nmlock r0 0..0\n");
	assert_true(may_be_mapped("rd wr wf dp sd"));
	assert_false(may_be_mapped("rd wr lo wf dp sd"));
	assert_false(ledger.of[0].locked_droppable);
	/* Memory mapped under MCL_FUTURE may be locked: a known bug. */
	do_acts("munmap r0 0..0\nmlockall FUTURE\nmmap r0 0..0 droppable rw\n");
	assert_true(may_be_mapped("rd wr wf dp sd"));
	assert_false(ledger.of[0].locked_droppable);
	assert_true(may_be_mapped("rd wr lo wf dp sd"));
	assert_true(ledger.of[0].locked_droppable);
}

static bool data_may_be(int64_t kb)
{
	struct snapshot s = { .pid = 1 };
	struct discrepancy wrong;

	s.values.have[METRIC_STATUS_VMDATA] = true;
	s.values.of[METRIC_STATUS_VMDATA] = kb;
	return ledger_check_counts(&ledger, 0, &s, 4096, 0, &wrong);
}

TEST(a_mapping_that_grows_down_is_not_in_VmData)
{
	assert_true(data_may_be(100));
	do_acts("mmap r0 0..1 growsdown rw\n");
	assert_true(data_may_be(100));
	assert_false(data_may_be(108));
	do_acts("mprotect r0 0..0 rwx\nmmap r1 0..1 anon private rw\n");
	assert_true(data_may_be(108));
	do_acts("mprotect r1 0..0 rx\n");
	assert_true(data_may_be(104));
}

TEST(the_added_end_of_a_grown_mapping_is_empty)
{
	do_acts("mmap r1 0..0 anon private rw\nwrite r1 0..0\nmremap r1 0..0 GROW to r0 by 1\n");
	assert_true(may_be(0, (uint64_t[]) { HERE | FRESH, FRESH }));
	assert_false(may_be(0, (uint64_t[]) { HERE | FRESH, HERE | FRESH }));
	assert_true(ledger.of[0].regions[0].pages[1].flags & PF_MAPPED);
	assert_false(ledger.of[0].regions[1].pages[0].flags & PF_MAPPED);
}

TEST(a_page_that_is_mapped_over_is_empty)
{
	do_acts("mmap r0 0..1 anon private rw\nwrite r0 0..1\nmmap r0 1..1 over r\n");
	assert_true(may_be(0, (uint64_t[]) { HERE | FRESH, FRESH }));
	assert_false(may_be(0, (uint64_t[]) { HERE | FRESH, HERE | FRESH }));
}
