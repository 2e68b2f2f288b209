// SPDX-License-Identifier: MIT
/* An HTML page that compares many kernels and fetches nothing. */
#ifndef RSSCK_HTML_H
#define RSSCK_HTML_H

#include <rssck/verdict.h>
#include <stdio.h>

/* Recorded runs. Each has a name for people. */
struct recordings {
	struct results *of;
	char (*names)[64];
	size_t nr;
};

/*
 * Writes an HTML page (which is also XML) of the runs, sorted by release. If `plots` is NULL or
 * empty, the curves of the runs themselves are drawn. Returns 0, or -1 with errno.
 */
int report_html(struct results *runs, size_t nr, const struct recordings *plots, FILE *out);

#endif
