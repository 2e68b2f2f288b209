// SPDX-License-Identifier: MIT
/* The table at the end of the text output: each counter beside the page tables. */
#include "base/print/style.h"
#include "base/print/words.h"
#include "report.h"
#include "threads.h"
#include <stdlib.h>
#include <string.h>

static void heading(FILE *out, bool seen)
{
	if (!seen) {
		fprintf(out,
			"How the counters count on this kernel (by how much they are off, "
			"%s would show):\n\n",
			threads_case);
		fprintf(out, "%-16s  %s\n", "counter", "it counts");
		return;
	}
	fputs("Each counter beside the page tables, while 100 threads stand still, 1 MiB of malloc "
	      "touched\n"
	      "by each. The page tables are right; a counter may lag behind them by what its model "
	      "allows.\n\n",
	      out);
	fprintf(out, "%-16s %10s %12s %9s %8s %14s\n", "", "it says", "page tables", "off by",
		"off by", "may be off by");
	fprintf(out, "%-16s %10s %12s %9s %8s %14s  %s\n", "counter", "kB", "kB", "kB", "pages",
		"pages", "it counts");
}

static void row_seen(const struct results *r, enum metric_id id, const struct discrepancy *d,
		     FILE *out, bool colour)
{
	const int64_t kb = discrepancy_is_kb(d) ? 1 : r->page_size / 1024;
	const int64_t off = d->counter - d->precise,
		      per_page = discrepancy_is_kb(d) ? r->page_size / 1024 : 1;
	const enum style style = d->fails ? STYLE_BAD : off ? STYLE_NOTED : STYLE_GOOD;
	const struct counter_model *m = &r->models.of[id];
	char n[5][32], model[128];

	fprintf(out, "%-16s %10s %12s ", metric(id)->name,
		number_words(d->counter * kb, n[0], sizeof(n[0])),
		number_words(d->precise * kb, n[1], sizeof(n[1])));
	style_begin(style, out, colour);
	fprintf(out, "%9s %8s", difference_words(off * kb, n[2], sizeof(n[2])),
		difference_words(off / per_page, n[3], sizeof(n[3])));
	style_end(out, colour);
	fprintf(out, " %14s  %s\n",
		m->kind == MODEL_UNKNOWN ? "?"
					 : number_words(d->bound / per_page, n[4], sizeof(n[4])),
		model_describe(&r->models, id, model, sizeof(model)));
}

static void row_unseen(const struct results *r, enum metric_id id, bool any_seen, FILE *out)
{
	char model[128];

	model_describe(&r->models, id, model, sizeof(model));
	if (any_seen)
		fprintf(out, "%-16s %10s %12s %9s %8s %14s  %s\n", metric(id)->name, "-", "-", "-",
			"-", "-", model);
	else
		fprintf(out, "%-16s  %s\n", metric(id)->name, model);
}

int report_table(const struct results *r, FILE *out, bool colour)
{
	bool any_seen = false;

	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++)
		any_seen |= threads_seen(r, metric(*id)->name) != NULL;
	heading(out, any_seen);
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++) {
		const struct discrepancy *d = threads_seen(r, metric(*id)->name);

		if (r->models.of[*id].kind == MODEL_ABSENT)
			continue;
		if (d)
			row_seen(r, *id, d, out, colour);
		else
			row_unseen(r, *id, any_seen, out);
	}
	return stream_end(out);
}
