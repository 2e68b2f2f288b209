// SPDX-License-Identifier: MIT
/*
 * Sequences: each number stands for one sequence, each sequence has one number, and its text is
 * parsed back to the same sequence.
 */
#include "agent/verbs/verbs.h"
#include "atlas/words.h"
#include "tests/support/test.h"

enum { HUGE = 512 };

static struct words w;

FIXTURE(make)
{
	words_make(&w, HUGE);
	return 0;
}

static struct sequence parsed(const char *text)
{
	struct sequence s;
	char why[160] = "";

	make(NULL);
	if (sequence_parse(&w, &s, text, why, sizeof(why)) < 0)
		fail_msg("%s: %s", text, why);
	return s;
}

static void assert_refused(const char *text, const char *says)
{
	struct sequence s;
	char why[160] = "";

	make(NULL);
	assert_int_equal(sequence_parse(&w, &s, text, why, sizeof(why)), -1);
	assert_says(why, says);
}

TEST(a_sequence_converts_to_its_number_and_back)
{
	/* Trying all numbers would take two minutes under valgrind. */
	unsigned step = getenv("VALGRIND") ? 101 : 1;

	make(NULL);
	for (unsigned length = 1; length <= 2; length++)
		for (uint64_t n = 0; n < sequences_count(&w, length); n += step) {
			struct sequence s;

			sequence_of(&w, length, n, &s);
			assert_int_equal(sequence_number(&w, length, &s), n);
		}
}

TEST(a_printed_sequence_parses_to_itself)
{
	char text[SEQUENCE_TEXT], again[SEQUENCE_TEXT];

	make(NULL);
	for (uint64_t n = 0; n < sequences_count(&w, 2); n += 997) {
		struct sequence s, back;

		if (!sequence_of(&w, 2, n, &s))
			continue;
		sequence_print(&w, &s, text);
		back = parsed(text);
		assert_string_equal(sequence_print(&w, &back, again), text);
		assert_int_equal(back.event, s.event);
		assert_int_equal(back.access, s.access);
	}
}

TEST(a_kind_alone_has_no_acts)
{
	make(NULL);
	for (unsigned kind = 0; kind < w.nr_kinds; kind++) {
		struct sequence s = sequence_of_kind(kind);

		assert_ptr_equal(sequence_turn(&w, &s, AT_KIND), &w.kinds[kind].turn);
		for (unsigned at = AT_FIRST; at < AT_COUNT; at++)
			assert_null(sequence_turn(&w, &s, (enum moment_of)at));
	}
}

TEST(sequences_in_one_batch_have_one_event_and_one_size)
{
	struct sequence first, s;

	if (getenv("VALGRIND"))
		skip();
	make(NULL);
	for (uint64_t n = 0; n + 1 < sequences_count(&w, 2); n += 7) {
		sequence_of(&w, 2, n, &first);
		sequence_of(&w, 2, n + 1, &s);
		assert_int_equal(sequences_go_together(&w, 2, n, n + 1),
				 s.event == first.event &&
					 w.kinds[s.kind].size == w.kinds[first.kind].size);
		assert_true(sequences_at_once(&w, &s) >= 1 &&
			    sequences_at_once(&w, &s) <= SIDE_WINDOWS);
	}
}

TEST(an_event_comes_after_the_first_act_or_before_all_acts)
{
	struct sequence s = parsed("shm, write, fork, dontneed, read");

	assert_string_equal(w.kinds[s.kind].name, "shm");
	assert_string_equal(w.acts[s.act[0]].name, "write");
	assert_string_equal(w.events[s.event].name, "fork");
	assert_string_equal(w.acts[s.act[1]].name, "dontneed");
	assert_string_equal(w.acts[s.access].name, "read");
	s = parsed("shm,fork,  dontneed ,read");
	assert_int_equal(s.act[0], NO_WORD);
	assert_int_equal(s.length, 2);
	s = parsed("shm, write, fork");
	assert_int_equal(s.length, 1);
	assert_int_equal(s.access, NO_WORD);
}

static bool means_something(const char *text)
{
	struct sequence s = parsed(text), of;

	return sequence_of(&w, 2, sequence_number(&w, 2, &s), &of);
}

TEST(an_event_follows_an_act_that_gives_it_an_effect)
{
	assert_true(means_something("anon merged, ksmd, write, read middle"));
	assert_true(means_something("anon, mergeable, ksmd, write, read middle"));
	assert_false(means_something("anon, write, ksmd, write, read middle"));
	assert_true(means_something("shm, wp, uffd closed, write, read middle"));
	assert_false(means_something("shm, write, uffd closed, write, read middle"));
	assert_true(means_something("anon, migrate all, write, read middle"));
	assert_false(means_something("huge, migrate all, write, read middle"));
}

