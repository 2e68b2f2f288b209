// SPDX-License-Identifier: MIT
/*
 * Compares the differences of counters. A lag has changed if the value of one run cannot occur in
 * the other run, because it exceeds the bound of that run's counter model. All other differences
 * are noise, even if they are large.
 */
#include "base/print/words.h"
#include "private.h"
#include <stdlib.h>
#include <string.h>

enum { BOUND_UNKNOWN = -1 };

/* The difference of one metric after one step in one run. */
struct seen {
	int64_t off;
	int64_t bound;
	bool fails;
	const char *unit;
};

static int64_t off_by(const struct discrepancy *d)
{
	return d->counter - d->precise;
}

static bool same_place(const struct discrepancy *a, const struct discrepancy *b)
{
	return !strcmp(a->metric, b->metric) && !strcmp(a->step, b->step) &&
	       a->process == b->process && discrepancy_is_kb(a) == discrepancy_is_kb(b);
}

/*
 * Returns the largest of the differences at one place. A case that ran on several CPUs may have
 * several.
 */
static const struct discrepancy *worst_at(const struct result *r, const struct discrepancy *place)
{
	const struct discrepancy *worst = NULL;

	for (size_t i = 0; i < r->nr_discrepancies; i++) {
		const struct discrepancy *d = &r->discrepancies[i];

		if (same_place(d, place) && (!worst || llabs(off_by(d)) > llabs(off_by(worst))))
			worst = d;
	}
	return worst;
}

/* The bound of the metric in the run that reports no difference. */
static int64_t silent_bound(const struct results *silent, const struct results *other,
			    const struct discrepancy *d)
{
	enum metric_id id = metric_by_name(d->metric);

	if (id == METRIC_NONE || silent->models.of[id].kind == MODEL_ABSENT)
		return d->bound;
	if (silent->models.of[id].kind == MODEL_EXACT)
		return 0;
	return model_is_same(&silent->models.of[id], silent->cpus, &other->models.of[id],
			     other->cpus)
		       ? d->bound
		       : BOUND_UNKNOWN;
}

static struct seen seen_at(const struct discrepancy *d, const struct results *self,
			   const struct discrepancy *elsewhere, const struct results *other)
{
	if (!d)
		return (struct seen) { 0, silent_bound(self, other, elsewhere), false,
				       elsewhere->unit };
	return (struct seen) { off_by(d), d->bound, d->fails, d->unit };
}

static bool could_occur(int64_t off, int64_t bound)
{
	return bound == BOUND_UNKNOWN || llabs(off) <= bound;
}

static bool has_changed(const struct seen *a, const struct seen *b)
{
	if (a->fails && b->fails)
		return false;
	if (a->off == b->off && a->bound == b->bound && a->fails == b->fails)
		return false;
	return !could_occur(a->off, b->bound) || !could_occur(b->off, a->bound);
}

/*
 * True if the number of CPUs explains the change: the model is the same, and each value is within
 * the bound on its machine.
 */
static bool is_by_cpus(const struct comparison *c, const char *name, const struct seen *a,
		       const struct seen *b)
{
	enum metric_id id = metric_by_name(name);

	return id != METRIC_NONE && c->before->cpus != c->after->cpus && !a->fails && !b->fails &&
	       c->before->models.of[id].kind == MODEL_PER_CPU &&
	       model_is_same(&c->before->models.of[id], c->before->cpus, &c->after->models.of[id],
			     c->after->cpus);
}

static void seen_words(const struct seen *s, const char *step, char *buf, size_t size)
{
	char off[32], bound[32];

	if (!s->off) {
		snprintf(buf, size, "not off");
		return;
	}
	snprintf(buf, size, "off by %s%s%s after '%s'%s%s%s",
		 difference_words(s->off, off, sizeof(off)), s->unit[0] ? " " : "", s->unit, step,
		 s->bound > 0 ? ", of " : "",
		 s->bound > 0 ? number_words(s->bound, bound, sizeof(bound)) : "",
		 s->bound > 0 ? " allowed" : "");
}

/* The step after which a metric of a case has changed most. */
struct widest {
	bool found;
	struct seen a, b;
	const char *step;
};

static void look_at(struct widest *w, const struct comparison *c, const struct result *a,
		    const struct result *b, const struct discrepancy *place)
{
	struct seen x = seen_at(worst_at(a, place), c->before, place, c->after);
	struct seen y = seen_at(worst_at(b, place), c->after, place, c->before);

	if (!has_changed(&x, &y))
		return;
	if (!w->found || llabs(x.off - y.off) > llabs(w->a.off - w->b.off))
		*w = (struct widest) { true, x, y, place->step };
}

static void compare_metric(struct comparison *c, const struct result *a, const struct result *b,
			   const char *name)
{
	struct widest w = { .found = false };

	for (int side = 0; side < 2; side++) {
		const struct result *r = side ? b : a;

		for (size_t i = 0; i < r->nr_discrepancies; i++)
			if (!strcmp(r->discrepancies[i].metric, name))
				look_at(&w, c, a, b, &r->discrepancies[i]);
	}
	if (!w.found)
		return;

	bool by_cpus = is_by_cpus(c, name, &w.a, &w.b), fails = w.a.fails || w.b.fails;
	struct change *change = change_add(c, CHANGE_DISCREPANCY, cause_of(c, by_cpus, !fails),
					   a->id, name);

	seen_words(&w.a, w.step, change->before, sizeof(change->before));
	seen_words(&w.b, w.step, change->after, sizeof(change->after));
}

static bool has_metric(const struct result *r, size_t nr, const char *name)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(r->discrepancies[i].metric, name))
			return true;
	return false;
}

void compare_discrepancies(struct comparison *c, const struct result *a, const struct result *b)
{
	for (size_t i = 0; i < a->nr_discrepancies; i++)
		if (!has_metric(a, i, a->discrepancies[i].metric))
			compare_metric(c, a, b, a->discrepancies[i].metric);
	for (size_t i = 0; i < b->nr_discrepancies; i++)
		if (!has_metric(b, i, b->discrepancies[i].metric) &&
		    !has_metric(a, a->nr_discrepancies, b->discrepancies[i].metric))
			compare_metric(c, a, b, b->discrepancies[i].metric);
}
