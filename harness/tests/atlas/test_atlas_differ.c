// SPDX-License-Identifier: MIT
/*
 * Comparing two records: the shortest sequences that differ, without the numbers that one of the
 * kernels never prints.
 */
#include "atlas/differ.h"
#include "atlas/signature.h"
#include "atlas/table.h"
#include "tests/support/test.h"

static char *said;
static struct atlas_differences d;

static char clean[] = "error 0, signals 0, blocks 0\n"
		      "map r0 0..3 r+w at 0, rd wr mr mw me ac\n"
		      "  Rss 16 Private_Dirty 16\n"
		      "  0..3 own+present frame mmap+anon x1\n";
static char locked[] = "error 0, signals 0, blocks 0\n"
		       "map r0 0..3 r+w at 0, rd wr mr mw me lo ac\n"
		       "  Rss 16 Private_Dirty 16 Locked 16\n"
		       "  0..3 own+present frame mmap+anon x1\n";
static char moved[] = "error 0, signals 0, blocks 0\n"
		      "map r0 0..3 r+w at 0, rd wr mr mw me ac\n"
		      "  Rss 16 Private_Dirty 16\n"
		      "  0..0 soft-dirty+own+present frame mmap+anon x1\n"
		      "  1..3 own+present frame mmap+anon x1\n";
static char moved_on[] = "error 0, signals 0, blocks 0\n"
			 "map r0 0..3 r+w at 0, rd wr mr mw me ac\n"
			 "  Rss 16 Private_Dirty 16\n"
			 "  0..2 own+present frame mmap+anon x1\n"
			 "  3..3 soft-dirty+own+present frame mmap+anon x1\n";
static char scanned[] = "error 0, signals 0, blocks 0\n"
			"map r0 0..3 r+w at 0, rd wr mr mw me ac\n"
			"  Rss 16 Private_Dirty 16\n"
			"  0..3 own+present frame mmap+anon x1\n"
			"scan r0 0..3 written+present\n";

static struct atlas_record record_of(char **texts, size_t nr)
{
	return (struct atlas_record) { .texts = texts, .nr_texts = nr };
}

static void compare(struct atlas_record *old, struct atlas_record *new,
		    const struct atlas_record *again_old)
{
	const struct atlas_record *again[2] = { again_old, NULL };

	said = PRINTED(out, atlas_records_compare(old, new, again, &d, out));
}

static void done(struct atlas_record *a, struct atlas_record *b)
{
	table_free(a);
	table_free(b);
}

static char *all[] = { clean, locked, moved, moved_on };

TEST(a_difference_that_follows_from_a_shorter_sequence_is_left_out)
{
	struct atlas_record a = record_of(all, 4), b = record_of(all, 4);

	table_add(&a, "anon, mlock", locked);
	table_add(&b, "anon, mlock", clean);
	table_add(&a, "anon, mlock, fork", locked);
	table_add(&b, "anon, mlock, fork", clean);
	table_add(&a, "anon, read, mlock", locked);
	table_add(&b, "anon, read, mlock", clean);
	compare(&a, &b, NULL);
	assert_int_equal(d.compared, 3);
	assert_int_equal(d.differ, 3);
	assert_int_equal(d.follow, 2);
	assert_int_equal(d.groups, 1);
	assert_string_equal(d.shortest, "anon, mlock");
	assert_says(said, "1 sequence: flag lo less, Locked less\n");
	assert_says(said, "  anon, mlock\n");
	done(&a, &b);
}

TEST(a_further_difference_in_a_longer_sequence_is_reported)
{
	struct atlas_record a = record_of(all, 4), b = record_of(all, 4);

	table_add(&a, "anon, mlock", locked);
	table_add(&b, "anon, mlock", clean);
	table_add(&a, "anon, mlock, clear", locked);
	table_add(&b, "anon, mlock, clear", moved);
	compare(&a, &b, NULL);
	assert_int_equal(d.follow, 0);
	assert_int_equal(d.groups, 2);
	assert_says(said, ": pages soft-dirty more\n");
	done(&a, &b);
}

TEST(the_same_mark_on_other_pages_is_a_difference)
{
	struct atlas_record a = record_of(all, 4), b = record_of(all, 4);

	table_add(&a, "anon, clear, write", moved);
	table_add(&b, "anon, clear, write", moved_on);
	compare(&a, &b, NULL);
	assert_int_equal(d.groups, 1);
	assert_says(said, "place of pages soft-dirty other\n");
	done(&a, &b);
}

TEST(a_number_that_one_kernel_never_prints_is_no_difference)
{
	char *with[] = { scanned };
	struct atlas_record a = record_of(all, 4), b = record_of(with, 1);

	table_add(&a, "anon", clean);
	table_add(&b, "anon", scanned);
	compare(&a, &b, NULL);
	assert_int_equal(d.compared, 1);
	assert_int_equal(d.differ, 0);
	done(&a, &b);
}

TEST(a_difference_between_two_runs_on_one_kernel_is_noise)
{
	struct atlas_record a = record_of(all, 4), b = record_of(all, 4), c = record_of(all, 4);

	table_add(&a, "anon, mlock", locked);
	table_add(&b, "anon, mlock", clean);
	table_add(&c, "anon, mlock", clean);
	compare(&a, &b, &c);
	assert_int_equal(d.noisy, 1);
	assert_int_equal(d.differ, 0);
	table_free(&c);
	done(&a, &b);
}

static size_t known(struct atlas_record *old, struct atlas_record *new)
{
	size_t n;

	said = PRINTED(out, n = atlas_records_known(old, new, out));
	return n;
}

TEST(a_known_bug_that_only_one_record_met_is_named)
{
	char *both[] = { "a marker", "a lost lock" }, *one[] = { "a marker" };
	struct atlas_record a = { .known = both, .nr_known = 2, .has_known = true };
	struct atlas_record b = { .known = one, .nr_known = 1, .has_known = true };

	assert_int_equal(known(&a, &b), 1);
	assert_says(said, "before");
	assert_says(said, "a lost lock");
	assert_says_not(said, "a marker");
	assert_int_equal(known(&b, &a), 1);
	assert_says(said, "now");
	b.has_known = false;
	assert_int_equal(known(&b, &a), 0);
}

TEST(the_numbers_of_a_view_are_added_up)
{
	struct view_numbers n;

	view_numbers_read(&n,
			  "error 22, signals 2, blocks 8\n"
			  "map r0 0..1 r at 0, rd mr\n  Rss 8\n  0..1 own+present frame mmap x2\n"
			  "map r1 0..0 r at 0, rd mr\n  Rss 4\n  0..0 swap\n"
			  "the child\nmap r0 0..1 r at 0, rd\n  Rss 12\n");
	assert_int_equal(view_numbers_of(&n, "error"), 22);
	assert_int_equal(view_numbers_of(&n, "signals"), 2);
	assert_int_equal(view_numbers_of(&n, "Rss"), 12);
	assert_int_equal(view_numbers_of(&n, "child Rss"), 12);
	assert_int_equal(view_numbers_of(&n, "mapped"), 3);
	assert_int_equal(view_numbers_of(&n, "mappings"), 2);
	assert_int_equal(view_numbers_of(&n, "pages swap"), 1);
	assert_int_equal(view_numbers_of(&n, "frames x2"), 2);
	assert_int_equal(view_numbers_of(&n, "flag rd"), 3);
}
