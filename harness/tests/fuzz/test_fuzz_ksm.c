// SPDX-License-Identifier: MIT
/* KSM's counts by process must not exceed its count for the machine. */
#include "fuzz/ksm.h"
#include "tests/support/test.h"

static struct ksm k;

/* Two processes exist. The first one has merged pages and zero pages. */
static void begin(void)
{
	k = (struct ksm) {
		.here = true, .begins_anew = true, .machine = { 40, 30, 12 }, .of_nobody = 2
	};
	for (unsigned i = 2; i < ACT_PROCESSES; i++)
		k.of[i] = (struct ksm_numbers) { -1, -1, -1 };
	k.of[0] = (struct ksm_numbers) { 35, 30, 8 };
	k.of[1] = (struct ksm_numbers) { 0, 0, 2 };
}

static bool agrees(bool closed, const char *number)
{
	struct discrepancy m = { .metric = "" };
	uint64_t nr = 0;
	bool agree = ksm_agrees(&k, closed, &nr, &m);

	assert_string_equal(m.metric, agree ? "" : number);
	return agree;
}

static void act(const char *text, int error)
{
	struct act_outcome o = { .error = error };
	struct act a;
	char why[128];

	assert_int_equal(act_parse(&a, text, why, sizeof(why)), 0);
	ksm_act(&k, &a, &o);
}

TEST(KSM_may_keep_items_of_ended_processes_but_none_is_missing)
{
	assert_true(agrees(false, ""));
	k.of[0].items = 41;
	assert_false(agrees(false, "ksm_rmap_items"));
	begin();
	k.of[1].merging = 1;
	assert_false(agrees(false, "ksm_merging_pages"));
}

TEST(the_number_of_zero_pages_is_exact)
{
	k.of[1].zeroes = 1;
	assert_false(agrees(false, "/sys/kernel/mm/ksm/ksm_zero_pages"));
	k.of[1].zeroes = 3;
	assert_false(agrees(false, "/sys/kernel/mm/ksm/ksm_zero_pages"));
	/* Forked processes that have ended may have subtracted their zero pages. */
	k.begins_anew = false;
	assert_true(agrees(false, ""));
	/* The child of a process that has counts has none, so children inherit no counts. */
	act("fork p2", 0);
	k.of[2] = (struct ksm_numbers) { 0, 0, 0 };
	assert_false(agrees(false, "/sys/kernel/mm/ksm/ksm_zero_pages"));
	/* This kernel does not count zero pages. */
	k.machine.zeroes = k.of_nobody = -1;
	assert_true(agrees(false, ""));
}

TEST(after_everything_is_unmapped_no_zero_page_is_left)
{
	assert_false(agrees(true, "ksm_stat's ksm_zero_pages"));
	k.of[0].zeroes = k.of[1].zeroes = 0;
	k.machine.zeroes = k.of_nobody;
	assert_true(agrees(true, ""));
}

TEST(a_count_that_a_child_inherits_is_a_known_bug)
{
	act("fork p1", 0);
	assert_true(agrees(false, ""));
	assert_false(k.inherits);
	/* The process has ended, so it cannot have inherited anything. */
	k.of[1] = (struct ksm_numbers) { -1, -1, -1 };
	k.machine.zeroes = k.of[0].zeroes + k.of_nobody;
	assert_true(agrees(false, ""));
	assert_false(k.inherits);
	k.of[1] = k.of[0];
	assert_true(agrees(false, ""));
	assert_true(k.inherits);
}

TEST(a_child_that_ksmd_has_scanned_has_its_own_counts)
{
	act("fork p1", 0);
	act("ksm r0 0..3 merge", 0);
	k.of[1].items = 5;
	assert_true(agrees(false, ""));
	k.of[1].items = 6;
	assert_false(agrees(false, "ksm_rmap_items"));
	assert_false(k.inherits);
}

/*
 * The child inherits the leader's count, but not the `kept` zero pages that are in MADV_DONTFORK
 * memory. These are never subtracted from the machine's count.
 */
