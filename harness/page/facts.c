// SPDX-License-Identifier: MIT
/*
 * The tables whose columns are kernels. Neighbours that say the same are one
 * cell; the script takes columns away and knows by data-from and colspan which
 * kernels a cell is of, by data-value which cells say the same.
 */
#include "base/print/words.h"
#include "private.h"
#include "report/threads.h"
#include "runs/notes.h"
#include <string.h>

/* Where the colours of the style sheet end: further values share the last one. */
enum { COLOURS = 5 };

static bool is_same_cell(const struct html *h, cell_fn *cell, const void *row, size_t a, size_t b)
{
	char x[CELL_SIZE], y[CELL_SIZE];

	if (!h->values[a] || !h->values[b])
		return h->values[a] == h->values[b];
	return !strcmp(cell(&h->kernels.of[a], row, x, sizeof(x)),
		       cell(&h->kernels.of[b], row, y, sizeof(y)));
}

static void cells(const struct html *h, cell_fn *cell, const void *row)
{
	for (size_t i = 0, end; i < h->kernels.nr; i = end) {
		char buf[CELL_SIZE];
		const char *said = cell(&h->kernels.of[i], row, buf, sizeof(buf));
		unsigned value = h->values[i] < COLOURS ? h->values[i] : COLOURS;

		for (end = i + 1; end < h->kernels.nr && is_same_cell(h, cell, row, i, end); end++)
			;
		html_put(h->out, "<td colspan=\"%zu\" data-from=\"%zu\" data-value=\"%u\"", end - i,
			 i, h->values[i]);
		html_put(h->out, " class=\"v%u\"><span>%s</span></td>", value, said ? said : "–");
	}
}

static void table_begin(const struct html *h, const char *caption, const char *first,
			const char *last)
{
	char name[128];

	html_put(
		h->out,
		"<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"%s\">\n"
		"<table class=\"kernels\" style=\"--columns: %zu\"><caption><span>%s</span></caption>\n"
		"<thead><tr><th scope=\"col\" class=\"name\">%s</th>",
		caption, h->kernels.nr, caption, first);
	for (size_t i = 0; i < h->kernels.nr; i++)
		html_put(h->out, "<th scope=\"col\" data-from=\"%zu\">%s</th>", i,
			 kernel_name(&h->kernels, i, name, sizeof(name)));
	html_put(h->out, "<th scope=\"col\" class=\"why\">%s</th></tr></thead>\n<tbody>\n", last);
}

static void table_end(const struct html *h)
{
	fputs("</tbody></table></div>\n", h->out);
}

static void models(const struct html *h)
{
	table_begin(h, "How the counters count: the model, and its batch", "counter", "why");
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++) {
		bool differs = row_values(&h->kernels, model_cell, id, h->values) > 1;

		fputs("<tr data-item=\"row\"><th scope=\"row\">", h->out);
		html_metric_link(*id, h->out);
		fputs("</th>", h->out);
		cells(h, model_cell, id);
		fputs("<td class=\"why\">", h->out);
		html_prose(differs ? note_of(metric(*id)->name) : "", h->out);
		fputs("</td></tr>\n", h->out);
	}
	table_end(h);
}

/* What the newest kernel's model allows that process, as it was recorded. */
static void allowed(const struct html *h, enum metric_id id)
{
	const struct results *newest = &h->kernels.of[h->kernels.nr - 1];
	const struct discrepancy *d = threads_seen(newest, metric(id)->name);
	char buf[32];

	if (d && d->bound < 0)
		fputs("?", h->out);
	else if (d)
		html_put(h->out, "%s",
			 number_words(d->bound *
					      (discrepancy_is_kb(d) ? 1 : newest->page_size / 1024),
				      buf, sizeof(buf)));
	else
		fputs("–", h->out);
}

/* Lag is never twice the same; whether there is any is what matters. */
static void lag_values(const struct html *h, const enum metric_id *id)
{
	char buf[CELL_SIZE];

	for (size_t i = 0; i < h->kernels.nr; i++) {
		const char *said = lag_cell(&h->kernels.of[i], id, buf, sizeof(buf));

		h->values[i] = !said ? 0 : strcmp(said, "0") ? 2 : 1;
	}
}

