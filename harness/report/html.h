// SPDX-License-Identifier: MIT
/* Many kernels side by side as one page for a browser, which fetches nothing. */
#ifndef RSSCK_HTML_H
#define RSSCK_HTML_H

#include <rssck/verdict.h>
#include <stdio.h>

/*
 * An HTML page (that is XML as well) of those runs, which are put in order of
 * their releases. Returns 0, or -1 with errno.
 */
int report_html(struct results *runs, size_t nr, FILE *out);

#endif
