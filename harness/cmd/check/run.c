// SPDX-License-Identifier: MIT
/* Running cases into results. */
#include "check.h"
#include <stdlib.h>
#include <string.h>

int run_begin(struct results *r, const struct engine *e, size_t nr_cases)
{
	*r = (struct results) { 0 };
	engine_describe(e, r);
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

void results_count(struct results *r)
{
	memset(r->count, 0, sizeof(r->count));
	for (size_t i = 0; i < r->nr; i++)
		r->count[r->of[i].verdict]++;
}

size_t run_end(struct engine *e, struct results *r)
{
	size_t failed = r->nr ? engine_last_words(e, r) : 0;

	results_count(r);
	return failed;
}