static void lags(const struct html *h)
{
	char name[128], last[160];

	snprintf(last, sizeof(last), "may be, on %s", html_newest(h, name, sizeof(name)));
	table_begin(h,
		    "How far they are off, in kB, while 100 threads stand still that have touched "
		    "1 MiB of malloc each; the page tables are right",
		    "counter", last);
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++) {
		lag_values(h, id);
		fputs("<tr data-item=\"row\"><th scope=\"row\">", h->out);
		html_metric_link(*id, h->out);
		fputs("</th>", h->out);
		cells(h, lag_cell, id);
		fputs("<td class=\"why number\">", h->out);
		allowed(h, *id);
		fputs("</td></tr>\n", h->out);
	}
	table_end(h);
}

static void fact(const struct html *h, const struct fact_row *f, bool differs)
{
	fputs("<tr data-item=\"row\"><th scope=\"row\"><a href=\"#", h->out);
	html_anchor("case-", f->id, h->out);
	fputs("\">", h->out);
	html_name(f->name, h->out);
	fputs("</a></th>", h->out);
	cells(h, fact_cell, f);
	fputs("<td class=\"why\">", h->out);
	html_prose(differs ? note_of(f->name) : "", h->out);
	fputs("</td></tr>\n", h->out);
}

static void facts(const struct html *h, bool differing, const char *caption)
{
	table_begin(h, caption, "fact", differing ? "why" : "");
	for (size_t i = 0; i < h->facts.nr; i++) {
		const struct fact_row *f = &h->facts.of[i];

		if ((row_values(&h->kernels, fact_cell, f, h->values) > 1) == differing)
			fact(h, f, differing);
	}
	table_end(h);
}

size_t html_facts_that_differ(const struct html *h)
{
	size_t nr = 0;

	for (size_t i = 0; i < h->facts.nr; i++)
		nr += row_values(&h->kernels, fact_cell, &h->facts.of[i], h->values) > 1;
	return nr;
}

static void choice(const struct html *h)
{
	char name[128];

	fputs("<form class=\"choice\" id=\"choice\" hidden=\"hidden\">\n"
	      "<fieldset><legend>Kernels</legend>\n",
	      h->out);
	for (size_t i = 0; i < h->kernels.nr; i++)
		html_put(h->out,
			 "<label><input type=\"checkbox\" name=\"kernel\" value=\"%zu\" "
			 "checked=\"checked\"/>%s</label>\n",
			 i, kernel_name(&h->kernels, i, name, sizeof(name)));
	fputs("<button type=\"button\" id=\"all-kernels\">all</button>\n"
	      "<button type=\"button\" id=\"no-kernels\">none</button></fieldset>\n"
	      "<label><input type=\"checkbox\" id=\"differs\"/>only what differs between "
	      "them</label>\n"
	      "<output id=\"rows\" aria-live=\"polite\"></output></form>\n",
	      h->out);
}

void html_facts(const struct html *h)
{
	size_t differ = html_facts_that_differ(h);
	char caption[80];

	fputs("<section id=\"kernels\" aria-labelledby=\"kernels-title\">\n"
	      "<h2 id=\"kernels-title\">Kernel by kernel</h2>\n"
	      "<p>Each column is a recorded run of <code>rssck check</code>. A counter's model is "
	      "measured on the kernel, never looked up; its batch is faults a thread, or pages a "
	      "CPU. Cells of one colour say the same; a dash is a case that could not run "
	      "there.</p>\n",
	      h->out);
	choice(h);
	if (h->kernels.nr) {
		models(h);
		lags(h);
	}
	snprintf(caption, sizeof(caption), "Facts that differ: %zu", differ);
	if (differ)
		facts(h, true, caption);
	snprintf(caption, sizeof(caption), "Facts that are the same on all: %zu",
		 h->facts.nr - differ);
	if (h->facts.nr > differ)
		facts(h, false, caption);
	fputs("</section>\n", h->out);
}
