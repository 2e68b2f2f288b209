// SPDX-License-Identifier: MIT
/* The memory that MREMAP_DONTUNMAP leaves unlocked, to the page. */
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

TEST(what_is_moved_away_while_it_is_locked_is_lost)
{
	begin("anon, mlock, dontunmap, read middle");
	assert_true(is_excused(4));
	assert_false(is_excused(2));
	assert_false(is_excused(-4));
	assert_false(is_excused(8));
	assert_true(is_excused_by(RULE_EXCEEDS, 3));
	assert_false(is_excused_by(RULE_EXCEEDS, 5));
}

TEST(of_a_mapping_all_is_lost_and_of_its_neighbours_nothing)
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

TEST(what_other_acts_have_divided_is_lost_in_parts)
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

TEST(what_is_lost_of_several_is_a_sum)
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

TEST(what_moves_beside_itself_may_be_counted_twice)
{
	begin("anon read-only, mlock onfault, dontunmap beside, read");
	assert_true(is_excused(4));
	assert_true(is_excused(8));
	assert_false(is_excused(6));
	assert_false(is_excused(12));
	begin("anon, mlock, dontunmap, read middle");
	assert_false(is_excused(8));
}

static bool is_excused_reservation(enum rule_id rule, int64_t seen, int64_t expected)
{
	static const struct host host = { .page_size = 4096, .huge_page_size = 2 << 20 };
	struct look l = { .host = (struct host *)&host };
	struct discrepancy d = { .rule = rule, .counter = seen, .precise = expected };
	struct asked a = { .l = &l, .w = &w, .b = &b, .d = &d, .more = seen - expected };

	return exception_of(&a) >= 0;
}

TEST(the_rest_of_hugetlb_memory_that_is_moved_in_part_stays_reserved)
{
	begin("hugetlb untouched, move middle, read");
	assert_true(is_excused_reservation(RULE_RESERVED, 1, 0));
	assert_false(is_excused_reservation(RULE_RESERVED, 0, 1));
	assert_false(is_excused_reservation(RULE_RESERVED, HUGETLB_EACH + 1, 0));
	assert_false(is_excused_reservation(RULE_LEFT_BEHIND, 1, 0));
	begin("hugetlb untouched, move, read");
	assert_false(is_excused_reservation(RULE_RESERVED, 1, 0));
}

TEST(swap_of_a_part_is_excused_where_an_act_has_asked_for_it)
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
