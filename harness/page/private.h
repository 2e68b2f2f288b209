// SPDX-License-Identifier: MIT
/* Declarations shared by the parts of the HTML page. */
#ifndef RSSCK_HTML_PRIVATE_H
#define RSSCK_HTML_PRIVATE_H

#include "html.h"
#include "sheet/sheet.h"
#include "write.h"
#include <rssck/case.h>

struct html {
	struct kernels kernels;
	struct fact_rows facts;
	unsigned *values; /* the values of one row, for each kernel, from row_values() */
	bool *set;        /* a buffer for a set of kernels */
	const struct recordings *plots; /* the runs whose curves are drawn */
	FILE *out;
};

/* Prints an anchor, e.g. "c-" and the id. Any string becomes a valid anchor. */
void html_anchor(const char *prefix, const char *name, FILE *out);

/* True if this version of rssck has a case with that id. */
bool html_is_case(const char *id);

/* Print a link to a section of the page. */
void html_case_link(const char *id, FILE *out);
void html_metric_link(enum metric_id id, FILE *out);

/* Prints texts like "yes on 5.10.0 and 6.1.0; no on 6.12.43 and later". */
void html_by_kernel(const struct html *h, cell_fn *cell, const void *row);

/* Prints the names of a set of kernels. */
void html_kernels(const struct html *h, const bool *set);

/* The name of the newest kernel. */
const char *html_newest(const struct html *h, char *buf, size_t size);

/* Makes the sheet for tables that matrix/ also writes. */
struct sheet html_sheet(const struct html *h);

/*
 * Returns how a number is counted on a kernel, which decides its colour: "exact", "walked",
 * "per-cpu" etc.
 */
const char *html_counts(const struct results *r, enum metric_id id);
void html_counts_key(const struct html *h);
void html_bar(const struct html *h, int64_t length, int64_t most, const char *counts);

/* The sections, in their order on the page. */
void html_question(const struct html *h);
void html_residents(const struct html *h);
void html_lags(const struct html *h);
void html_curves(const struct html *h); /* the pictures of the section html_lags() */
void html_facts(const struct html *h);
void html_documents(const struct html *h);
void html_history(const struct html *h);
void html_tools(const struct html *h);
int html_words(const struct html *h); /* 0, or -1 with errno */
void html_metrics(const struct html *h);
void html_cases(const struct html *h);
void html_runs(const struct html *h);

/* The style sheets and scripts that the page contains: harness/page/. */
extern const char html_css_of_pictures[], html_css_of_tables[], html_css_of_atlas[], html_js[],
	html_js_of_atlas[];

#endif
