// SPDX-License-Identifier: MIT
/*
 * Checks a law that needs only one sequence: a sequence that runs alone must give the same result
 * as among many copies of itself. Only a few of the wanted sequences are checked; they are not
 * chosen at random.
 */
#include "agent/verbs/verbs.h"
#include "atlas/laws.h"
#include "atlas/order.h"
#include "base/memory.h"
#include "run.h"
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 12, REPORTED_MOST = 3 };

/* Zero pages are shared by all regions, so their mapcount is ignored. */
static const char ignored[] = "frames x";

struct copies {
	struct atlas *z;
	char alone[VIEW_TEXT], other[VIEW_TEXT];
	bool is_alone, differs;
};

static void compare(void *data, const struct batch *b, unsigned i, enum moment_of at,
		    const struct view *v)
{
	struct copies *c = data;

	(void)b, (void)i;
	if (at != AT_ACCESS)
		return;
	if (c->is_alone) {
		memcpy(c->alone, v->text, v->length + 1);
	} else if (!c->differs && !law_same(c->alone, v->text, ignored)) {
		memcpy(c->other, v->text, v->length + 1);
		c->differs = true;
	}
}

/*
 * True if the law can be checked on the sequence: it ends with an access, its kind is neither huge
 * nor costly, its event, if it has one, is always tried, and no act depends on reclaim or
 * khugepaged (which depend on free memory).
 */
static bool is_of_itself(const struct run *r, const struct sequence *s)
{
	const struct words *w = &r->words;
	enum word_size size = w->kinds[s->kind].size;

	if (size_is_huge(size) || w->kinds[s->kind].needs & COSTLY || s->access == NO_WORD)
		return false;
	if (s->event != NO_WORD && w->events[s->event].when != ALWAYS)
		return false;
	return !sequence_has(w, s, EFFECT_PAGE_OUT) && !sequence_has(w, s, EFFECT_COLD) &&
	       !sequence_has(w, s, EFFECT_FREE) && !sequence_has(w, s, EFFECT_COLLAPSE);
}

static bool differs(struct copies *c, const struct sequence *s)
{
	struct batch b = { .nr = 1 };
	struct suspect f;

	c->differs = false;
	c->alone[0] = '\0';
	for (c->is_alone = true;; c->is_alone = false) {
		for (unsigned i = 0; i < b.nr; i++)
			b.of[i] = *s;
		if (atlas_run(c->z, &b, false, &f) != RAN || !c->alone[0])
			return false;
		if (!c->is_alone)
			return c->differs && !atlas_was_reclaimed(c->z);
		b.nr = sequences_at_once(c->z->words, s);
	}
}

/*
 * Finds the first suitable sequence from position `at` of the order on. Returns false if there is
 * none before `end`.
 */
static bool find(const struct run *r, uint64_t at, uint64_t end, struct sequence *s)
{
	for (; at < end; at++)
		if (run_wants(r, order_number(&r->order, at), s) && is_of_itself(r, s))
			return true;
	return false;
}

static uint64_t check(struct run *r, struct copies *c, FILE *out)
{
	uint64_t all = r->last - r->first, reported = 0;
	char words[SEQUENCE_TEXT];
	struct sequence s;

	for (unsigned i = 0; i < SAMPLES && reported < REPORTED_MOST && !laws_time_is_over(r);
	     i++) {
		uint64_t from = r->first + all * i / SAMPLES;

		if (!find(r, from, r->first + all * (i + 1) / SAMPLES, &s) || !differs(c, &s) ||
		    !differs(c, &s))
			continue;
		reported++;
		fprintf(out,
			"# %s\n  the result alone differs from the result among copies:\n%s\n%s\n",
			sequence_print(&r->words, &s, words), c->alone, c->other);
	}
	return reported;
}

uint64_t check_copies(struct run *r, FILE *out)
{
	struct copies *c = calloc(1, sizeof(*c));
	struct atlas *z = calloc(1, sizeof(*z));
	uint64_t reported;

	if (!c || !z)
		memory_gone("the laws");
	if (atlas_open(z, &r->engine, &r->words) < 0)
		exit(trouble("atlas: %s", z->why));
	z->viewed = compare;
	z->data = c;
	z->stop = &r->shared->stop;
	c->z = z;
	reported = check(r, c, out);
	atlas_close(z);
	free(z);
	free(c);
	return reported;
}
