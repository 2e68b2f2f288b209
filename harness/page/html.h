// SPDX-License-Identifier: MIT
/* Many kernels side by side as one page for a browser, which fetches nothing. */
#ifndef RSSCK_HTML_H
#define RSSCK_HTML_H

#include <rssck/verdict.h>
#include <stdio.h>

/* Runs made for plots alone, which are no columns: each with a name for people. */
struct recordings {
	struct results *of;
	char (*names)[64];
	size_t nr;
};

/*
 * An HTML page (that is XML as well) of those runs, which are put in order of
 * their releases. `plots` may be NULL or empty: then the curves of the runs
 * themselves are drawn. Returns 0, or -1 with errno.
 */
int report_html(struct results *runs, size_t nr, const struct recordings *plots, FILE *out);

#endif
