// SPDX-License-Identifier: MIT
/*
 * Real bugs of Linux in its memory numbers: the kernels that report a wrong number, and the commit
 * that fixed it.
 */
#include "private.h"

void html_history(const struct html *h)
{
	struct sheet s = html_sheet(h);
	size_t nr;

	bugs_all(&nr);
	html_put(
		h->out,
		"<section id=\"history\" aria-labelledby=\"history-title\">\n"
		"<h2 id=\"history-title\">History</h2>\n"
		"<p>%zu real bugs of Linux in these numbers: the kernels that report a wrong number, and the "
		"commit that fixed it. The oldest fixes come first, unfixed bugs last.</p>\n",
		nr);
	sheet_bugs(&s, BUGS_ALL);
	fputs("</section>\n", h->out);
}
