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

/* Results of a kernel with 2 CPUs and no case; exact counters. */
struct results made_up_results(void);

/* Add a case. The pointer is good until the next one. */
struct result *made_up_case(struct results *r, const char *id, enum verdict v, const char *reason);
void made_up_fact(struct result *r, const char *name, const char *value);
struct discrepancy *made_up_discrepancy(struct result *r, const char *step, const char *metric,
					int64_t counter, int64_t precise, int64_t bound);
void made_up_models(struct results *r, enum model_kind kind, unsigned batch);

/* A staircase of three points; of stat.rss the second is missing. */
void made_up_curve(struct results *r);

/* Four cases, one of each verdict, with facts and discrepancies. */
struct results made_up_four(void);

/* The output of a writer; the caller frees it. */
char *written(int (*write)(const struct results *r, FILE *out), const struct results *r);

/* A page of many runs, which it frees; to be freed. */
char *page_of(int (*write)(struct results *runs, size_t nr, FILE *out), struct results *runs,
	      size_t nr);

/* A temporary file with that content; its name into path. */
void file_with(const char *content, char *path, size_t size);

#endif
