// SPDX-License-Identifier: MIT
/*
 * The laws of the atlas, checked on made-up records: which sequences of acts must show the same
 * numbers on one kernel.
 */
#include "atlas/differ.h"
#include "atlas/laws.h"
#include "atlas/table.h"
#include "tests/support/test.h"

static struct words w;
static struct atlas_record r;
static unsigned violations;
static char last[2][SEQUENCE_TEXT], law[64];

static char plain[] = "error 0, signals 0, blocks 0\n"
		      "map r0 0..3 r+w at 0, rd wr mr mw me ac sd\n"
		      "  Rss 16 Anonymous 16\n"
		      "  0..3 soft-dirty+own+present frame mmap+anon x1\n";
static char failed[] = "error 22, signals 4, blocks 0\n"
		       "map r0 0..3 r+w at 0, rd wr mr mw me ac sd\n"
		       "  Rss 16 Anonymous 16\n"
		       "  0..3 soft-dirty+own+present frame mmap+anon x1\n";
static char clean[] = "error 0, signals 0, blocks 0\n"
		      "map r0 0..3 r+w at 0, rd wr mr mw me ac\n"
		      "  Rss 16 Anonymous 16\n"
		      "  0..3 own+present frame mmap+anon x1\n";
static char locked[] = "error 0, signals 0, blocks 0\n"
		       "map r0 0..3 r+w at 0, rd wr mr mw me lo ac sd\n"
		       "  Rss 16 Anonymous 16 Locked 16\n"
		       "  0..3 soft-dirty+own+present frame mmap+anon+mlocked x1\n";

static void violated(void *data, const struct violation *v)
{
	(void)data;
	violations++;
	snprintf(last[0], sizeof(last[0]), "%s", v->one);
	snprintf(last[1], sizeof(last[1]), "%s", v->other);
	snprintf(law, sizeof(law), "%s", v->law);
}

static const char *shown(void *data, const char *words)
{
	(void)data;
	return atlas_record_text(&r, words);
}

static uint64_t check(void)
{
	uint64_t compared;

	violations = 0;
	words_make(&w, 512);
	compared = laws_check(&w, &(struct law_asker) { shown, violated, NULL });
	table_free(&r);
	r = (struct atlas_record) { .nr = 0 };
	return compared;
}

TEST(an_act_on_a_part_and_then_on_all_equals_the_act_on_all)
{
	table_add(&r, "anon, mlock", locked);
	table_add(&r, "anon, mlock middle, mlock", plain);
	check();
	assert_int_equal(violations, 1);
	assert_string_equal(law, "part and whole");
	table_add(&r, "anon, pageout", locked);
	table_add(&r, "anon, pageout middle, pageout", plain);
	check();
	assert_int_equal(violations, 0);
}

TEST(a_law_that_names_its_kinds_is_checked_only_once)
{
	table_add(&r, "anon untouched, write", plain);
	table_add(&r, "anon untouched, populate write", locked);
	check();
	assert_int_equal(violations, 1);
}

TEST(munlock_undoes_mlock)
{
	table_add(&r, "anon, munlock", plain);
	table_add(&r, "anon, mlock, munlock", plain);
	assert_int_equal(check(), 1);
	assert_int_equal(violations, 0);
	table_add(&r, "anon, munlock", plain);
	table_add(&r, "anon, mlock, munlock", locked);
	assert_int_equal(check(), 1);
	assert_int_equal(violations, 1);
	assert_string_equal(law, "lock");
	assert_string_equal(last[0], "anon, munlock");
	assert_string_equal(last[1], "anon, mlock, munlock");
}

TEST(an_act_that_writes_nothing_leaves_soft_dirty_unchanged)
{
	table_add(&r, "anon dirtied", plain);
	table_add(&r, "anon dirtied, munlock", locked);
	assert_int_equal(check(), 1);
	assert_int_equal(violations, 0);
	table_add(&r, "anon dirtied", plain);
	table_add(&r, "anon dirtied, pageout", clean);
	assert_int_equal(check(), 1);
	assert_int_equal(violations, 1);
	assert_string_equal(law, "marks stay");
	table_add(&r, "shm dirtied", plain);
	table_add(&r, "shm dirtied, pageout", clean);
	assert_int_equal(check(), 0);
	table_add(&r, "anon dirtied swapped", plain);
	table_add(&r, "anon dirtied swapped, swapoff", clean);
	assert_int_equal(check(), 1);
	assert_int_equal(violations, 1);
}

TEST(the_errors_of_the_acts_are_not_compared)
{
	table_add(&r, "anon, unregister", plain);
	table_add(&r, "anon, unregister, unregister", failed);
	assert_int_equal(check(), 1);
	assert_int_equal(violations, 0);
}

TEST(clear_refs_clears_soft_dirty_and_nothing_else)
{
	table_add(&r, "anon, write", plain);
	table_add(&r, "anon, write, clear", clean);
	assert_int_equal(check(), 1);
	assert_int_equal(violations, 0);
	table_add(&r, "anon, mlock", locked);
	table_add(&r, "anon, mlock, clear", clean);
	assert_int_equal(check(), 1);
	assert_int_equal(violations, 1);
}

TEST(a_mark_and_another_act_commute)
{
	table_add(&r, "shm, dontfork, write", plain);
	table_add(&r, "shm, write, dontfork", clean);
	check();
	assert_int_equal(violations, 1);
	assert_string_equal(law, "marks");
}

TEST(refused_guards_break_no_law)
{
	table_add(&r, "anon, guard", plain);
	table_add(&r, "anon, dontneed middle", clean);
	table_add(&r, "anon, guard, unguard", plain);
	assert_int_equal(check(), 1);
	assert_int_equal(violations, 1);
	assert_string_equal(law, "unguard");
	table_add(&r, "anon, guard", failed);
	table_add(&r, "anon, dontneed middle", clean);
	table_add(&r, "anon, guard, unguard", plain);
	assert_int_equal(check(), 0);
}

TEST(an_exception_is_not_compared)
{
	table_add(&r, "anon, move", plain);
	table_add(&r, "anon, move, move", clean);
	table_add(&r, "anon, dontfork, dontunmap", plain);
	table_add(&r, "anon, dontunmap, dontfork", clean);
	assert_int_equal(check(), 0);
}

TEST(a_memfd_is_like_shared_anonymous_memory)
{
	table_add(&r, "shm, protect", plain);
	table_add(&r, "memfd, protect", locked);
	check();
	assert_int_equal(violations, 1);
	assert_string_equal(last[0], "shm, protect");
	assert_string_equal(last[1], "memfd, protect");
}
