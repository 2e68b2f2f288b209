// SPDX-License-Identifier: MIT
#include "find.h"
#include <string.h>

static bool is_the_same(const struct suspect *a, const struct suspect *b)
{
	return a->wrong == b->wrong && discrepancy_is_same_kind(&a->d, &b->d);
}

static struct broken_rule *rule_of(struct finder *x, const struct suspect *f)
{
	for (unsigned i = 0; i < x->nr_rules; i++)
		if (is_the_same(&x->rules[i].first, f))
			return &x->rules[i];
	if (x->nr_rules == RULES_MAX)
		return NULL;
	x->rules[x->nr_rules].first = *f;
	return &x->rules[x->nr_rules++];
}

bool finder_reported_enough(const void *finder, const struct suspect *f)
{
	const struct finder *x = finder;

	for (unsigned i = 0; i < x->nr_rules; i++)
		if (is_the_same(&x->rules[i].first, f))
			return x->rules[i].told >= TOLD_OF_EACH;
	return false;
}

/* Reading after each act shows the error as early as possible. */
static enum ran run_alone(struct finder *x, const struct batch *b, unsigned i, struct suspect *f)
{
	struct batch one = { .nr = 1, .each_moment = true };

	one.of[0] = b->of[i];
	one.number[0] = b->number[i];
	return atlas_run(x->z, &one, true, f);
}

/* Concurrent acts run several times, because their order may differ. */
static enum ran run_alone_often(struct finder *x, const struct batch *b, unsigned i,
				struct suspect *f)
{
	enum { TRIES = 12 };
	unsigned tries = sequence_is_at_once(x->z->words, &b->of[i]) ? TRIES : 1;
	enum ran ran = RAN;

	while (ran == RAN && tries--)
		ran = run_alone(x, b, i, f);
	return ran;
}

/* Reports what these sequences show, unless its rule was reported often enough. */
static enum ran report(struct finder *x, const struct sequence *s, unsigned together,
		       const struct suspect *f)
{
	struct broken_rule *r = rule_of(x, f);

	if (!r || r->told++ >= TOLD_OF_EACH)
		return RAN;
	x->findings++;
	x->found(x->data, s, together, f);
	return RAN;
}

static enum ran try_alone(struct finder *x, const struct batch *b, unsigned i, bool *found)
{
	struct suspect first, again;
	enum ran ran = run_alone_often(x, b, i, &first);

	if (ran != RAN_WRONG)
		return ran;
	ran = run_alone_often(x, b, i, &again);
	if (ran == RAN || (ran == RAN_WRONG && !is_the_same(&first, &again))) {
		x->unconfirmed++;
		return RAN;
	}
	if (ran != RAN_WRONG)
		return ran;
	*found = true;
	return report(x, &b->of[i], 1, &again);
}

/* Tries halves of the batch, then halves of these. */
static enum ran try_together(struct finder *x, const struct batch *b, const struct suspect *f)
{
	struct batch now = *b, half = { .each_moment = true };
	struct suspect again;
	enum ran ran;

	now.each_moment = true;
	ran = atlas_run(x->z, &now, true, &again);
	if (ran == RAN || (ran == RAN_WRONG && !is_the_same(f, &again)))
		return x->unconfirmed++, RAN;
	for (unsigned from = 0; ran == RAN_WRONG && now.nr > 1 && from < 2; from++) {
		struct suspect of_half;

		half.nr = from ? now.nr - now.nr / 2 : now.nr / 2;
		memcpy(half.of, now.of + (from ? now.nr / 2 : 0), half.nr * sizeof(*half.of));
		ran = atlas_run(x->z, &half, true, &of_half);
		if (ran == RAN_WRONG && is_the_same(&again, &of_half)) {
			now = half;
			from = (unsigned)-1;
		} else if (ran == RAN) {
			ran = RAN_WRONG;
		}
	}
	if (ran != RAN_WRONG)
		return ran;
	return report(x, now.of, now.nr, &again);
}

enum ran finder_search(struct finder *x, const struct batch *b, const struct suspect *f)
{
	struct broken_rule *r = rule_of(x, f);
	bool found = false;
	enum ran ran = RAN;

	if (!r || r->told >= TOLD_OF_EACH) {
		if (r)
			r->batches++;
		return RAN;
	}
	for (unsigned i = 0; i < b->nr && ran == RAN && r->told < TOLD_OF_EACH; i++)
		if (f->wrong != WRONG_HANGS || f->at == AT_COUNT || i == f->window)
			ran = try_alone(x, b, i, &found);
	if (ran != RAN || found)
		return ran;
	return try_together(x, b, f);
}
