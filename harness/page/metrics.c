// SPDX-License-Identifier: MIT
/* Writes a section for each metric: what it is, what it is not, and which cases check it. */
#include "explain/explain.h"
#include "explain/metric_words.h"
#include "private.h"
#include "runs/sentences.h"
#include <rssck/column.h>
#include <stdlib.h>

enum { CASES_SHOWN = 3 };

/* The label of a metric's kind, for the line that is always visible. */
static const char *kind_name(enum metric_kind kind)
{
	static const char *const names[] = {
		[KIND_COUNTER] = "counter",    [KIND_PRECISE] = "walked",
		[KIND_VMA] = "address space",  [KIND_PEAK] = "high-water mark",
		[KIND_EVENT] = "other number",
	};

	return names[kind];
}

static void row(FILE *out, const char *term, const char *text)
{
	if (!text || !*text)
		return;
	html_put(out, "<dt>%s</dt><dd>", term);
	html_prose(text, out);
	fputs("</dd>", out);
}

static void model(const struct html *h, enum metric_id id)
{
	if (metric_counted_as(id) != id)
		return;
	fputs("<dt>How it is counted</dt><dd>", h->out);
	html_by_kernel(h, model_cell, &id);
	fputs("</dd>", h->out);
}

static void how_wrong(const struct html *h, enum metric_id id)
{
	const struct results *newest = &h->kernels.of[h->kernels.nr - 1];
	char name[128], *text;
	const struct explanation e = { .where = html_newest(h, name, sizeof(name)),
				       .models = &newest->models,
				       .threads = 1,
				       .page_size = newest->page_size };

	text = metric_error_words(&e, id);
	if (metric_counted_as(id) != METRIC_NONE || metric(id)->approximate)
		row(h->out, "How wrong it can be", text);
	free(text);
}

/* Lists the documents with a false sentence about the metric, as links to the sentences. */
static void documents(const struct html *h, const struct metric *m)
{
	size_t nr, found = 0;
	const struct sentence *all = sentences_all(&nr);

	for (size_t i = 0; i < nr; i++) {
		if (!sentence_is_about(&all[i], m->name) ||
		    !sentence_kernels(&h->kernels, &all[i], SENTENCE_FALSE, h->set))
			continue;
		fputs(found++ ? "; " : "<dt>Documents that get it wrong</dt><dd>", h->out);
		html_put(h->out, "<a href=\"#documents-%zu\">%s</a> (false on ", i,
			 all[i].document);
		html_kernels(h, h->set);
		fputs(")", h->out);
	}
	fputs(found ? "</dd>" : "", h->out);
}

static void cases(const struct html *h, enum metric_id id)
{
	const struct case_registration *of[CASES_SHOWN];
	long page_size = h->kernels.of[h->kernels.nr - 1].page_size;
	size_t nr = metric_cases(id, page_size, of, CASES_SHOWN), shown = 0;
	char name[64];

	fputs("<dt>Cases that check it</dt><dd class=\"aside\">", h->out);
	for (; shown < CASES_SHOWN && of[shown]; shown++) {
		fputs(shown ? ", " : "", h->out);
		html_case_link(case_id(of[shown], name, sizeof(name)), h->out);
	}
	if (nr > shown)
		html_put(h->out, " and %zu more", nr - shown);
	if (metric(id)->constant)
		fputs("every case, because the number must never change", h->out);
	else if (!nr)
		fputs("no case checks how the number changes; all cases check that it does not change unexpectedly",
		      h->out);
	fputs("</dd>", h->out);
}

static void section(const struct html *h, enum metric_id id)
{
	const struct metric *m = metric(id);
	char buf[2048];

	fputs("<details id=\"", h->out);
	html_anchor("metric-", m->name, h->out);
	html_put(h->out,
		 "\"><summary><h4><code>%s</code></h4> <span class=\"chip\">%s</span> "
		 "<span>%s</span></summary><dl>",
		 m->name, kind_name(m->kind), m->prose);
	row(h->out, "What it is not", metric_is_not(id));
	row(h->out, "Read from", metric_place(id, buf, sizeof(buf)));
	row(h->out, "Counts", metric_counts(id, buf, sizeof(buf)));
	row(h->out, "Maintained by", m->maintained);
	model(h, id);
	how_wrong(h, id);
	row(h->out, "Shown by", columns_of_metric(id, buf, sizeof(buf)));
	documents(h, m);
	cases(h, id);
	fputs("</dl></details>\n", h->out);
}

static void kinds(const struct html *h)
{
	fputs("<dl>", h->out);
	for (enum metric_kind kind = 0; kind <= KIND_EVENT; kind++) {
		html_put(h->out, "<dt><span class=\"chip\">%s</span></dt><dd>%s; ", kind_name(kind),
			 kind_words(kind));
		html_prose(kind_when(kind), h->out);
		fputs("</dd>", h->out);
	}
	fputs("</dl>\n", h->out);
}

void html_metrics(const struct html *h)
{
	enum source source = SOURCE_COUNT;

	if (!h->kernels.nr)
		return;
	html_put(h->out,
		 "<section id=\"metrics\" aria-labelledby=\"metrics-title\">\n<h2 "
		 "id=\"metrics-title\">Metrics</h2>\n<p>%d numbers of a process's memory that a "
		 "person can read, by their file.</p>\n",
		 METRIC_COUNT);
	kinds(h);
	for (enum metric_id id = 0; id < METRIC_COUNT; id++) {
		if (metric(id)->source != source) {
			source = metric(id)->source;
			html_put(h->out, "<h3 data-group=\"\">%s</h3>\n", source_name(source));
		}
		section(h, id);
	}
	fputs("</section>\n", h->out);
}
