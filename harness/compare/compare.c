// SPDX-License-Identifier: MIT
/* Compares two runs and makes the list of changes. */
#include "compare.h"
#include "private.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Notes the known bug that the fact shows in the newer run, or else in the older run. */
static void change_bug(struct comparison *c, struct change *change)
{
	struct fact before, after;

	snprintf(before.name, sizeof(before.name), "%s", change->name);
	snprintf(after.name, sizeof(after.name), "%s", change->name);
	snprintf(before.value, sizeof(before.value), "%.63s", change->before);
	snprintf(after.value, sizeof(after.value), "%.63s", change->after);
	change->bug = bug_of_fact(&after);
	change->bug_came = change->bug && change->cause == CAUSE_KERNEL;
	c->bugs_came += change->bug_came;
	if (!change->bug)
		change->bug = bug_of_fact(&before);
}

static void change_words(struct comparison *c, enum change_kind kind, enum change_cause cause,
			 const char *id, const char *name, const char *before, const char *after)
{
	struct change *change = change_add(c, kind, cause, id, name);

	snprintf(change->before, sizeof(change->before), "%s", before);
	snprintf(change->after, sizeof(change->after), "%s", after);
	if (kind == CHANGE_FACT)
		change_bug(c, change);
}

static void compare_model(struct comparison *c, enum metric_id id)
{
	const struct results *a = c->before, *b = c->after;
	const struct counter_model *x = &a->models.of[id], *y = &b->models.of[id];
	char x_words[128], y_words[128];

	c->nr_models++;
	if (x->kind == y->kind && x->batch == y->batch)
		return;
	if (x->kind == y->kind && (x->kind == MODEL_EXACT || x->kind == MODEL_ABSENT))
		return;
	change_words(c, CHANGE_MODEL, cause_of(c, model_is_same(x, a->cpus, y, b->cpus), true), "",
		     metric(id)->name, model_describe(&a->models, id, x_words, sizeof(x_words)),
		     model_describe(&b->models, id, y_words, sizeof(y_words)));
}

static void compare_models(struct comparison *c)
{
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++)
		compare_model(c, *id);
	/*
	 * A missing measurement is not a change: an older rssck, or a machine without swap, does
	 * not have it.
	 */
	for (const enum metric_id *id = modelled_apart; *id != METRIC_NONE; id++)
		if (c->before->models.of[*id].kind != MODEL_ABSENT &&
		    c->after->models.of[*id].kind != MODEL_ABSENT)
			compare_model(c, *id);
}

static bool skipped_for_cpus(const struct result *r)
{
	return r->verdict == VERDICT_SKIP && missing_has(&r->missing, MISSING_CPUS);
}

static void compare_verdict(struct comparison *c, const struct result *a, const struct result *b)
{
	char words[2][sizeof(a->reason) + 16];
	const struct result *of[2] = { a, b };
	bool by_cpus = c->before->cpus != c->after->cpus &&
		       (skipped_for_cpus(a) || skipped_for_cpus(b));

	c->nr_verdicts++;
	if (a->verdict == b->verdict)
		return;
	for (int i = 0; i < 2; i++)
		snprintf(words[i], sizeof(words[i]), of[i]->reason[0] ? "%s (%s)" : "%s",
			 verdict_name(of[i]->verdict), of[i]->reason);
	change_words(c, CHANGE_VERDICT,
		     cause_of(c, by_cpus, !result_is_bad(a) && !result_is_bad(b)), a->id, a->id,
		     words[0], words[1]);
}

static const char *fact_value(const struct result *r, const char *name)
{
	for (size_t i = 0; i < r->nr_facts; i++)
		if (!strcmp(r->facts[i].name, name))
			return r->facts[i].value;
	return NULL;
}

/*
 * True for a fact of counters/calibrate that repeats a change of model, which has a line of its
 * own.
 */
static bool restates_model(const struct comparison *c, const char *name)
{
	const char *dot = strrchr(name, '.');

	if (!dot || (strcmp(dot, ".model") && strcmp(dot, ".batch")))
		return false;
	for (size_t i = 0; i < c->nr; i++)
		if (c->of[i].kind == CHANGE_MODEL && !strncmp(c->of[i].name, name, dot - name) &&
		    !c->of[i].name[dot - name])
			return true;
	return false;
}

static void compare_fact(struct comparison *c, const struct result *a, const struct result *b,
			 const char *name)
{
	const char *x = fact_value(a, name), *y = fact_value(b, name);

	c->nr_facts++;
	if ((x && y && !strcmp(x, y)) || restates_model(c, name))
		return;
	change_words(c, CHANGE_FACT,
		     cause_of(c, x && y && same_but_for_cpus(x, c->before->cpus, y, c->after->cpus),
			      true),
		     a->id, name, x ? x : "absent", y ? y : "absent");
}

static bool was_judged(const struct result *r)
{
	return r->verdict == VERDICT_PASS || r->verdict == VERDICT_FAIL;
}

static void compare_case(struct comparison *c, const struct result *a, const struct result *b)
{
	compare_verdict(c, a, b);
	if (!was_judged(a) || !was_judged(b))
		return;
	for (size_t i = 0; i < a->nr_facts; i++)
		compare_fact(c, a, b, a->facts[i].name);
	for (size_t i = 0; i < b->nr_facts; i++)
		if (!fact_value(a, b->facts[i].name))
			compare_fact(c, a, b, b->facts[i].name);
	compare_discrepancies(c, a, b);
}

/* True if the run was aborted in this case: its error is not a verdict about the kernel. */
static bool ended_in(const struct results *r, const struct result *c)
{
	return r->ended[0] && c->verdict == VERDICT_ERROR && !strcmp(r->ended_in, c->id);
}

static const struct result *find_case(const struct results *r, const char *id)
{
	for (size_t i = 0; i < r->nr; i++)
		if (!strcmp(r->of[i].id, id))
			return ended_in(r, &r->of[i]) ? NULL : &r->of[i];
	return NULL;
}

static int in_order(const void *a, const void *b)
{
	const struct change *x = a, *y = b;
	int names = strcmp(x->id, y->id);

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return names ? names : strcmp(x->name, y->name);
}

static int cannot(char *why, size_t size, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, size, format, args);
	va_end(args);
	return -1;
}

int compare(struct comparison *c, const struct results *before, const struct results *after,
	    char *why, size_t size)
{
	*c = (struct comparison) { .before = before, .after = after };
	if (before->page_size != after->page_size)
		return cannot(
			why, size,
			"%s with pages of %ld bytes and %s with pages of %ld bytes have no number "
			"in common; compare runs with the same page size",
			before->machine, before->page_size, after->machine, after->page_size);
	compare_models(c);
	for (size_t i = 0; i < before->nr; i++) {
		const struct result *other = find_case(after, before->of[i].id);

		if (other && !ended_in(before, &before->of[i]))
			compare_case(c, &before->of[i], other);
		else
			c->uncompared++;
	}
	for (size_t i = 0; i < after->nr; i++)
		c->uncompared += !find_case(before, after->of[i].id);
	if (!c->nr_verdicts) {
		cannot(why, size, "the two runs have no case in common");
		comparison_free(c);
		return -1;
	}
	if (c->nr)
		qsort(c->of, c->nr, sizeof(*c->of), in_order);
	return 0;
}

void comparison_free(struct comparison *c)
{
	free(c->of);
	c->of = NULL;
	c->nr = 0;
}
