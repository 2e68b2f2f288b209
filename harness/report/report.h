// SPDX-License-Identifier: MIT
/*
 * Reports: results in, text out. Each function returns 0, or -1 with errno if the stream
 * could not be written.
 */
#ifndef RSSCK_REPORT_H
#define RSSCK_REPORT_H

#include <rssck/verdict.h>
#include <stdio.h>

/*
 * The table at the end of the text output: each counter beside the page tables. If there are too
 * few columns, the models are named below it; 0: no limit.
 */
int report_table(const struct results *r, FILE *out, unsigned columns, bool colour);

/*
 * The results of a check for a terminal: what could not run, by what is missing, then the
 * failures, the table, and a line of at most 80 columns.
 */
int report_brief(const struct results *r, FILE *out, bool colour);

/* Describes one case that did not pass. */
int report_case(const struct result *r, const struct results *all, FILE *out, bool colour);

/* One line: "fail file/private_write: the reason". */
void report_verdict(const struct result *r, FILE *out, bool colour);

/* "off by -5,912 pages of 6,464 allowed" and the like: one discrepancy, into buf. */
const char *discrepancy_words(const struct discrepancy *d, char *buf, size_t size);

/*
 * How its verdict was reached, one item on each line after `before`: the tries if they
 * did not all agree, the remarks, and the known bugs that it has met. Most cases have
 * none.
 */
void report_history(const struct result *r, const char *before, FILE *out);

/* The known bugs that its facts show, one on each line after `before`. */
void report_bugs(const struct result *r, const char *before, FILE *out);

/* Why a run ended early: in which case, and the results until then. */
int report_ended(const struct results *r, FILE *out, bool colour);

int report_ktap(const struct results *r, FILE *out);
int report_junit(const struct results *r, FILE *out);

/* schema "rssck-results/1" */
int report_json(const struct results *r, FILE *out);

/* Reads such a file. Returns 0, or -1 with a sentence that names file, reason and remedy. */
int results_load(struct results *r, const char *path, char *why, size_t size);

#endif
