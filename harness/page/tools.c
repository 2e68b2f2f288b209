// SPDX-License-Identifier: MIT
/* Lists the tool columns that show each metric. */
#include "private.h"
#include <rssck/column.h>

static void column(const struct column *c, enum metric_id id, FILE *out)
{
	enum metric_id other = c->metric == id ? c->plus : c->metric;

	html_put(out, "<li><b>%s</b> %s", c->tool, c->name);
	if (other != METRIC_NONE)
		html_put(out, " <small>with %s</small>", metric(other)->key);
	if (c->note)
		html_put(out, " <small>%s</small>", c->note);
	fputs("</li>", out);
}

static void readers(const struct html *h, enum metric_id id)
{
	size_t nr, found = 0;
	const struct column *all = columns_all(&nr);

	for (size_t i = 0; i < nr; i++) {
		if (all[i].metric != id && all[i].plus != id)
			continue;
		if (!found++) {
			fputs("<tr><th>", h->out);
			html_metric_link(id, h->out);
			fputs("</th><td><ul class=\"columns\">", h->out);
		}
		column(&all[i], id, h->out);
	}
	fputs(found ? "</ul></td></tr>\n" : "", h->out);
}

void html_tools(const struct html *h)
{
	if (!h->kernels.nr)
		return;
	fputs("<section id=\"tools\" aria-labelledby=\"tools-title\">\n<h2 "
	      "id=\"tools-title\">Which tool reads what</h2>\n<p>Two tools on one machine can "
	      "disagree because they read different files. strace shows which files each tool opens, "
	      "and the cases of <code>cases/tools/</code> check the "
	      "columns.</p>\n<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"Every "
	      "column\">\n<table class=\"readers cards\"><caption><span>Every column, by the "
	      "number that it shows</span></caption>\n<thead><tr><th scope=\"col\">metric</th><th "
	      "scope=\"col\">columns that show it</th></tr></thead>\n<tbody>\n",
	      h->out);
	for (enum metric_id id = 0; id < METRIC_COUNT; id++)
		readers(h, id);
	fputs("</tbody></table></div>\n</section>\n", h->out);
}
