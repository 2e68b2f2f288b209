// SPDX-License-Identifier: MIT
/* Many kernels side by side as one page for a browser, which fetches nothing. */
#ifndef RSSCK_HTML_H
#define RSSCK_HTML_H

#include <rssck/verdict.h>
#include <stdio.h>

/* Runs made only for plots, which are no columns; each has a name for people. */
struct recordings {
	struct results *of;
	char (*names)[64];
	size_t nr;
};

/*
 * Writes an HTML page (that is also XML) of those runs, sorted by release. `plots` may be
 * NULL or empty: then the curves of the runs themselves are drawn. Returns 0, or -1 with
 * errno.
 */
int report_html(struct results *runs, size_t nr, const struct recordings *plots, FILE *out);

#endif
