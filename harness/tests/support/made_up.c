// SPDX-License-Identifier: MIT
/* Results that no kernel produced. */
#include "made_up.h"
#include "tests/support/files.h"
#include "tests/support/test.h"

const char hostile[] =
	"</x> & \"q\" 'a' <![CDATA[ ]]> # SKIP\nnot ok 1\t\x01\x1b[31m\x7f \xff\xc3 \xed\xa0\x80 "
	"\xef\xbf\xbe \xf0\x9f\x90\xa7 \xc2\x85 \\012 | *";

struct results made_up_results(void)
{
	struct results r = { .page_size = 4096, .cpus = 2, .duration_ms = 1234 };

	strcpy(r.kernel_release, "6.12.43-made-up");
	strcpy(r.kernel_version, "#1 SMP");
	strcpy(r.machine, "x86_64");
	r.models.cpus = 2;
	made_up_models(&r, MODEL_EXACT, 0);
	return r;
}

struct models made_up_models_of(enum model_kind kind, unsigned batch)
{
	struct models m = { .cpus = 2, .fault_around = 16 };

	for (enum metric_id id = 0; id < METRIC_COUNT; id++)
		m.of[id].kind = MODEL_ABSENT;
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++)
		m.of[*id] = (struct counter_model) { kind, batch };
	return m;
}

void made_up_models(struct results *r, enum model_kind kind, unsigned batch)
{
	const struct models m = made_up_models_of(kind, batch);

	memcpy(r->models.of, m.of, sizeof(m.of));
}

struct result *made_up_case(struct results *r, const char *id, enum verdict v, const char *reason)
{
	r->of = reallocarray(r->of, r->nr + 1, sizeof(*r->of));
	assert_non_null(r->of);

	struct result *c = &r->of[r->nr++];

	*c = (struct result) { .verdict = v, .duration_ms = 12 };
	snprintf(c->id, sizeof(c->id), "%s", id);
	snprintf(c->reason, sizeof(c->reason), "%s", reason);
	r->count[v]++;
	return c;
}

void made_up_fact(struct result *r, const char *name, const char *value)
{
	struct fact *f = &r->facts[r->nr_facts++];

	snprintf(f->name, sizeof(f->name), "%s", name);
	snprintf(f->value, sizeof(f->value), "%s", value);
}

struct discrepancy *made_up_discrepancy(struct result *r, const char *step, const char *metric,
					int64_t counter, int64_t precise, int64_t bound)
{
	r->discrepancies = reallocarray(r->discrepancies, r->nr_discrepancies + 1,
					sizeof(*r->discrepancies));
	assert_non_null(r->discrepancies);

	struct discrepancy *d = &r->discrepancies[r->nr_discrepancies++];

	*d = (struct discrepancy) { .rule = RULE_CLAIM,
				    .id = metric_by_name(metric),
				    .counter = counter,
				    .precise = precise,
				    .bound = bound };
	snprintf(d->step, sizeof(d->step), "%s", step);
	snprintf(d->metric, sizeof(d->metric), "%s", metric);
	snprintf(d->unit, sizeof(d->unit), "%s", metric_noun(metric));
	d->fails = llabs(counter - precise) > bound;
	return d;
}

void made_up_curve(struct results *r)
{
	struct curve *c = curve_have(&r->curves, &r->nr_curves, &curve_staircase);

	for (int64_t x = 0; x < 3; x++)
		curve_add(c, 32 * x, CURVE_TRUTH, 500 + 32 * x);
	curve_add(c, 0, "stat.rss", 490);
	curve_add(c, 64, "stat.rss", 554);
}

struct results made_up_four(void)
{
	struct results r = made_up_results();
	struct result *c = made_up_case(&r, "anonymous/zero_page", VERDICT_PASS, "");

	made_up_fact(c, "zero_page.counted_in_rss", "no");
	made_up_fact(c, "zero_page.present_in_pagemap", "yes");
	c = made_up_case(&r, "file/private_write", VERDICT_FAIL, "the numbers differ");
	made_up_discrepancy(c, "write half", "status.RssAnon", 127, 128, 0);
	strncpy(made_up_discrepancy(c, "write half", "smaps.Pss", 510, 512, 0)->unit, "kB", 16);
	made_up_discrepancy(c, "map", "stat.rss", 100, 120, 186)->process = 1;
	made_up_case(&r, "swap/out", VERDICT_SKIP, "swap: there is none");
	made_up_case(&r, "fork/many", VERDICT_ERROR, "process 3 died");
	made_up_curve(&r);
	return r;
}

char *written(int (*write)(const struct results *r, FILE *out), const struct results *r)
{
	char *text = PRINTED(out, assert_int_equal(write(r, out), 0));

	return text;
}

char *page_of(int (*write)(struct results *runs, size_t nr, FILE *out), struct results *runs,
	      size_t nr)
{
	char *text = PRINTED(out, assert_int_equal(write(runs, nr, out), 0));

	for (size_t i = 0; i < nr; i++)
		results_free(&runs[i]);
	return text;
}

struct results results_in(const char *path)
{
	struct results r;
	char why[512];

	if (results_load(&r, path, why, sizeof(why)))
		fail_msg("%s", why);
	return r;
}

struct results results_of_text(const char *json)
{
	return results_in(folder_put("results.json", json));
}

struct results read_back(const struct results *r)
{
	return results_of_text(written(report_json, r));
}

void assert_results_refused(const char *json, const char *part)
{
	const char *path = folder_put("refused.json", json);
	struct results r;
	char why[512] = "";

	assert_int_equal(results_load(&r, path, why, sizeof(why)), -1);
	if (!strstr(why, path) || !strstr(why, part) || !strchr(why, ';'))
		fail_msg("expected '%s' in: %s", part, why);
	assert_null(r.of);
}

char *text_with(const char *text, const char *old, const char *new)
{
	const char *at = strstr(text, old);
	char *other;

	if (!at)
		fail_msg("there is no '%s' in\n%s", old, text);
	assert_true(asprintf(&other, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old)) >
		    0);
	return other;
}
