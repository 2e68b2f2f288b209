// SPDX-License-Identifier: MIT
/* Which runs the page is made from, and which cases ran in none of them. */
#include "private.h"

static void run(const struct html *h, const struct results *r)
{
	html_put(h->out,
		 "<tr><th>%s</th><td>%s</td><td class=\"number\">%u</td>"
		 "<td class=\"number\">%lld</td>",
		 r->kernel_release, r->machine, r->cpus, (long long)r->page_size);
	for (enum verdict v = 0; v < VERDICT_COUNT; v++)
		html_put(h->out, "<td class=\"number%s\">%zu</td>",
			 v == VERDICT_FAIL && r->count[v] ? " false" : "", r->count[v]);
	fputs("</tr>\n", h->out);
}

static void nobody(const struct html *h)
{
	size_t nr, found = 0;
	const struct case_registration *all = cases_all(&nr);
	char id[64];

	fputs("<h3 id=\"nobody-ran\">Cases that ran nowhere</h3>\n", h->out);
	for (size_t i = 0; i < nr; i++) {
		if (all[i].c->flags & CASE_HIDDEN ||
		    case_ran(&h->kernels, case_id(&all[i], id, sizeof(id))))
			continue;
		if (!found++)
			fputs("<div class=\"box\" role=\"region\" tabindex=\"0\" "
			      "aria-label=\"Cases that ran nowhere\">\n"
			      "<table class=\"cards\"><thead><tr><th scope=\"col\">case</th>"
			      "<th scope=\"col\">why</th></tr></thead>\n<tbody>\n",
			      h->out);
		fputs("<tr><th>", h->out);
		html_case_link(id, h->out);
		html_put(h->out, "</th><td>%s</td></tr>\n", case_why_not(&h->kernels, id));
	}
	fputs(found ? "</tbody></table></div>\n"
		    : "<p>None: each case ran on one of these kernels at least.</p>\n",
	      h->out);
}

void html_runs(const struct html *h)
{
	fputs("<section id=\"runs\" aria-labelledby=\"runs-title\">\n"
	      "<h2 id=\"runs-title\">The runs</h2>\n"
	      "<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"The runs\">\n"
	      "<table class=\"runs cards\"><caption><span>What this page is made from</span></caption>\n<thead><tr>"
	      "<th scope=\"col\">kernel</th><th scope=\"col\">machine</th>"
	      "<th scope=\"col\" class=\"number\">CPUs</th>"
	      "<th scope=\"col\" class=\"number\">page, bytes</th>",
	      h->out);
	for (enum verdict v = 0; v < VERDICT_COUNT; v++)
		html_put(h->out, "<th scope=\"col\" class=\"number\">%s</th>", verdict_name(v));
	fputs("</tr></thead>\n<tbody>\n", h->out);
	for (size_t i = 0; i < h->kernels.nr; i++)
		run(h, &h->kernels.of[i]);
	fputs("</tbody></table></div>\n", h->out);
	nobody(h);
	fputs("</section>\n", h->out);
}
