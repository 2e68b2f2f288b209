// SPDX-License-Identifier: MIT
/* Writes the table at the end of the text output: each counter beside the page tables. */
#include "base/print/prose.h"
#include "base/print/style.h"
#include "base/print/words.h"
#include "report.h"
#include "threads.h"
#include <string.h>

/*
 * The width of the whole table, which needs more than 80 columns, and the width without models.
 * Below PAGES_WIDTH the column of pages is left out, too.
 */
enum { FULL_WIDTH = 102, PAGES_WIDTH = 74 };

struct layout {
	bool models_below; /* write the models below the table */
	bool no_pages;     /* print differences only in kB */
};

static struct layout layout_for(unsigned columns)
{
	return (struct layout) { .models_below = columns && columns < FULL_WIDTH,
				 .no_pages = columns && columns < PAGES_WIDTH };
}

struct cells {
	const char *name, *says, *tables, *off_kb, *off_pages, *most, *model;
	enum style style;
};

static void put_row(const struct cells *c, struct layout l, FILE *out, bool colour)
{
	fprintf(out, "%-16s %10s %12s ", c->name, c->says, c->tables);
	style_begin(c->style, out, colour);
	fprintf(out, "%9s", c->off_kb);
	if (!l.no_pages)
		fprintf(out, " %8s", c->off_pages);
	style_end(out, colour);
	fprintf(out, " %14s%s%s\n", c->most, l.models_below ? "" : "  ",
		l.models_below ? "" : c->model);
}

static void introduction(FILE *out, struct layout l)
{
	static const char text[] =
		"Each counter beside the page tables. 100 threads have each written 1 MiB from malloc(3), "
		"and\nnow wait. The page tables are exact; a counter may lag behind "
		"them by what its model allows.";
	struct prose p = prose_to(out);

	if (l.models_below)
		prose_text(&p, 0, "%s", text);
	else
		fprintf(out, "%s\n", text);
	putc('\n', out);
}

static void heading(FILE *out, bool seen, struct layout l)
{
	static const struct cells first = { "",       "value",   "page tables",
					    "off by", "off by",  "may be off by",
					    "",       STYLE_GOOD },
				  second = { "counter", "kB",    "kB",    "kB",
					     "pages",   "pages", "model", STYLE_GOOD };

	if (!seen) {
		struct prose p = prose_to(out);

		prose_text(&p, 0,
			   "The counter models of this kernel. To see how far the counters are "
			   "off, run the case %s:",
			   threads_case);
		putc('\n', out);
		fprintf(out, "%-16s  %s\n", "counter", "model");
		return;
	}
	introduction(out, l);
	put_row(&first, l, out, false);
	put_row(&second, l, out, false);
}

static void row_seen(const struct results *r, enum metric_id id, const struct discrepancy *d,
		     struct layout l, FILE *out, bool colour)
{
	const int64_t kb = discrepancy_is_kb(d) ? 1 : r->page_size / 1024;
	const int64_t off = d->counter - d->precise,
		      per_page = discrepancy_is_kb(d) ? r->page_size / 1024 : 1;
	const struct counter_model *m = &r->models.of[id];
	char n[5][32], model[128];
	struct cells c = {
		.name = metric(id)->name,
		.says = number_words(d->counter * kb, n[0], sizeof(n[0])),
		.tables = number_words(d->precise * kb, n[1], sizeof(n[1])),
		.off_kb = difference_words(off * kb, n[2], sizeof(n[2])),
		.off_pages = difference_words(off / per_page, n[3], sizeof(n[3])),
		.most = m->kind == MODEL_UNKNOWN
				? "?"
				: number_words(d->bound / per_page, n[4], sizeof(n[4])),
		.model = model_describe(&r->models, id, model, sizeof(model)),
		.style = d->fails ? STYLE_BAD
			 : off    ? STYLE_NOTED
				  : STYLE_GOOD,
	};

	put_row(&c, l, out, colour);
}

static void row_unseen(const struct results *r, enum metric_id id, bool any_seen, struct layout l,
		       FILE *out)
{
	char model[128];
	struct cells c = { metric(id)->name, "-", "-", "-", "-", "-", model, STYLE_GOOD };

	model_describe(&r->models, id, model, sizeof(model));
	if (any_seen)
		put_row(&c, l, out, false);
	else
		fprintf(out, "%-16s  %s\n", metric(id)->name, model);
}

static bool is_counted_like(const struct results *r, enum metric_id a, enum metric_id b)
{
	char x[128], y[128];

	return r->models.of[a].kind != MODEL_ABSENT && r->models.of[b].kind != MODEL_ABSENT &&
	       !strcmp(model_describe(&r->models, a, x, sizeof(x)),
		       model_describe(&r->models, b, y, sizeof(y)));
}

/* Lists each model and the counters that have it, such as "per-CPU, batch 32, 2 CPUs: stat.rss". */
static void models_below(const struct results *r, unsigned columns, FILE *out)
{
	struct prose p = prose_to(out);

	p.width = columns < p.width ? columns : p.width;
	putc('\n', out);
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++) {
		const enum metric_id *first = modelled;
		char names[512] = "", model[128];
		size_t len = 0;

		while (first < id && !is_counted_like(r, *first, *id))
			first++;
		if (first < id || r->models.of[*id].kind == MODEL_ABSENT)
			continue;
		for (const enum metric_id *k = id; *k != METRIC_NONE && len < sizeof(names); k++)
			if (is_counted_like(r, *id, *k))
				len += (size_t)snprintf(names + len, sizeof(names) - len, "%s%s",
							len ? ", " : "", metric(*k)->name);
		prose_text(&p, 0, "%s: %s.", model_describe(&r->models, *id, model, sizeof(model)),
			   names);
	}
}

int report_table(const struct results *r, FILE *out, unsigned columns, bool colour)
{
	struct layout l = layout_for(columns);
	bool any_seen = false;

	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++)
		any_seen |= threads_seen(r, metric(*id)->name) != NULL;
	heading(out, any_seen, l);
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++) {
		const struct discrepancy *d = threads_seen(r, metric(*id)->name);

		if (r->models.of[*id].kind == MODEL_ABSENT)
			continue;
		if (d)
			row_seen(r, *id, d, l, out, colour);
		else
			row_unseen(r, *id, any_seen, l, out);
	}
	if (any_seen && l.models_below)
		models_below(r, columns, out);
	return stream_end(out);
}
