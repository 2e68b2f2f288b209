// SPDX-License-Identifier: MIT
/* Names verdicts, compares facts, and frees results. */
#include "base/list.h"
#include <rssck/verdict.h>
#include <stdlib.h>

const char *verdict_name(enum verdict v)
{
	static const char *const names[VERDICT_COUNT] = {
		[VERDICT_PASS] = "pass",
		[VERDICT_FAIL] = "fail",
		[VERDICT_SKIP] = "skip",
		[VERDICT_ERROR] = "error",
	};

	return (unsigned)v < VERDICT_COUNT ? names[v] : "error";
}

bool fact_value_is_among(const char *value, const char *values)
{
	return list_has(values, "|", value);
}

void result_free(struct result *r)
{
	free(r->discrepancies);
	r->discrepancies = NULL;
	r->nr_discrepancies = 0;
	curves_free(&r->curves, &r->nr_curves);
}

void results_free(struct results *r)
{
	for (size_t i = 0; i < r->nr; i++)
		result_free(&r->of[i]);
	free(r->of);
	r->of = NULL;
	r->nr = 0;
	curves_free(&r->curves, &r->nr_curves);
}
