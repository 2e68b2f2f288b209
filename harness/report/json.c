// SPDX-License-Identifier: MIT
/*
 * Writes results as JSON, schema "rssck-results/1". Sizes of a discrepancy have the unit that it
 * names, mostly pages.
 */
#include "json.h"
#include "base/print/words.h"
#include "causes.h"
#include "report.h"
#include <rssck/bug.h>
#include <rssck/case.h>
#include <stdlib.h>

static json_t *kernel_json(const struct results *r)
{
	json_t *j = json_object();

	json_set_words(j, "release", r->kernel_release);
	json_set_words(j, "version", r->kernel_version);
	json_set_words(j, "machine", r->machine);
	json_set_number(j, "page_size", r->page_size);
	json_set_number(j, "cpus", r->cpus);
	return j;
}

static void add_models(json_t *models, const struct models *m, const enum metric_id *ids)
{
	for (const enum metric_id *id = ids; *id != METRIC_NONE; id++) {
		const struct counter_model *c = &m->of[*id];
		json_t *j;

		if (c->kind == MODEL_ABSENT)
			continue;
		j = json_object();
		json_set_words(j, "kind", model_kind_name(c->kind));
		json_set_number(j, "batch", c->batch);
		json_object_set_new(models, metric(*id)->name, j);
	}
}

static json_t *models_json(const struct models *m)
{
	json_t *models = json_object();

	add_models(models, m, modelled);
	add_models(models, m, modelled_apart);
	return models;
}

static json_t *facts_json(const struct result *r)
{
	json_t *facts = json_object();

	for (size_t i = 0; i < r->nr_facts; i++) {
		char *name = utf8_clean(r->facts[i].name);

		if (name)
			json_set_words(facts, name, r->facts[i].value);
		free(name);
	}
	return facts;
}

static json_t *discrepancy_json(const struct discrepancy *d)
{
	json_t *j = json_object();

	json_set_words(j, "step", d->step);
	json_set_words(j, "metric", d->metric);
	json_set_number(j, "process", d->process);
	json_set_number(j, "counter", d->counter);
	json_set_number(j, "precise", d->precise);
	json_set_number(j, "difference", d->counter - d->precise);
	json_set_number(j, "bound", d->bound);
	json_set_words(j, "unit", d->unit);
	json_object_set_new(j, "fails", json_boolean(d->fails));
	json_set_words(j, "rule", d->text);
	if (d->rule != RULE_NONE)
		json_set_words(j, "rule_id", rule(d->rule)->name);
	return j;
}

static json_t *missing_json(const struct missing *m)
{
	json_t *list = json_array();

	for (size_t i = 0; i < m->nr; i++) {
		json_t *j = json_row(list);

		json_set_words(j, "id", missing_name(m->of[i].kind));
		json_set_words(j, "what", m->of[i].what);
	}
	return list;
}

static json_t *tries_json(const struct result *r)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->nr_tries; i++) {
		json_t *j = json_row(list);

		json_set_words(j, "verdict", verdict_name(r->tries[i].verdict));
		json_set_words(j, "reason", r->tries[i].reason);
		if (r->tries[i].cpu >= 0)
			json_set_number(j, "cpu", r->tries[i].cpu);
	}
	return list;
}

static json_t *remarks_json(const struct result *r)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->nr_remarks; i++)
		json_array_append_new(list, json_words(r->remarks[i]));
	return list;
}

static json_t *bugs_json(const struct result *r)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->nr_facts; i++) {
		const struct bug *b = bug_of_fact(&r->facts[i]);
		json_t *j;

		if (!b)
			continue;
		j = json_row(list);
		json_set_words(j, "fact", b->fact);
		json_set_words(j, "title", b->title);
		json_set_words(j, "lived", b->lived);
		if (b->fix)
			json_set_words(j, "fixed_by", b->fix);
		if (b->subject)
			json_set_words(j, "subject", b->subject);
		if (b->finding)
			json_set_number(j, "finding", b->finding);
	}
	return list;
}

