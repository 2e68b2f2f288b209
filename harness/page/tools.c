// SPDX-License-Identifier: MIT
/* Who reads what: which column of which tool is which metric. */
#include "private.h"
#include <rssck/column.h>
#include <string.h>

/* The five numbers that are called resident memory, each from its file. */
static const enum metric_id resident[] = { METRIC_STAT_RSS, METRIC_STATM_RESIDENT,
					   METRIC_STATUS_VMRSS, METRIC_SMAPS_RSS,
					   METRIC_ROLLUP_RSS };
enum { RESIDENTS = sizeof(resident) / sizeof(resident[0]) };

/* "exact", "per-cpu, 32", or that it is counted by walking. */
static const char *counted(const struct results *r, enum metric_id id, char *buf, size_t size)
{
	const char *model = NULL;

	if (metric(id)->kind == KIND_COUNTER)
		model = model_cell(r, &id, buf, size);
	return model ? model : "walked";
}

static bool can_lag(const struct results *r, enum metric_id id)
{
	return metric(id)->kind == KIND_COUNTER && model_bound(&r->models, id, 1) != 0;
}

static bool is_resident(const struct column *c, const char *tool, enum metric_id id)
{
	return !strcmp(c->tool, tool) && c->metric == id && c->shape != COLUMN_NOTHING;
}

static void resident_cell(const struct html *h, const char *tool, enum metric_id id)
{
	const struct results *newest = &h->kernels.of[h->kernels.nr - 1];
	size_t nr, found = 0;
	const struct column *all = columns_all(&nr);

	for (size_t i = 0; i < nr; i++) {
		if (!is_resident(&all[i], tool, id))
			continue;
		if (!found++)
			html_put(h->out, "<td class=\"%s\">", can_lag(newest, id) ? "v3" : "v5");
		else
			fputs("<br/>", h->out);
		html_put(h->out, "%s", all[i].name);
		if (all[i].plus != METRIC_NONE)
			html_put(h->out, " (with %s)", metric(all[i].plus)->key);
	}
	fputs(found ? "</td>" : "<td></td>", h->out);
}

static bool reads_any(const char *tool)
{
	size_t nr;
	const struct column *all = columns_all(&nr);

	for (size_t i = 0; i < nr; i++)
		for (size_t k = 0; k < RESIDENTS; k++)
			if (is_resident(&all[i], tool, resident[k]))
				return true;
	return false;
}

static void resident_head(const struct html *h)
{
	size_t last = h->kernels.nr - 1;
	char name[128], buf[CELL_SIZE];

	fputs("<div class=\"box\" role=\"region\" tabindex=\"0\" "
	      "aria-label=\"Which resident memory each tool shows\">\n"
	      "<table class=\"tools\"><caption><span>Which \"resident memory\" each tool shows</span></caption>\n"
	      "<thead><tr><th scope=\"col\">tool</th>",
	      h->out);
	for (size_t k = 0; k < RESIDENTS; k++) {
		fputs("<th scope=\"col\">", h->out);
		html_metric_link(resident[k], h->out);
		/* The oldest, and the newest. */
		for (size_t i = 0; i <= last; i += last ? last : 1)
			html_put(h->out, "<br/><small>%s on %s</small>",
				 counted(&h->kernels.of[i], resident[k], buf, sizeof(buf)),
				 kernel_name(&h->kernels, i, name, sizeof(name)));
		fputs("</th>", h->out);
	}
	fputs("</tr></thead>\n<tbody>\n", h->out);
}

static void residents(const struct html *h)
{
	size_t nr;
	const struct column *all = columns_all(&nr);

	resident_head(h);
	for (size_t i = 0; i < nr; i++) {
		if ((i && !strcmp(all[i].tool, all[i - 1].tool)) || !reads_any(all[i].tool))
			continue;
		html_put(h->out, "<tr data-item=\"tool\"><th scope=\"row\">%s</th>", all[i].tool);
		for (size_t k = 0; k < RESIDENTS; k++)
			resident_cell(h, all[i].tool, resident[k]);
		fputs("</tr>\n", h->out);
	}
	fputs("</tbody></table></div>\n", h->out);
}

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

/* A row a metric; nothing for one that no tool shows. */
static void readers(const struct html *h, enum metric_id id)
{
	size_t nr, found = 0;
	const struct column *all = columns_all(&nr);

	for (size_t i = 0; i < nr; i++) {
		if (all[i].metric != id && all[i].plus != id)
			continue;
		if (!found++) {
			fputs("<tr data-item=\"reader\"><th scope=\"row\">", h->out);
			html_metric_link(id, h->out);
			fputs("</th><td><ul class=\"columns\">", h->out);
		}
		column(&all[i], id, h->out);
	}
	fputs(found ? "</ul></td></tr>\n" : "", h->out);
}

void html_tools(const struct html *h)
{
	char name[128];

	if (!h->kernels.nr)
		return;
	html_put(
		h->out,
		"<section id=\"tools\" aria-labelledby=\"tools-title\">\n"
		"<h2 id=\"tools-title\">Who reads what</h2>\n"
		"<p>Two tools on one machine can disagree because they read different files. What "
		"each opens was seen with strace, and the cases of <code>cases/tools/</code> hold it "
		"to that. <span class=\"key v3\">may lag on %s</span> <span class=\"key v5\">is "
		"right</span></p>\n",
		html_newest(h, name, sizeof(name)));
	residents(h);
	fputs("<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"Every column\">\n"
	      "<table class=\"readers\"><caption><span>Every column, by the number that it shows</span></caption>\n"
	      "<thead><tr><th scope=\"col\">metric</th><th scope=\"col\">columns that show it</th>"
	      "</tr></thead>\n<tbody>\n",
	      h->out);
	for (enum metric_id id = 0; id < METRIC_COUNT; id++)
		readers(h, id);
	fputs("</tbody></table></div>\n</section>\n", h->out);
}
