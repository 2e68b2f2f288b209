// SPDX-License-Identifier: MIT
/* Results as JSON, schema "rssck-results/1". Sizes are pages unless a discrepancy's unit says kB. */
#include "json.h"
#include "words.h"
#include <errno.h>
#include <rssck/case.h>
#include <rssck/report.h>
#include <stdlib.h>

json_t *json_words(const char *s)
{
	char *clean = utf8_clean(s ? s : "");
	json_t *j = clean ? json_string(clean) : NULL;

	free(clean);
	return j;
}

static json_t *kernel_json(const struct results *r)
{
	return json_pack("{s:o, s:o, s:o, s:I, s:I}", "release", json_words(r->kernel_release),
			 "version", json_words(r->kernel_version), "machine",
			 json_words(r->machine), "page_size", (json_int_t)r->page_size, "cpus",
			 (json_int_t)r->cpus);
}

static json_t *models_json(const struct models *m)
{
	json_t *models = json_object();

	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++) {
		const struct counter_model *c = &m->of[*id];

		if (c->kind != MODEL_ABSENT)
			json_object_set_new(models, metric(*id)->name,
					    json_pack("{s:s, s:I}", "kind",
						      model_kind_name(c->kind), "batch",
						      (json_int_t)c->batch));
	}
	return models;
}

static json_t *facts_json(const struct result *r)
{
	json_t *facts = json_object();

	for (size_t i = 0; i < r->nr_facts; i++) {
		char *name = utf8_clean(r->facts[i].name);

		if (name)
			json_object_set_new(facts, name, json_words(r->facts[i].value));
		free(name);
	}
	return facts;
}

static json_t *discrepancy_json(const struct discrepancy *d)
{
	return json_pack("{s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:s, s:b, s:o}", "step",
			 json_words(d->step), "metric", json_words(d->metric), "process",
			 (json_int_t)d->process, "counter", (json_int_t)d->counter, "precise",
			 (json_int_t)d->precise, "difference",
			 (json_int_t)(d->counter - d->precise), "bound", (json_int_t)d->bound,
			 "unit", d->kb ? "kB" : "pages", "fails", d->fails, "rule",
			 json_words(d->text));
}

static json_t *case_json(const struct result *r)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->nr_discrepancies; i++)
		json_array_append_new(list, discrepancy_json(&r->discrepancies[i]));
	return json_pack("{s:o, s:o, s:s, s:o, s:o, s:o, s:I}", "id", json_words(r->id), "claim",
			 json_words(r->c ? r->c->claim : ""), "verdict", verdict_name(r->verdict),
			 "reason", json_words(r->reason), "facts", facts_json(r), "discrepancies",
			 list, "duration_ms", (json_int_t)r->duration_ms);
}

static json_t *summary_json(const struct results *r)
{
	json_t *summary = json_object();

	for (enum verdict v = 0; v < VERDICT_COUNT; v++)
		json_object_set_new(summary, verdict_name(v),
				    json_integer((json_int_t)r->count[v]));
	return summary;
}

int json_write(json_t *root, FILE *out)
{
	int failed = !root;

	if (!root)
		errno = ENOMEM;
	else if (json_dumpf(root, out, JSON_INDENT(2)) || putc('\n', out) == EOF)
		failed = 1;
	json_decref(root);
	return failed ? -1 : stream_end(out);
}

int report_json(const struct results *r, FILE *out)
{
	json_t *cases = json_array();

	for (size_t i = 0; i < r->nr; i++)
		json_array_append_new(cases, case_json(&r->of[i]));
	return json_write(json_pack("{s:s, s:o, s:o, s:o, s:o}", "schema", RESULTS_SCHEMA,
				    "kernel", kernel_json(r), "models", models_json(&r->models),
				    "cases", cases, "summary", summary_json(r)),
			  out);
}