json_t *json_case(const struct result *r)
{
	json_t *j = json_object(), *list = json_array(), *bugs = bugs_json(r);

	for (size_t i = 0; i < r->nr_discrepancies; i++)
		json_array_append_new(list, discrepancy_json(&r->discrepancies[i]));
	json_set_words(j, "id", r->id);
	json_set_words(j, "claim", r->c ? r->c->claim : "");
	json_set_words(j, "verdict", verdict_name(r->verdict));
	json_set_words(j, "reason", r->reason);
	if (r->missing.nr)
		json_object_set_new(j, "missing", missing_json(&r->missing));
	json_object_set_new(j, "facts", facts_json(r));
	json_object_set_new(j, "discrepancies", list);
	if (r->nr_tries)
		json_object_set_new(j, "tries", tries_json(r));
	if (r->nr_remarks)
		json_object_set_new(j, "remarks", remarks_json(r));
	if (json_array_size(bugs))
		json_object_set(j, "known_bugs", bugs);
	json_decref(bugs);
	json_set_number(j, "checks", (int64_t)r->nr_checks);
	json_set_number(j, "duration_ms", r->duration_ms);
	return j;
}

static json_t *points_json(const int64_t *points, size_t nr)
{
	json_t *list = json_array();

	for (size_t i = 0; i < nr; i++)
		json_array_append_new(list, points[i] == CURVE_NO_POINT ? json_null()
									: json_integer(points[i]));
	return list;
}

static json_t *curve_json(const struct curve *c)
{
	json_t *j = json_object(), *series = json_object();

	json_set_words(j, "name", c->name);
	json_set_words(j, "x", c->x);
	json_set_words(j, "y", c->y);
	json_object_set_new(j, "at", points_json(c->at, c->nr));
	for (size_t i = 0; i < c->nr_series; i++)
		json_object_set_new(series, c->series[i].name, points_json(c->series[i].of, c->nr));
	json_object_set_new(j, "series", series);
	return j;
}

json_t *json_summary(const struct results *r)
{
	json_t *j = json_object();

	for (enum verdict v = 0; v < VERDICT_COUNT; v++)
		json_set_number(j, verdict_name(v), (int64_t)r->count[v]);
	json_set_number(j, "known_bugs", (int64_t)results_bugs(r));
	return j;
}

json_t *json_curves(const struct curve *curves, size_t nr)
{
	json_t *list = json_array();

	for (size_t i = 0; i < nr; i++)
		json_array_append_new(list, curve_json(&curves[i]));
	return list;
}

void json_set_machine(json_t *root, const struct results *r)
{
	json_t *saw = json_object();

	json_object_set_new(saw, "kernel_log", json_boolean(r->saw_log));
	json_object_set_new(saw, "page_frames", json_boolean(r->saw_pfns));
	json_object_set_new(root, "kernel", kernel_json(r));
	json_object_set_new(root, "models", models_json(&r->models));
	json_object_set_new(root, "saw", saw);
}

static void set_ended_early(json_t *root, const struct results *r)
{
	json_t *j;

	if (!r->ended[0])
		return;
	j = json_object();
	json_set_words(j, "reason", r->ended);
	json_set_words(j, "case", r->ended_in);
	json_set_number(j, "selected", (int64_t)r->nr_selected);
	json_object_set_new(root, "ended_early", j);
}

/* Adds "causes" if many cases have one cause, so that a reader can treat their failures as one. */
static void set_causes(json_t *root, const struct results *r)
{
	json_t *list = json_array();
	struct causes c;

	if (causes_gather(&c, r))
		c.nr = 0;
	for (size_t i = 0; i < c.nr; i++) {
		json_t *j = json_row(list), *cases = json_array();

		if (c.of[i].number) {
			json_set_words(j, "metric", c.of[i].number->metric);
			json_set_words(j, "rule", c.of[i].number->text);
		} else {
			json_set_words(j, "reason", c.of[i].reason);
		}
		for (size_t k = 0; k < r->nr; k++)
			if (c.cause_of[k] == i)
				json_array_append_new(cases, json_words(r->of[k].id));
		json_object_set_new(j, "cases", cases);
	}
	if (c.nr)
		json_object_set(root, "causes", list);
	json_decref(list);
	causes_free(&c);
}

int report_json(const struct results *r, FILE *out)
{
	json_t *root = json_object(), *cases = json_array();

	for (size_t i = 0; i < r->nr; i++)
		json_array_append_new(cases, json_case(&r->of[i]));
	json_set_words(root, "schema", RESULTS_SCHEMA);
	json_set_machine(root, r);
	set_ended_early(root, r);
	json_object_set_new(root, "cases", cases);
	json_object_set_new(root, "curves", json_curves(r->curves, r->nr_curves));
	json_object_set_new(root, "summary", json_summary(r));
	set_causes(root, r);
	return json_write(root, out);
}