static void fork_with_kept(int64_t kept)
{
	begin();
	k.kept[0] = kept;
	act("fork p2", 0);
	k.of[2] = (struct ksm_numbers) { 0, 0, k.of[0].zeroes };
	k.machine.zeroes += k.of[0].zeroes;
	assert_true(agrees(false, ""));
	assert_false(k.stayed);
}

static void end_leaving(unsigned process, int64_t zeroes)
{
	k.machine.zeroes -= k.of[process].zeroes - zeroes;
	ksm_look_at(&k, process, NULL);
}

TEST(zero_pages_in_dontfork_memory_remain_in_the_total)
{
	fork_with_kept(3);
	end_leaving(2, 3);
	assert_true(agrees(false, ""));
	assert_true(k.stayed);
	assert_int_equal(k.of_nobody, 5);
	/* Only this number is excused: a later increase is a finding. */
	assert_true(agrees(false, ""));
	assert_false(k.stayed);
	k.machine.zeroes++;
	assert_false(agrees(false, "/sys/kernel/mm/ksm/ksm_zero_pages"));
}

TEST(no_more_zero_pages_may_remain_than_dontfork_memory_had)
{
	fork_with_kept(3);
	end_leaving(2, 4);
	assert_false(agrees(false, "/sys/kernel/mm/ksm/ksm_zero_pages"));
	fork_with_kept(0);
	end_leaving(2, 1);
	assert_false(agrees(false, "/sys/kernel/mm/ksm/ksm_zero_pages"));
	/* While the child lives, no difference is excused. */
	fork_with_kept(3);
	k.machine.zeroes++;
	assert_false(agrees(false, "/sys/kernel/mm/ksm/ksm_zero_pages"));
	/*
	 * At most the leader's 8 counted zero pages may remain, however many pages are zero-filled.
	 */
	fork_with_kept(100);
	end_leaving(2, 9);
	assert_false(agrees(false, "/sys/kernel/mm/ksm/ksm_zero_pages"));
}

TEST(helper_children_of_an_act_may_leave_zero_pages_in_the_total)
{
	k.kept[0] = 1;
	act("cpu offline", 0);
	k.machine.zeroes += ACT_HELPERS;
	assert_true(agrees(false, ""));
	assert_true(k.stayed);
	/* If a child counts more pages than it has, its own children inherit this count. */
	fork_with_kept(1);
	act("p2 cpu offline", 0);
	k.machine.zeroes++;
	assert_true(agrees(false, ""));
	/* The process p1 has all the pages that it counts. */
	act("p1 cpu offline", 0);
	k.machine.zeroes++;
	assert_false(agrees(false, "/sys/kernel/mm/ksm/ksm_zero_pages"));
}

TEST(a_fork_during_other_acts_may_leave_out_any_zero_page)
{
	ksm_race(&k);
	act("fork p2", 0);
	k.machine.zeroes += k.of[0].zeroes;
	assert_true(k.stays[2] == k.of[0].zeroes);
	ksm_look_at(&k, 2, NULL);
	assert_true(agrees(false, ""));
	assert_true(k.stayed);
}

TEST(zero_pages_in_dontfork_memory_are_counted_by_VmFlags)
{
	struct mapping maps[] = { { .flags = "rd wr mr mw me ac mg", .pagemap.of[CLASS_ZERO] = 1 },
				  { .flags = "rd wr dc ac", .pagemap.of[CLASS_ZERO] = 2 },
				  { .flags = "rd wr wf ac", .pagemap.of[CLASS_ZERO] = 4 },
				  { .flags = "rd wr dc ac", .pagemap.of[CLASS_ANON] = 8 } };
	struct snapshot s = { .pid = getpid(), .maps = maps, .nr_maps = 4 };

	ksm_look_at(&k, 0, &s);
	assert_int_equal(k.kept[0], 6);
}

FIXTURE(begin_test)
{
	begin();
	return 0;
}

TESTS_EACH(begin_test, NULL);
