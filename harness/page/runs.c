// SPDX-License-Identifier: MIT
/* Lists the runs from which the page is made, and the cases that ran in none of them. */
#include "private.h"

void html_runs(const struct html *h)
{
	struct sheet s = html_sheet(h);

	fputs("<section id=\"runs\" aria-labelledby=\"runs-title\">\n"
	      "<h2 id=\"runs-title\">The runs</h2>\n",
	      h->out);
	sheet_runs(&s);
	fputs("<h3 id=\"nobody-ran\">Cases that ran nowhere</h3>\n", h->out);
	if (!sheet_not_run(&s))
		fputs("<p>None. Each case ran on at least one of these kernels.</p>\n", h->out);
	fputs("</section>\n", h->out);
}
