// SPDX-License-Identifier: MIT
#include "order.h"
#include "base/memory.h"
#include <stdlib.h>

/* Which part of the order a sequence belongs to. */
enum tier { EACH_ACT, FIRST_PAIRS, TWICE_AND_EVENTS, MORE_PAIRS };

/* A sequence and where it stands: tier, round, event, size, pair of acts, from the high bits on. */
struct placed {
	uint64_t key;
	uint32_t number;
};

/* No event belongs to the ordinary events. */
static enum event_when when_of(const struct words *w, unsigned event)
{
	return event == NO_WORD ? ALWAYS : w->events[event].when;
}

/* The place of an event among those that happen when it does, and how many these are. */
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
 * Each pair of acts meets one kind and one event in a round, and all of them in all rounds: the
 * kind goes on by one from pair to pair and from round to round, the event by no rule.
 */
static uint64_t round_of(const struct words *w, const struct sequence *s, unsigned first,
			 unsigned pair)
{
	unsigned kinds = w->nr_kinds, events, event = event_place(w, s->event, &events);
	unsigned scattered = (pair * 2654435761u) >> 16;
	unsigned kind = (s->kind + kinds - (first + s->act[s->length - 1]) % kinds) % kinds;

	event = (event + events - (scattered + kind) % events) % events;
	return event * (uint64_t)kinds + kind;
}

static enum tier tier_of(const struct words *w, const struct sequence *s, uint64_t round)
{
	if (s->length < 2 || (s->act[0] == NO_WORD && s->event == NO_WORD))
		return EACH_ACT;
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

	if (tier == EACH_ACT || tier == TWICE_AND_EVENTS)
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

void order_make(struct order *o, const struct words *w, unsigned length,
		bool (*wanted)(const void *data, const struct sequence *s), const void *data)
{
	uint64_t all = sequences_count(w, length);
	struct placed *of;

	*o = (struct order) { .nr = all };
	if (length > 2)
		return;
	of = calloc(all, sizeof(*of));
	o->of = calloc(all, sizeof(*o->of));
	if (!of || !o->of)
		memory_gone("the order of sequences");
	o->nr = 0;
	for (uint64_t n = 0; n < all; n++) {
		struct sequence s;

		if (sequence_of(w, length, n, &s) && wanted(data, &s))
			of[o->nr++] = (struct placed) { key_of(w, &s), (uint32_t)n };
	}
	qsort(of, o->nr, sizeof(*of), by_key);
	for (uint64_t i = 0; i < o->nr; i++)
		o->of[i] = of[i].number;
	free(of);
}

void order_free(struct order *o)
{
	free(o->of);
	*o = (struct order) { .nr = 0 };
}

uint64_t order_number(const struct order *o, uint64_t at)
{
	return o->of ? o->of[at] : at;
}
