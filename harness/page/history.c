// SPDX-License-Identifier: MIT
/* Real bugs of Linux in its memory numbers: which kernels report it wrong, and the commit
 * that fixed it. */
#include "private.h"
#include "runs/bugs.h"

static void fix(const struct html *h, const struct bug *b)
{
	if (b->fix)
		html_put(h->out, "<a href=\"https://git.kernel.org/linus/%s\">%s</a> ", b->fix,
			 b->fix);
	html_put(h->out, "%s", b->subject ? b->subject : b->fix ? "" : "no fix is known");
}

static void where(const struct html *h, const struct bug *b)
{
	if (!b->by)
		html_put(h->out, "no case shows it: %s", b->unseen);
	else if (!bug_kernels(&h->kernels, b, h->set))
		fputs("its case did not run", h->out);
	else
		html_kernels(h, h->set);
}

/* For the script: on which kernels. */
static void data(const struct html *h, const struct bug *b)
{
	fputs(" data-bug-on=\"", h->out);
	if (b->by && bug_kernels(&h->kernels, b, h->set))
		for (size_t i = 0; i < h->kernels.nr; i++)
			if (h->set[i])
				html_put(h->out, "%zu ", i);
	fputs("\"", h->out);
}

static void bug_row(const struct html *h, const struct bug *b)
{
	fputs("<tr", h->out);
	data(h, b);
	html_put(h->out, "><th>%s</th><td>%s</td>", b->title, b->number);
	html_put(h->out, "<td>%s</td><td>", b->lived);
	where(h, b);
	fputs("</td><td>", h->out);
	if (b->by)
		html_case_link(b->by, h->out);
	fputs("</td><td>", h->out);
	fix(h, b);
	fputs("</td></tr>\n", h->out);
}

void html_history(const struct html *h)
{
	size_t nr;
	const struct bug *all = bugs_all(&nr);

	html_put(
		h->out,
		"<section id=\"history\" aria-labelledby=\"history-title\">\n"
		"<h2 id=\"history-title\">History</h2>\n"
		"<p>%zu real bugs of Linux in these numbers: which kernels report it wrong, and the "
		"commit that fixed it. The oldest fixes first, what is not fixed last.</p>\n"
		"<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"Bugs\">\n"
		"<table class=\"bugs cards\"><caption><span>Bugs, fixed or not</span></caption>\n<thead><tr>"
		"<th scope=\"col\">bug</th><th scope=\"col\">number</th>"
		"<th scope=\"col\">versions</th><th scope=\"col\">on these kernels</th>"
		"<th scope=\"col\">case</th><th scope=\"col\">fixed by</th></tr></thead>\n<tbody>\n",
		nr);
	for (size_t i = 0; i < nr; i++)
		bug_row(h, &all[i]);
	fputs("</tbody></table></div>\n</section>\n", h->out);
}
