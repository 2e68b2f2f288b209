// SPDX-License-Identifier: MIT
/* Writes results as reports. Functions that return int return 0, or -1 with errno. */
#ifndef RSSCK_REPORT_H
#define RSSCK_REPORT_H

#include <rssck/verdict.h>
#include <stdio.h>

/*
 * Writes the table at the end of the text output: each counter beside the page tables. In a narrow
 * terminal the models are listed below it. If `columns` is 0, the width is not limited.
 */
int report_table(const struct results *r, FILE *out, unsigned columns, bool colour);

/*
 * Writes the results of a check for a terminal: what could not run and what is missing for it, the
 * failures, the table, and a line of at most 80 columns.
 */
int report_brief(const struct results *r, FILE *out, bool colour);

/*
 * Writes one case: the verdict, the tries if they differ, the remarks, the known bugs, and the
 * numbers that differ.
 */
int report_case(const struct result *r, const struct results *all, FILE *out, bool colour);

/* Writes a line such as "fail file/private_write: the reason". */
void report_verdict(const struct result *r, FILE *out, bool colour);

/*
 * Describes one discrepancy in `buf`, such as "status.RssAnon says 127 pages, should be 128: off by
 * -1, must be exact".
 */
const char *discrepancy_words(const struct discrepancy *d, char *buf, size_t size);

/*
 * Writes how a verdict was reached: the tries if their verdicts differ, the remarks, and the known
 * bugs. Each item has a line of its own, which begins with `before`. Most cases have none.
 */
void report_history(const struct result *r, const char *before, FILE *out);

/* Writes the known bugs that the case's facts show, each on a line that begins with `before`. */
void report_bugs(const struct result *r, const char *before, FILE *out);

/*
 * Writes why and in which case a run ended early, the cases until then that did not pass, and the
 * number of each verdict.
 */
int report_ended(const struct results *r, FILE *out, bool colour);

int report_ktap(const struct results *r, FILE *out);
int report_junit(const struct results *r, FILE *out);

/* Writes schema "rssck-results/1". */
int report_json(const struct results *r, FILE *out);

/*
 * Reads a results file. Returns 0, or -1 with a message that names the file, the reason and the
 * remedy.
 */
int results_load(struct results *r, const char *path, char *why, size_t size);

#endif
