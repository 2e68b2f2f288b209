// SPDX-License-Identifier: MIT
/* Collects the findings of a judge. */
#include "base/memory.h"
#include "private.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void judge_record(struct judgement *j, const struct discrepancy *d)
{
	j->discrepancies = memory_one_more(j->discrepancies, j->nr_discrepancies, sizeof(*d),
					   "discrepancies");
	j->discrepancies[j->nr_discrepancies++] = *d;
	j->failed |= d->fails;
}

static void note_unknown(struct judgement *j, const struct where *where, const char *what,
			 int64_t seen, int64_t expected)
{
	if (!j->unknown[0])
		snprintf(j->unknown, sizeof(j->unknown), "%s: %s is %lld, expected %lld",
			 where->step, what, (long long)seen, (long long)expected);
}

/* The broken rule, with the caller's words if they differ from the rule's. */
struct broken {
	enum rule_id rule;
	const char *words;
};

static void compare(struct judgement *j, const struct where *where, struct broken by,
		    const char *what, int64_t seen, int64_t expected, int64_t bound,
		    const char *unit, bool lag)
{
	int64_t off = seen > expected ? seen - expected : expected - seen;
	bool unknown = off > 0 && bound < 0;
	bool fails = bound >= 0 && off > bound;
	struct discrepancy d;

	j->nr_checks++;
	if (unknown)
		note_unknown(j, where, what, seen, expected);
	if (!fails && !lag && !unknown)
		return;
	discrepancy_set(&d, by.rule, unit ? unit : metric_noun(what), seen, expected, "%s", what);
	if (by.words)
		discrepancy_describe(&d, "%s", by.words);
	snprintf(d.step, sizeof(d.step), "%s", where->step);
	d.process = where->process;
	d.bound = bound < 0 ? -1 : bound;
	d.fails = fails;
	judge_record(j, &d);
}

void judge_compare(struct judgement *j, const struct where *where, enum rule_id rule,
		   const char *what, int64_t seen, int64_t expected, int64_t bound,
		   const char *unit)
{
	compare(j, where, (struct broken) { rule, NULL }, what, seen, expected, bound, unit, false);
}

void judge_compare_as(struct judgement *j, const struct where *where, enum rule_id rule,
		      const char *words, const char *what, int64_t seen, int64_t expected,
		      int64_t bound, const char *unit)
{
	compare(j, where, (struct broken) { rule, words }, what, seen, expected, bound, unit,
		false);
}

void judge_lag(struct judgement *j, const struct where *where, enum rule_id rule, const char *what,
	       int64_t seen, int64_t expected, int64_t bound)
{
	compare(j, where, (struct broken) { rule, NULL }, what, seen, expected, bound, NULL,
		seen != expected);
}

const char *judge_title(const struct judgement *j, unsigned step)
{
	const struct moment *m = NULL;

	if (step == STEP_EXIT)
		return "exit";
	if (j->t)
		m = trial_moment(j->t, step);
	return m ? m->name : "";
}

static void claim(struct judgement *j, unsigned step, const char *what, int64_t seen,
		  int64_t expected, int64_t bound, const char *unit, const char *words)
{
	judge_compare_as(j, &(struct where) { judge_title(j, step), 0 }, RULE_CLAIM, words, what,
			 seen, expected, bound, unit);
}

void judge_equal(struct judgement *j, unsigned step, const char *what, int64_t seen,
		 int64_t expected, const char *rule)
{
	claim(j, step, what, seen, expected, 0, NULL, rule);
}

void judge_equal_in(struct judgement *j, const char *unit, unsigned step, const char *what,
		    int64_t seen, int64_t expected, const char *rule)
{
	claim(j, step, what, seen, expected, 0, unit, rule);
}

void judge_reported_in(const struct trial *t, struct judgement *j, const char *unit, unsigned step,
		       const char *name, const char *what, int64_t expected, const char *rule)
{
	const struct moment *m = trial_moment(t, step);

	if (m && !m->skipped)
		judge_equal_in(j, unit, step, what, trial_reported(t, step, name), expected, rule);
}

void judge_reported(const struct trial *t, struct judgement *j, unsigned step, const char *name,
		    const char *what, int64_t expected, const char *rule)
{
	judge_reported_in(t, j, NULL, step, name, what, expected, rule);
}

void judge_note_movement(struct judgement *j, enum metric_id id, int64_t expected, int64_t bound)
{
	enum movement m = llabs(expected) > bound ? MOVEMENT_SEEN : MOVEMENT_SMALL;

	if (expected && m > j->moved[id])
		j->moved[id] = m;
}

