// SPDX-License-Identifier: MIT
/*
 * The tables whose columns are kernels. Neighbouring cells with equal values are merged. The script
 * can hide columns: data-from and colspan show which kernels a cell covers, and cells with the same
 * data-value are equal. On a narrow screen each cell is a line that names its kernels (data-on).
 */
#include "runs/facts.h"
#include "private.h"
#include "runs/notes.h"
#include <string.h>

static bool is_same_cell(const struct html *h, cell_fn *cell, const void *row, size_t a, size_t b)
{
	char x[CELL_SIZE], y[CELL_SIZE];

	if (!h->values[a] || !h->values[b])
		return h->values[a] == h->values[b];
	return !strcmp(cell(&h->kernels.of[a], row, x, sizeof(x)),
		       cell(&h->kernels.of[b], row, y, sizeof(y)));
}

static void names_of(const struct html *h, size_t first, size_t end)
{
	for (size_t i = 0; i < h->kernels.nr; i++)
		h->set[i] = i >= first && i < end;
	html_kernels(h, h->set);
}

/* True if the cell differs from the nearest cell to its left that has a value. */
static bool is_change(const struct html *h, size_t at)
{
	size_t left = at;

	while (left && !h->values[--left])
		;
	return at && h->values[at] && h->values[left] && h->values[left] != h->values[at];
}

/*
 * Prints the cells of a row. `counts` is set only for a counter, whose cells have the colour of its
 * model.
 */
static void cells(const struct html *h, cell_fn *cell, const void *row,
		  const enum metric_id *counts)
{
	for (size_t i = 0, end; i < h->kernels.nr; i = end) {
		char buf[CELL_SIZE];
		const char *said = cell(&h->kernels.of[i], row, buf, sizeof(buf));

		for (end = i + 1; end < h->kernels.nr && is_same_cell(h, cell, row, i, end); end++)
			;
		fputs("<td", h->out);
		if (end > i + 1)
			html_put(h->out, " colspan=\"%zu\"", end - i);
		html_put(h->out, " data-from=\"%zu\" data-value=\"%u\" data-on=\"", i,
			 h->values[i]);
		names_of(h, i, end);
		fputs("\"", h->out);
		if (counts && said)
			html_put(h->out, " data-counts=\"%s\"",
				 html_counts(&h->kernels.of[i], *counts));
		fputs(is_change(h, i) ? " class=\"changed\">" : ">", h->out);
		html_put(h->out, "%s</td>", said ? said : "–");
	}
}

/* The browser may break a kernel's name between its parts. */
static void head(const struct html *h, size_t i)
{
	char name[128];

	html_put(h->out, "<th scope=\"col\" data-from=\"%zu\">", i);
	kernel_name(&h->kernels, i, name, sizeof(name));
	for (char *part = name, *end; *part; part = end) {
		char word[128];

		end = part + strcspn(part, "+-");
		end += *end != '\0';
		snprintf(word, sizeof(word), "%.*s", (int)(end - part), part);
		html_put(h->out, "%s", word);
		fputs(*end ? "<wbr/>" : "", h->out);
	}
	fputs("</th>", h->out);
}

static void table_begin(const struct html *h, const char *caption, const char *first)
{
	html_put(
		h->out,
		"<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"%s\">\n"
		"<table class=\"kernels\" style=\"--columns: %zu\"><caption><span>%s</span></caption>\n"
		"<thead><tr><th scope=\"col\" class=\"name\">%s</th>",
		caption, h->kernels.nr, caption, first);
	for (size_t i = 0; i < h->kernels.nr; i++)
		head(h, i);
	fputs("</tr></thead>\n<tbody>\n", h->out);
}

static void table_end(const struct html *h)
{
	fputs("</tbody></table></div>\n", h->out);
}

/*
 * Prints the reason for a difference below the row's name, because a separate column would be cut
 * off.
 */
static void why(const struct html *h, const char *name)
{
	const char *note = note_of(name);

	if (!*note)
		return;
	fputs("<small class=\"why\">", h->out);
	html_prose(note, h->out);
	fputs("</small>", h->out);
}

static void models(const struct html *h)
{
	table_begin(h, "Counter models and their batches", "counter");
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++) {
		bool differs = row_values(&h->kernels, model_cell, id, h->values) > 1;

		fputs("<tr><th>", h->out);
		html_metric_link(*id, h->out);
		if (differs)
			why(h, metric(*id)->name);
		fputs("</th>", h->out);
		cells(h, model_cell, id, id);
		fputs("</tr>\n", h->out);
	}
	table_end(h);
	html_counts_key(h);
}

static void fact_head(const struct html *h, const struct fact_row *f)
{
	char buf[CELL_SIZE];

	fputs("<tr><th><a href=\"#", h->out);
	html_anchor("c-", f->id, h->out);
	html_put(h->out, "\">%s</a>", fact_sentence(f->name, buf, sizeof(buf)));
	why(h, f->name);
	fputs("</th>", h->out);
}

static void differing(const struct html *h)
{
	char caption[80];

	snprintf(caption, sizeof(caption), "Facts that differ: %zu",
		 facts_that_differ(&h->kernels, &h->facts));
	table_begin(h, caption, "fact");
	for (size_t i = 0; i < h->facts.nr; i++) {
		const struct fact_row *f = &h->facts.of[i];

		if (row_values(&h->kernels, fact_cell, f, h->values) < 2)
			continue;
		fact_head(h, f);
		cells(h, fact_cell, f, NULL);
		fputs("</tr>\n", h->out);
	}
	table_end(h);
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
	fputs("<button type=\"button\" id=\"all-kernels\">all</button>\n<button type=\"button\" "
	      "id=\"no-kernels\">none</button></fieldset>\n<label><input type=\"checkbox\" "
	      "id=\"differs\"/>only rows that differ between these kernels</label>\n<output id=\"rows\" "
	      "aria-live=\"polite\"></output></form>\n",
	      h->out);
}

void html_facts(const struct html *h)
{
	size_t differ = facts_that_differ(&h->kernels, &h->facts);
	struct sheet s = html_sheet(h);

	fputs("<section id=\"kernels\" aria-labelledby=\"kernels-title\">\n<h2 "
	      "id=\"kernels-title\">Kernel by kernel</h2>\n<p>Each column is a recorded run of "
	      "<code>rssck check</code>. A counter's model is measured on each kernel; its "
	      "batch is in faults for each thread, or pages for each CPU. A value in bold "
	      "differs from the previous kernel. A dash means that the case could not run.</p>\n",
	      h->out);
	choice(h);
	if (h->kernels.nr)
		models(h);
	if (differ)
		differing(h);
	sheet_same_facts(&s);
	fputs("</section>\n", h->out);
}
