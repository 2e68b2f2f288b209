// SPDX-License-Identifier: MIT
/*
 * The exception for VmLck after MREMAP_DONTUNMAP covers exactly the locked pages that were moved.
 */
#include "agent/verbs/verbs.h"
#include "atlas/exception.h"
#include "tests/support/test.h"

static struct words w;
static struct batch b;

static void add(const char *text)
{
	char why[160];

	assert_int_equal(sequence_parse(&w, &b.of[b.nr++], text, why, sizeof(why)), 0);
}

static bool is_excused_by(enum rule_id rule, int64_t more)
{
	static const struct host host = { .page_size = 4096, .huge_page_size = 2 << 20 };
	struct look l = { .host = (struct host *)&host };
	struct discrepancy d = { .id = METRIC_STATUS_VMLCK, .rule = rule };
	struct asked a = { .l = &l, .w = &w, .b = &b, .d = &d, .more = more };

	return exception_of(&a) >= 0;
}

static bool is_excused(int64_t more)
{
	return is_excused_by(RULE_VMLCK_MAPPINGS, more);
}

static void begin(const char *text)
{
	words_make(&w, 512);
	b.nr = 0;
	add(text);
}

TEST(locked_pages_that_dontunmap_moves_are_lost)
{
	begin("anon, mlock, dontunmap, read middle");
	assert_true(is_excused(4));
	assert_false(is_excused(2));
	assert_false(is_excused(-4));
	assert_false(is_excused(8));
	assert_true(is_excused_by(RULE_EXCEEDS, 3));
	assert_false(is_excused_by(RULE_EXCEEDS, 5));
}

TEST(all_of_the_moved_mapping_is_lost_and_none_of_its_neighbours)
{
	begin("anon, mlock middle, dontunmap middle, read middle");
	assert_true(is_excused(2));
	assert_false(is_excused(4));
	begin("anon locked, munlock middle, dontunmap, read middle");
	assert_true(is_excused(2));
	assert_false(is_excused(4));
	begin("anon, dontunmap, mlock, read middle");
	assert_false(is_excused(4));
}

TEST(a_split_mapping_is_lost_in_parts)
{
	begin("anon locked, wp middle, dontunmap, read middle");
	assert_true(is_excused(1));
	assert_true(is_excused(4));
	assert_false(is_excused(5));
	begin("huge locked, wp middle, dontunmap middle, read middle");
	assert_true(is_excused(8));
	assert_true(is_excused(512));
	assert_false(is_excused(9));
}

TEST(the_losses_of_several_sequences_are_added_up)
{
	begin("anon, mlock, dontunmap, read middle");
	add("anon, mlock middle, dontunmap middle, read middle");
	add("anon, write, write, read middle");
	assert_true(is_excused(2));
	assert_true(is_excused(4));
	assert_true(is_excused(6));
	assert_false(is_excused(1));
	assert_false(is_excused(8));
}

TEST(a_mapping_that_moves_beside_itself_may_be_counted_twice)
{
	begin("anon read-only, mlock onfault, dontunmap beside, read");
	assert_true(is_excused(4));
	assert_true(is_excused(8));
	assert_false(is_excused(6));
	assert_false(is_excused(12));
	begin("anon, mlock, dontunmap, read middle");
	assert_false(is_excused(8));
}

static bool is_excused_of_machine(enum rule_id rule, int64_t seen, int64_t expected)
{
	static const struct host host = { .page_size = 4096, .huge_page_size = 2 << 20 };
	struct look l = { .host = (struct host *)&host };
	struct discrepancy d = { .rule = rule, .counter = seen, .precise = expected };
	struct asked a = { .l = &l, .w = &w, .b = &b, .d = &d, .more = seen - expected };

	return exception_of(&a) >= 0;
}

TEST(a_partial_move_of_hugetlb_memory_leaves_the_rest_reserved)
{
	begin("hugetlb untouched, move middle, read");
	assert_true(is_excused_of_machine(RULE_RESERVED, 1, 0));
	assert_false(is_excused_of_machine(RULE_RESERVED, 0, 1));
	assert_false(is_excused_of_machine(RULE_RESERVED, HUGETLB_EACH + 1, 0));
	assert_false(is_excused_of_machine(RULE_LEFT_BEHIND, 1, 0));
	begin("hugetlb untouched, move, read");
	assert_false(is_excused_of_machine(RULE_RESERVED, 1, 0));
}

TEST(memory_that_DONTUNMAP_has_left_may_stay_charged)
{
	begin("anon, dontunmap, read");
	assert_true(is_excused_of_machine(RULE_COMMITTED, 4, 0));
	assert_false(is_excused_of_machine(RULE_COMMITTED, 0, 4));
	assert_false(is_excused_of_machine(RULE_COMMITTED, 5, 0));
	assert_false(is_excused_of_machine(RULE_LEFT_BEHIND, 4, 0));
	begin("anon, grow, dontunmap, read");
	assert_true(is_excused_of_machine(RULE_COMMITTED, 20, 0));
	begin("anon, move, read");
	assert_false(is_excused_of_machine(RULE_COMMITTED, 4, 0));
}

TEST(swap_of_a_part_of_a_file_is_excused_for_the_act_that_asks)
{
	static const struct host host = { .page_size = 4096 };
	struct look l = { .host = (struct host *)&host };
	struct discrepancy d = { .rule = RULE_ANSWER };
	struct verb asks = { .run = verb_swap_ask }, other = { .run = verb_mremap };
	struct asked a = { .l = &l, .w = &w, .b = &b, .d = &d, .more = 240, .answers = &asks };

	begin("64 KiB memfd, other pageout, swap of its file");
	assert_true(exception_of(&a) >= 0);
	a.more = -16;
	assert_true(exception_of(&a) < 0);
	a.more = 240;
	a.answers = &other;
	assert_true(exception_of(&a) < 0);
}

static bool is_excused_watch(int64_t more)
{
	struct look l = { .host = NULL };
	struct discrepancy d = { .rule = RULE_MAPPING_UFFD_WP };
	struct asked a = { .l = &l, .w = &w, .b = &b, .d = &d, .more = more };

	return exception_of(&a) >= 0;
}

TEST(memory_beside_a_moved_part_loses_its_userfaultfd)
{
	begin("anon untouched, wp, move beside, read middle");
	assert_true(is_excused_watch(1));
	assert_false(is_excused_watch(2));
	assert_false(is_excused_watch(-1));
	begin("anon untouched, move beside, wp, read middle");
	assert_false(is_excused_watch(1));
	begin("anon untouched, wp, move middle, read middle");
	assert_false(is_excused_watch(1));
}