static void judge_movement(struct judgement *j, unsigned step, enum metric_id id, int64_t seen,
			   int64_t expected, int64_t bound, const char *rule)
{
	/* Only judge_note_movement() sets MOVEMENT_SEEN. */
	if (j->moved[id] == MOVEMENT_UNSEEN)
		j->moved[id] = MOVEMENT_SMALL;
	claim(j, step, metric(id)->name, seen, expected, bound, NULL, rule);
}

void judge_moved(struct judgement *j, unsigned step, enum metric_id id, int64_t seen,
		 int64_t expected, int64_t bound, const char *rule)
{
	judge_note_movement(j, id, expected, bound);
	judge_movement(j, step, id, seen, expected, bound, rule);
}

void judge_moved_since(const struct trial *t, struct judgement *j, unsigned from, unsigned step,
		       enum metric_id id, int64_t expected, const char *rule)
{
	judge_moved(j, step, id, trial_moved(t, from, step, 0, id), expected, 0, rule);
}

void judge_moved_least(struct judgement *j, unsigned step, enum metric_id id, int64_t seen,
		       int64_t least, const char *rule)
{
	if (least > 0)
		judge_note_movement(j, id, least, 0);
	judge_movement(j, step, id, seen < least ? seen : least, least, 0, rule);
}

int64_t judge_bound(const struct trial *t, struct judgement *j, enum metric_id id, unsigned threads)
{
	int64_t bound = model_bound(t->models, id, threads);

	if (bound >= 0)
		return bound;
	if (!j->unknown[0])
		snprintf(j->unknown, sizeof(j->unknown), "the lag of %s cannot be judged",
			 metric(id)->name);
	return BOUND_LARGE;
}

/* The invariants may have recorded this lag already. */
static bool is_recorded(const struct judgement *j, const char *step, const char *what)
{
	for (size_t i = 0; i < j->nr_discrepancies; i++)
		if (!strcmp(j->discrepancies[i].step, step) &&
		    !strcmp(j->discrepancies[i].metric, what))
			return true;
	return false;
}

void judge_within(struct judgement *j, unsigned step, unsigned process, const char *what,
		  int64_t seen, int64_t expected, int64_t bound, const char *rule)
{
	/*
	 * The number is recorded even without a difference, because the case is about this number.
	 */
	compare(j, &(struct where) { judge_title(j, step), process },
		(struct broken) { RULE_CLAIM, rule }, what, seen, expected, bound, NULL,
		!is_recorded(j, judge_title(j, step), what));
}

void judge_holds(struct judgement *j, const struct where *where, bool holds, const char *rule)
{
	judge_compare_as(j, where, RULE_CLAIM, rule, CLAIM_IN_WORDS, holds, 1, 0, "");
}

void judge_true(struct judgement *j, unsigned step, bool holds, const char *rule)
{
	judge_holds(j, &(struct where) { judge_title(j, step), 0 }, holds, rule);
}

void judge_fact(struct judgement *j, const char *name, const char *format, ...)
{
	struct fact *f = &j->facts[j->nr_facts];
	va_list args;

	if (j->nr_facts == FACTS_MAX) {
		snprintf(j->error, sizeof(j->error), "it reports more than %d facts: %s", FACTS_MAX,
			 name);
		return;
	}
	snprintf(f->name, sizeof(f->name), "%s", name);
	va_start(args, format);
	vsnprintf(f->value, sizeof(f->value), format, args);
	va_end(args);
	j->nr_facts++;
}

void judge_yes_no(struct judgement *j, const char *name, bool holds)
{
	judge_fact(j, name, "%s", holds ? "yes" : "no");
}

void judge_fact_of(struct judgement *j, const char *name, int64_t n, int64_t all, const char *none,
		   const char *whole, const char *some)
{
	judge_fact(j, name, "%s", n == 0 ? none : n == all ? whole : some);
}

void judge_point(struct judgement *j, const struct curve_axes *axes, int64_t x, const char *series,
		 int64_t y)
{
	curve_add(curve_have(&j->curves, &j->nr_curves, axes), x, series, y);
}

void judge_skip(struct judgement *j, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(j->skip, sizeof(j->skip), format, args);
	va_end(args);
}

void judgement_free(struct judgement *j)
{
	free(j->discrepancies);
	curves_free(&j->curves, &j->nr_curves);
	*j = (struct judgement) { 0 };
}
