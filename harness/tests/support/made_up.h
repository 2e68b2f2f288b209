// SPDX-License-Identifier: MIT
/* Results that no kernel produced, for the tests of reports. */
#ifndef RSSCK_MADE_UP_H
#define RSSCK_MADE_UP_H

#include "report/report.h"
#include <stdio.h>

/*
 * A string with all characters that could break a format: markup, control characters, invalid
 * UTF-8.
 */
extern const char hostile[];

/* Returns results of a kernel with 2 CPUs, without cases; all counters are exact. */
struct results made_up_results(void);

/* Returns models in which all counters that have a model are alike, on a machine with 2 CPUs. */
struct models made_up_models_of(enum model_kind kind, unsigned batch);

/* Adds a case. The pointer is valid until the next call. */
struct result *made_up_case(struct results *r, const char *id, enum verdict v, const char *reason);
void made_up_fact(struct result *r, const char *name, const char *value);
struct discrepancy *made_up_discrepancy(struct result *r, const char *step, const char *metric,
					int64_t counter, int64_t precise, int64_t bound);
void made_up_models(struct results *r, enum model_kind kind, unsigned batch);

/* Adds a staircase of three points; stat.rss lacks the second. */
void made_up_curve(struct results *r);

/* Returns four cases, one of each verdict, with facts and discrepancies. */
struct results made_up_four(void);

/* Returns the output of a writer; the caller frees it. */
char *written(int (*write)(const struct results *r, FILE *out), const struct results *r);

/* Returns a page of many runs, and frees the runs. The caller frees the page. */
char *page_of(int (*write)(struct results *runs, size_t nr, FILE *out), struct results *runs,
	      size_t nr);

/* Returns the results in a file or in a text. Fails the test if they are refused. */
struct results results_in(const char *path);
struct results results_of_text(const char *json);

/* Returns what is read from the JSON of these results. */
struct results read_back(const struct results *r);

/* Fails the test unless this JSON is refused with a reason that contains `part`. */
void assert_results_refused(const char *json, const char *part);

/* Returns a copy of a text in which the first `old` is replaced. The caller frees it. */
char *text_with(const char *text, const char *old, const char *new);

#endif
