// SPDX-License-Identifier: MIT
/* Declares what the writers and the reader of results share. */
#ifndef RSSCK_REPORT_JSON_H
#define RSSCK_REPORT_JSON_H

#include "base/print/json.h"
#include <rssck/verdict.h>

#define RESULTS_SCHEMA "rssck-results/1"
#define JOURNAL_SCHEMA "rssck-journal/1"

/* Adds the kernel, its models, and what rssck could read there, to `root`. */
void json_set_machine(json_t *root, const struct results *r);

/*
 * Return JSON for one case, for curves, and for the numbers of cases by verdict and of known bugs.
 */
json_t *json_case(const struct result *r);
json_t *json_curves(const struct curve *curves, size_t nr);
json_t *json_summary(const struct results *r);

#endif
