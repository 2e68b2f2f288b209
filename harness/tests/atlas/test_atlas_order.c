// SPDX-License-Identifier: MIT
/* The order of the sequences: each occurs once, and the most revealing sequences come early. */
#include "atlas/order.h"
#include "tests/support/test.h"

enum { HUGE = 512, SOME_ACTS = 12 };

static struct words w;
static struct order o;

static bool is_wanted(const void *data, const struct sequence *s)
{
	(void)data;
	return s->event == NO_WORD || w.events[s->event].when != SOMETIMES;
}

/* A few acts are enough, and keep the run under valgrind short. */
static void make_order(void)
{
	words_make(&w, HUGE);
	w.nr_acts = SOME_ACTS;
	order_make(&o, &w, 2, is_wanted, NULL);
}

static struct sequence at(uint64_t place)
{
	struct sequence s;

	sequence_of(&w, 2, order_number(&o, place), &s);
	return s;
}

/* Returns true for the sequences of one word: an act alone, or an event with act 0. */
static bool is_of_a_word(const struct sequence *s)
{
	return s->act[0] == NO_WORD && (s->event == NO_WORD || s->act[1] == 0);
}

static bool is_begun(uint64_t place)
{
	struct sequence s = at(place);

	return is_of_a_word(&s);
}

TEST(a_number_has_a_place_if_it_is_in_the_order)
{
	struct order by_numbers = { .nr = 3 };

	make_order();
	for (uint64_t i = 0; i < o.nr; i++)
		assert_int_equal(o.numbers[order_place(&o, o.numbers[i])], o.numbers[i]);
	assert_int_equal(order_place(&o, sequences_count(&w, 2)), -1);
	assert_int_equal(order_place(&o, UINT64_C(1) << 32), -1);
	assert_int_equal(order_place(&by_numbers, 0), -1);
	order_free(&o);
}

TEST(the_order_contains_each_sequence_once)
{
	uint64_t all, wanted = 0;
	char *seen;

	make_order();
	all = sequences_count(&w, 2);
	seen = calloc(all, 1);
	assert_non_null(seen);
	for (uint64_t i = 0; i < o.nr; i++) {
		assert_false(seen[order_number(&o, i)]);
		seen[order_number(&o, i)] = 1;
	}
	for (uint64_t n = 0; n < all; n++) {
		struct sequence s;

		wanted += sequence_of(&w, 2, n, &s) && is_wanted(NULL, &s);
	}
	assert_int_equal(o.nr, wanted);
	free(seen);
	order_free(&o);
}

TEST(the_order_begins_with_each_act_and_event_on_each_kind)
{
	uint64_t nr = 0, wanted = 0;

	make_order();
	for (uint64_t n = 0; n < sequences_count(&w, 2); n++) {
		struct sequence s;

		wanted += sequence_of(&w, 2, n, &s) && is_wanted(NULL, &s) && is_of_a_word(&s);
	}
	while (is_begun(nr))
		nr++;
	assert_int_equal(nr, wanted);
	order_free(&o);
}

TEST(each_pair_of_acts_is_tried_once_before_any_is_tried_twice)
{
	char seen[SOME_ACTS][SOME_ACTS] = { "" };
	uint64_t i = 0;

	make_order();
	while (is_begun(i))
		i++;
	for (struct sequence s = at(i); s.act[0] != s.act[1] || s.event != NO_WORD; s = at(++i)) {
		/* Sequences with swapoff are few and have a separate order. */
		if (s.act[0] == NO_WORD || (s.event != NO_WORD && w.events[s.event].when != ALWAYS))
			continue;
		assert_false(seen[s.act[0]][s.act[1]]);
		seen[s.act[0]][s.act[1]] = 1;
	}
	for (unsigned a = 0; a < SOME_ACTS; a++)
		for (unsigned b = 1; b < SOME_ACTS; b++)
			if (a != b && !w.acts[a].needs && !w.acts[b].needs)
				assert_true(seen[a][b]);
	order_free(&o);
}

static bool is_of_a_rare_event(const void *data, const struct sequence *s)
{
	(void)data;
	return s->event != NO_WORD && w.events[s->event].when == SOMETIMES &&
	       s->act[0] != NO_WORD && sequence_has_its_event(&w, s);
}

/* A batch ends where the event or the size changes. */
TEST(sequences_with_a_rare_event_are_batched_together)
{
	unsigned batches = 0, most = 0;

	words_make(&w, HUGE);
	order_make(&o, &w, 2, is_of_a_rare_event, NULL);
	for (uint64_t i = 0, first = 0; i < o.nr; i++) {
		if (i && i - first < SIDE_WINDOWS &&
		    sequences_go_together(&w, 2, order_number(&o, first), order_number(&o, i)))
			continue;
		first = i;
		batches++;
	}
	for (unsigned size = 0; size < SIZE_COUNT; size++)
		most += w.kinds_of[size] ? w.nr_events : 0;
	assert_true(batches && batches <= o.nr / SIDE_WINDOWS + 16 * most);
	order_free(&o);
}
