// SPDX-License-Identifier: MIT
#include "order.h"
#include "base/memory.h"
#include <stdlib.h>

enum tier { EACH_WORD, FIRST_PAIRS, TWICE_AND_EVENTS, MORE_PAIRS };

/*
 * A sequence and its sort key. From the high bits to the low bits: tier, round, event, size, pair
 * of acts, kind.
 */
struct placed {
	uint64_t key;
	uint32_t number;
};

/* A sequence without an event is grouped with the events that are always tried. */
static enum event_when when_of(const struct words *w, unsigned event)
{
	return event == NO_WORD ? ALWAYS : w->events[event].when;
}

/* Returns the index of an event among the events of the same event_when; *nr is their number. */
static unsigned event_place(const struct words *w, unsigned event, unsigned *nr)
{
	enum event_when when = when_of(w, event);
	unsigned place = 0;

	*nr = when == ALWAYS;
	for (unsigned i = 0; i < w->nr_events; i++) {
		if (w->events[i].when != when)
			continue;
		if (i == event)
			place = *nr;
		++*nr;
	}
	return place;
}

/*
 * True if the event is tried only for some pairs of acts: its `when` is SOMETIMES, or the kind is
 * LIKE_ANOTHER.
 */
static bool is_seldom(const struct words *w, const struct sequence *s)
{
	return s->event != NO_WORD &&
	       (when_of(w, s->event) == SOMETIMES || w->kinds[s->kind].needs & LIKE_ANOTHER);
}

/*
 * The sequences of is_seldom() are few. Joins their rounds into STRETCHES groups, so that they run
 * in few batches, and spreads the groups over the rounds of the usual sequences.
 */
static uint64_t stretch_of(const struct words *w, uint64_t round, unsigned events)
{
	enum { STRETCHES = 12 };
	unsigned usual, kinds = w->nr_kinds;

	event_place(w, NO_WORD, &usual);
	return (round * STRETCHES / (events * kinds) + 1) * usual * kinds / STRETCHES;
}

/*
 * In each round, each pair of acts is tried with one kind and one event; in all rounds together,
 * with all kinds and events. The kind advances by 1 from pair to pair and from round to round. A
 * hash chooses the event.
 */
static uint64_t round_of(const struct words *w, const struct sequence *s, unsigned first,
			 unsigned pair)
{
	unsigned kinds = w->nr_kinds, events, event = event_place(w, s->event, &events);
	unsigned scattered = (pair * 2654435761u) >> 16;
	unsigned kind = (s->kind + kinds - (first + s->act[s->length - 1]) % kinds) % kinds;
	uint64_t round;

	event = (event + events - (scattered + kind) % events) % events;
	round = event * (uint64_t)kinds + kind;
	return round && is_seldom(w, s) ? stretch_of(w, round, events) : round;
}

static enum tier tier_of(const struct words *w, const struct sequence *s, uint64_t round)
{
	if (s->length < 2 || (s->act[0] == NO_WORD && (s->event == NO_WORD || s->act[1] == 0)))
		return EACH_WORD;
	if (s->event == NO_WORD ? s->act[0] == s->act[1]
				: s->act[1] == 0 && when_of(w, s->event) == ALWAYS)
		return TWICE_AND_EVENTS;
	return round ? MORE_PAIRS : FIRST_PAIRS;
}

static uint64_t key_of(const struct words *w, const struct sequence *s)
{
	unsigned first = s->length < 2 || s->act[0] == NO_WORD ? 0 : s->act[0] + 1U;
	unsigned pair = first * w->nr_acts + s->act[s->length - 1];
	uint64_t round = round_of(w, s, first, pair);
	enum tier tier = tier_of(w, s, round);
	unsigned event = s->event == NO_WORD ? 0 : s->event + 1U;

	if (tier == EACH_WORD || tier == TWICE_AND_EVENTS)
		round = 0;
	return (((((uint64_t)tier << 16 | round) << 8 | event) << 4 | w->kinds[s->kind].size)
			<< 16 |
		pair) << 8 |
	       s->kind;
}

static int by_key(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

struct list {
	const struct words *w;
	bool (*wanted)(const void *data, const struct sequence *s);
	const void *data;
	struct placed *of;
	size_t nr;
};

static void add(struct list *l, const struct sequence *s)
{
	if (!l->wanted(l->data, s) || !sequence_means_something(l->w, s))
		return;
	l->of = memory_one_more(l->of, l->nr, sizeof(*l->of), "the order of sequences");
	l->of[l->nr++] = (struct placed) { key_of(l->w, s),
					   (uint32_t)sequence_number(l->w, s->length, s) };
}

static void add_second(struct list *l, struct sequence *s)
{
	s->length = 2;
	for (unsigned i = 0; i < l->w->nr_acts; i++) {
		s->act[1] = (uint8_t)i;
		add(l, s);
	}
}

/*
 * Adds all sequences of one kind and one event. If the first act makes no sense, neither does a
 * second act after it.
 */
static void add_all(struct list *l, struct sequence *s, unsigned length)
{
	for (unsigned first = 0; first <= l->w->nr_acts; first++) {
		s->act[0] = first ? (uint8_t)(first - 1) : NO_WORD;
		s->length = 1;
		if (!sequence_means_something(l->w, s))
			continue;
		if (length == 1)
			add(l, s);
		else
			add_second(l, s);
	}
}

static uint32_t *numbers(size_t nr)
{
	uint32_t *of = calloc(nr + 1, sizeof(*of));

	if (!of)
		memory_gone("the order of sequences");
	return of;
}

void order_make(struct order *o, const struct words *w, unsigned length,
		bool (*wanted)(const void *data, const struct sequence *s), const void *data)
{
	struct list l = { .w = w, .wanted = wanted, .data = data };

	*o = (struct order) { .nr = sequences_count(w, length) };
	if (length > 2)
		return;
	for (unsigned kind = 0; kind < w->nr_kinds; kind++)
		for (unsigned event = 0; event <= w->nr_events; event++) {
			struct sequence s = { .kind = (uint8_t)kind };

			s.event = event ? (uint8_t)(event - 1) : NO_WORD;
			add_all(&l, &s, length);
		}
	qsort(l.of, l.nr, sizeof(*l.of), by_key);
	o->nr = l.nr;
	o->of = numbers(l.nr);
	o->numbers = numbers(l.nr);
	for (size_t i = 0; i < l.nr; i++)
		o->numbers[i] = o->of[i] = l.of[i].number;
	qsort(o->numbers, o->nr, sizeof(*o->numbers), by_number);
	free(l.of);
}

void order_free(struct order *o)
{
	free(o->of);
	free(o->numbers);
	*o = (struct order) { .nr = 0 };
}

uint64_t order_number(const struct order *o, uint64_t at)
{
	return o->of ? o->of[at] : at;
}

int64_t order_place(const struct order *o, uint64_t number)
{
	uint32_t wanted = (uint32_t)number;
	const uint32_t *at = !o->numbers || wanted != number
				     ? NULL
				     : bsearch(&wanted, o->numbers, o->nr, sizeof(*o->numbers),
					       by_number);

	return at ? at - o->numbers : -1;
}
