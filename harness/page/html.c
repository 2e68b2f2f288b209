// SPDX-License-Identifier: MIT
/*
 * The HTML page. It contains its style sheet and its script, refers to no other file, and forbids
 * the browser to fetch one.
 */
#include "html.h"
#include "base/print/words.h"
#include "private.h"
#include "runs/sentences.h"
#include <stdlib.h>
#include <string.h>

void html_asset(const char *text, FILE *out)
{
	while (*text) {
		size_t length;

		text += strspn(text, "\t");
		length = strcspn(text, "\n");
		length += text[length] == '\n';
		fwrite(text, 1, length, out);
		text += length;
	}
}

void html_head(const char *title, const char *const *css, FILE *out)
{
	fputs("<!DOCTYPE html>\n"
	      "<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
	      "<meta charset=\"utf-8\"/>\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	      "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; "
	      "base-uri 'none'; form-action 'none'\"/>\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
	      "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
	      "<link rel=\"icon\" href=\"data:,\"/>\n",
	      out);
	html_put(out, "<title>%s</title>\n", title);
	fputs("<style>/*<![CDATA[*/\n", out);
	while (*css)
		html_asset(*css++, out);
	fputs("/*]]>*/</style>\n</head>\n<body>\n"
	      "<a class=\"skip\" href=\"#main\">Skip to the content</a>\n",
	      out);
}

static void tile(FILE *out, const char *href, size_t number, const char *what)
{
	html_put(out, "<li><a href=\"%s\"><b>%zu</b> %s</a></li>\n", href, number, what);
}

static size_t count_cases(void)
{
	size_t nr, shown = 0;
	const struct case_registration *all = cases_all(&nr);

	for (size_t i = 0; i < nr; i++)
		shown += !(all[i].c->flags & CASE_HIDDEN);
	return shown;
}

static void tiles(const struct html *h)
{
	char words[200], first[96] = "", last[96];
	size_t nr = h->kernels.nr;

	fputs("<ul class=\"tiles\">\n", h->out);
	if (nr) {
		snprintf(words, sizeof(words), "kernels, %s to %s",
			 kernel_name(&h->kernels, 0, first, sizeof(first)),
			 html_newest(h, last, sizeof(last)));
		tile(h->out, "#runs", nr, words);
	}
	snprintf(words, sizeof(words), "facts, %zu of which differ",
		 facts_that_differ(&h->kernels, &h->facts));
	tile(h->out, "#kernels", h->facts.nr, words);
	if (nr) {
		snprintf(words, sizeof(words), "sentences of documents are false on %s", last);
		tile(h->out, "#documents", sentences_on(&h->kernels.of[nr - 1], SENTENCE_FALSE),
		     words);
	}
	tile(h->out, "#metrics", METRIC_COUNT, "metrics");
	tile(h->out, "#cases", count_cases(), "cases");
	fputs("</ul>\n", h->out);
}

static void introduction(const struct html *h)
{
	fputs("<header>\n<h1>What Linux's memory metrics show, kernel by kernel</h1>\n<p "
	      "class=\"standfirst\">The kernel keeps running totals of a process's memory, which are cheap "
	      "to read and sometimes wrong. The page tables are slow to count and "
	      "exact. <b>rssck</b> makes a process do one known thing and checks which numbers are "
	      "right.</p>\n</header>\n",
	      h->out);
}

static void bar(const struct html *h)
{
	static const struct {
		const char *id, *name;
		bool of_kernels;
	} sections[] = {
		{ "question", "Question", true }, { "lag", "Lag", true },
		{ "kernels", "Facts", false },    { "documents", "Documents", true },
		{ "history", "History", false },  { "tools", "Tools", true },
		{ "glossary", "Words", false },   { "metrics", "Metrics", true },
		{ "cases", "Cases", false },      { "runs", "Runs", false },
	};

	fputs("<div class=\"bar\">\n"
	      "<form id=\"find\" role=\"search\" hidden=\"hidden\">\n"
	      "<label for=\"words\">Find</label>\n"
	      "<input type=\"search\" id=\"words\" autocomplete=\"off\" spellcheck=\"false\" "
	      "placeholder=\"VmHWM, fork, top RES\"/>\n"
	      "<output id=\"hits\" for=\"words\" aria-live=\"polite\"></output>\n</form>\n"
	      "<nav aria-label=\"Sections\"><ul>\n",
	      h->out);
	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++)
		if (h->kernels.nr || !sections[i].of_kernels)
			html_put(h->out, "<li><a href=\"#%s\">%s</a></li>\n", sections[i].id,
				 sections[i].name);
	fputs("</ul></nav>\n</div>\n<main id=\"main\" tabindex=\"-1\">\n", h->out);
}

static int page(const struct html *h)
{
	static const char *const css[] = { html_css, html_css_of_pictures, html_css_of_tables,
					   NULL };
	int failed;

	html_head("What Linux's memory metrics show, kernel by kernel", css, h->out);
	introduction(h);
	bar(h);
	html_question(h);
	html_residents(h);
	html_lags(h);
	tiles(h);
	html_facts(h);
	html_documents(h);
	html_history(h);
	html_tools(h);
	failed = html_words(h);
	html_metrics(h);
	html_cases(h);
	html_runs(h);
	fputs("</main>\n<footer><p>Made by <code>rssck report --html</code>. The page is "
	      "self-contained: it fetches nothing.</p></footer>\n<script>//<![CDATA[\n",
	      h->out);
	html_asset(html_js, h->out);
	fputs("//]]></script>\n</body>\n</html>\n", h->out);
	return failed;
}

/*
 * Returns the page's own runs, named by their kernels. They are drawn if no runs were made for the
 * plots.
 */
static struct recordings recordings_of(const struct html *h, struct results *runs)
{
	struct recordings r = { runs, calloc(h->kernels.nr + 1, sizeof(*r.names)), h->kernels.nr };

	for (size_t i = 0; r.names && i < r.nr; i++)
		kernel_name(&h->kernels, i, r.names[i], sizeof(r.names[i]));
	return r;
}

int report_html(struct results *runs, size_t nr, const struct recordings *plots, FILE *out)
{
	struct html h = { .kernels = { runs, nr }, .out = out };
	struct recordings own;
	int failed;

	kernels_sort(runs, nr);
	own = recordings_of(&h, runs);
	h.values = calloc(nr + 1, sizeof(*h.values));
	h.set = calloc(nr + 1, sizeof(*h.set));
	failed = !own.names || !h.values || !h.set || fact_rows_gather(&h.facts, &h.kernels);
	h.plots = plots && plots->nr ? plots : &own;
	if (!failed)
		failed = page(&h);
	free(own.names);
	free(h.facts.of);
	free(h.values);
	free(h.set);
	return failed ? -1 : stream_end(out);
}
