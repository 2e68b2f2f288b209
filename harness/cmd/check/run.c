// SPDX-License-Identifier: MIT
/* Runs cases and stores their results. */
#include "check.h"
#include <stdlib.h>
#include <string.h>

int run_begin(struct results *r, const struct engine *e, size_t nr_cases)
{
	*r = (struct results) { 0 };
	engine_describe(e, r);
	r->nr_selected = nr_cases;
	r->of = calloc(nr_cases + 1, sizeof(*r->of));
	return r->of ? 0 : -1;
}

struct result *run_case(struct engine *e, const struct case_registration *c, struct results *r)
{
	struct result *result = &r->of[r->nr];

	engine_run(e, c, result);
	r->nr++;
	curves_move(&r->curves, &r->nr_curves, &result->curves, &result->nr_curves);
	r->duration_ms += result->duration_ms;
	return result;
}

static void results_count(struct results *r)
{
	memset(r->count, 0, sizeof(r->count));
	for (size_t i = 0; i < r->nr; i++)
		r->count[r->of[i].verdict]++;
}

size_t run_end(struct engine *e, struct results *r)
{
	size_t failed = r->nr ? engine_drain_log(e, r) : 0;

	results_count(r);
	return failed;
}

struct result *check_case(struct check *c, const struct case_registration *r)
{
	size_t drawn = c->results.nr_curves;
	struct result *result;
	char id[64];

	journal_begin(&c->journal, case_id(r, id, sizeof(id)), 1);
	result = run_case(c->engine, r, &c->results);
	journal_case(&c->journal, result, c->results.curves + drawn, c->results.nr_curves - drawn);
	return result;
}

bool check_end(struct check *c)
{
	bool late = run_end(c->engine, &c->results) > 0;

	/* A message in the kernel log has changed the verdict of the last case. */
	if (late)
		journal_case(&c->journal, &c->results.of[c->results.nr - 1], NULL, 0);
	if (c->options->repeat < 2)
		journal_end(&c->journal, &c->results);
	return late;
}