TEST(two_acts_run_concurrently_only_if_the_words_say_so)
{
	struct sequence s = parsed("anon, mlock, threads, dontneed, read middle");
	struct side_turn t;

	assert_true(means_something("anon, mlock, threads, dontneed, read middle"));
	assert_true(means_something("shm, write, processes, punch, read middle") ==
		    means_something("shm, punch, processes, write, read middle"));
	assert_false(means_something("anon, move, threads, write, read middle"));
	assert_false(means_something("anon, write, threads, grow, read middle"));
	assert_false(means_something("anon, threads, write, read middle"));
	assert_false(sequence_has_its_event(&w, &s));
	sequence_pair(&w, &s, &t);
	assert_int_equal(t.nr, 2);
	assert_int_not_equal(t.acts[0].verb, t.acts[1].verb);
	assert_true(t.whole[0] && t.whole[1]);
}

TEST(a_rare_event_follows_each_kind_and_few_pairs_of_acts)
{
	unsigned all = 0, chosen = 0;
	struct sequence s = parsed("huge, poke, write, read middle");

	assert_true(sequence_has_its_event(&w, &s));
	for (unsigned a = 0; a < w.nr_acts; a++)
		for (unsigned b = 0; b < w.nr_acts; b++, all++) {
			s.act[0] = (uint8_t)a;
			s.act[1] = (uint8_t)b;
			chosen += sequence_has_its_event(&w, &s);
		}
	assert_true(chosen >= all / 128 && chosen <= all / 32);
	s = parsed("huge, write, fork, write, read middle");
	assert_true(sequence_has_its_event(&w, &s));
}

TEST(an_unknown_word_is_refused)
{
	assert_refused("nothing, write", "'nothing' is not a kind of memory");
	assert_refused("shm, write, read, fork, write", "'fork' is not an act");
	assert_refused("shm, leap", "'leap' is not an act");
	assert_refused("shm, write, write, write, write, write",
		       "more than the maximum number of acts");
}

TEST(a_file_act_applies_to_files_only)
{
	struct sequence s = parsed("anon, truncate, read middle"), of;
	uint64_t n;

	s.act[1] = s.act[0];
	s.act[0] = NO_WORD;
	n = sequence_number(&w, 2, &s);
	assert_false(sequence_of(&w, 2, n, &of));
	s.kind = parsed("memfd, read").kind;
	assert_true(sequence_of(&w, 2, sequence_number(&w, 2, &s), &of));
}

TEST(the_middle_of_hugetlb_memory_consists_of_whole_huge_pages)
{
	struct sequence s = parsed("hugetlb, dontneed middle, read");
	const struct side_turn *t = sequence_turn(&w, &s, AT_FIRST);

	assert_int_equal(t->acts[0].first, HUGE);
	assert_int_equal(t->acts[0].pages, HUGE);
	assert_false(t->whole[0]);
	s = parsed("huge, dontneed, read");
	t = sequence_turn(&w, &s, AT_FIRST);
	assert_int_equal(t->acts[0].pages, HUGE);
	assert_true(t->whole[0]);
}

TEST(a_sequence_reports_the_effects_of_its_acts)
{
	struct sequence s = parsed("anon locked, dontunmap, read");

	assert_true(sequence_has(&w, &s, EFFECT_LOCK));
	assert_true(sequence_has(&w, &s, EFFECT_MOVE_PAGES));
	assert_false(sequence_has(&w, &s, EFFECT_PAGE_OUT));
}

TEST(words_select_a_step_of_a_sequence_that_repeats_the_first_act)
{
	static const struct {
		const char *words;
		enum moment_of at;
	} rows[] = {
		{ "anon", AT_KIND },
		{ "anon, fork", AT_EVENT },
		{ "anon, mlock", AT_SECOND },
		{ "anon, mlock, fork", AT_EVENT },
		{ "anon, mlock, munlock", AT_SECOND },
		{ "anon, fork, munlock", AT_SECOND },
	};

	make(NULL);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		enum moment_of at;
		uint64_t number;
		struct sequence s;
		char text[SEQUENCE_TEXT];

		assert_true(sequence_shows(&w, rows[i].words, &number, &at));
		assert_int_equal(at, rows[i].at);
		assert_true(sequence_of(&w, 2, number, &s));
		assert_string_equal(sequence_until(&w, &s, at, text), rows[i].words);
	}
}

TEST(each_row_of_the_tables_names_an_existing_act)
{
	make(NULL);
	for (unsigned size = 0; size < SIZE_COUNT; size++)
		assert_string_equal(w.not_had[size], "");
}

TEST(regions_too_small_for_a_huge_page_are_left_out)
{
	words_make(&w, 1 << 20);
	assert_string_equal(w.not_had[SIZE_SMALL], "");
	assert_string_not_equal(w.not_had[SIZE_HUGE], "");
	make(NULL);
}
