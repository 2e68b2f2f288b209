// SPDX-License-Identifier: MIT
/* Looks up the results of the case with 100 threads. */
#include "threads.h"
#include <stdlib.h>
#include <string.h>

const char threads_case[] = "counters/threads_malloc";
static const char threads_step[] = "100 threads x 1 MiB";

static int64_t off_by(const struct discrepancy *d)
{
	return llabs(d->counter - d->precise);
}

static const struct discrepancy *worst_of(const struct result *r, const char *metric)
{
	const struct discrepancy *worst = NULL;

	for (size_t i = 0; i < r->nr_discrepancies; i++) {
		const struct discrepancy *d = &r->discrepancies[i];

		if (strcmp(d->step, threads_step) || strcmp(d->metric, metric))
			continue;
		if (!worst || off_by(d) > off_by(worst))
			worst = d;
	}
	return worst;
}

const struct discrepancy *threads_seen(const struct results *r, const char *metric)
{
	for (size_t i = 0; i < r->nr; i++)
		if (!strcmp(r->of[i].id, threads_case))
			return worst_of(&r->of[i], metric);
	return NULL;
}
