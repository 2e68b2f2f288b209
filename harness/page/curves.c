// SPDX-License-Identifier: MIT
/* Draws the curves of recorded runs to the same scale, with their numbers. */
#include "base/print/words.h"
#include "chart.h"
#include "compare/compare.h"
#include "private.h"
#include <rssck/curve.h>
#include <string.h>

enum { LINES_MAX = 64 };

static const struct subject {
	const char *curve, *id, *title, *text;
	bool most_cpus; /* among runs with the same models, show the one with the most CPUs, not
			 * the one with the fewest */
} subjects[] = {
	{ "lag by threads", "threads", "The lag against threads",
	  "The given number of threads have touched pages and wait. On kernels where each thread keeps a "
	  "batch of faults, the lag grows with the threads. The dashed line is the largest lag that the measured model "
	  "allows.",
	  false },
	{ "lag by CPUs", "cpus", "The lag against CPUs",
	  "One thread on each of the given number of CPUs, at the worst moment. On kernels where each CPU keeps a "
	  "batch of pages, the lag grows with the CPUs, and so does the batch. The dashed line is "
	  "the largest lag that the measured model allows.",
	  true },
	{ "staircase", "staircase", "Page by page",
	  "One thread touches pages one by one. The broad line is the number in the page tables. A "
	  "counter that rises in steps adds pages only when a batch is full.",
	  false },
};

static const struct curve *curve_of(const struct results *r, const struct subject *s)
{
	return curve_by_name(r->curves, r->nr_curves, s->curve);
}

/* True if both runs have the same models, so that the curve of one of them is enough. */
static bool count_alike(const struct results *a, const struct results *b)
{
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++)
		if (!model_is_same(&a->models.of[*id], a->cpus, &b->models.of[*id], b->cpus))
			return false;
	return true;
}

static bool is_shown(const struct recordings *all, size_t at, const struct subject *s)
{
	const struct results *r = &all->of[at];

	if (!curve_of(r, s))
		return false;
	for (size_t i = 0; i < all->nr; i++) {
		const struct results *other = &all->of[i];

		if (i == at || !curve_of(other, s) || !count_alike(r, other))
			continue;
		if (other->cpus == r->cpus ? i < at : s->most_cpus == (other->cpus > r->cpus))
			return false;
	}
	return true;
}

/*
 * True if the series is drawn. A series equal to an earlier one is not drawn again, and a bound
 * that is always 0 is not drawn.
 */
static bool is_line(const struct curve *c, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (series_run_alike(c, &c->series[i], &c->series[at]))
			return false;
	return series_is_shown(c, &c->series[at]);
}

static const char *counts_of(const struct results *r, const struct series *s)
{
	const char *name = series_is_bound(s) ? s->name + strlen(CURVE_BOUND) : s->name;
	enum metric_id id = metric_by_name(name);

	return id == METRIC_NONE ? "truth" : html_counts(r, id);
}

static struct chart_line line_of(const struct results *r, const struct curve *c, size_t at)
{
	const struct series *truth = curve_series(c, CURVE_TRUTH);

	return (struct chart_line) {
		.x = c->at,
		.y = c->series[at].of,
		.nr = c->nr,
		.base = truth && c->nr && truth->of[0] != CURVE_NO_POINT ? truth->of[0] : 0,
		.counts = counts_of(r, &c->series[at]),
		.dashed = series_is_bound(&c->series[at]),
	};
}

static size_t add_lines(const struct results *r, const struct curve *c, struct chart_line *lines,
			size_t nr)
{
	for (size_t i = 0; i < c->nr_series && nr < LINES_MAX; i++)
		if (is_line(c, i))
			lines[nr++] = line_of(r, c, i);
	return nr;
}

/* Prints legends like "6.1 stat.rss = status.VmRSS: 6,031 at 100 threads". */
static void legend(const struct html *h, const struct recordings *all, size_t at,
		   const struct curve *c)
{
	char buf[32];

	for (size_t i = 0; i < c->nr_series; i++) {
		const struct series *s = &c->series[i];

		if (!is_line(c, i) || series_is_bound(s))
			continue;
		html_put(h->out, "<li data-counts=\"%s\"><b>%s</b> %s", counts_of(&all->of[at], s),
			 all->names[at], s->name);
		for (size_t k = i + 1; k < c->nr_series; k++)
			if (series_run_alike(c, s, &c->series[k]))
				html_put(h->out, " = %s", c->series[k].name);
		if (curve_series(c, CURVE_TRUTH) || !c->nr || s->of[c->nr - 1] == CURVE_NO_POINT) {
			fputs("</li>\n", h->out);
			continue;
		}
		html_put(h->out, ": %s at ", number_words(s->of[c->nr - 1], buf, sizeof(buf)));
		html_put(h->out, "%s %s</li>\n", number_words(c->at[c->nr - 1], buf, sizeof(buf)),
			 c->x);
	}
}

static void numbers(const struct html *h, const char *of, const struct curve *c)
{
	char buf[32];

	html_put(h->out,
		 "<details><summary>The numbers of %s</summary>\n<div class=\"box\" "
		 "role=\"region\" tabindex=\"0\" aria-label=\"%s of %s\"><table><thead><tr><th "
		 "scope=\"col\">%s</th>",
		 of, c->name, of, c->x);
	for (size_t k = 0; k < c->nr_series; k++)
		html_put(h->out, "<th scope=\"col\">%s</th>", c->series[k].name);
	fputs("</tr></thead>\n<tbody>\n", h->out);
	for (size_t i = 0; i < c->nr; i++) {
		html_put(h->out, "<tr><th>%s</th>", number_words(c->at[i], buf, sizeof(buf)));
		for (size_t k = 0; k < c->nr_series; k++)
			html_put(h->out, "<td>%s</td>",
				 c->series[k].of[i] == CURVE_NO_POINT
					 ? "–"
					 : number_words(c->series[k].of[i], buf, sizeof(buf)));
		fputs("</tr>\n", h->out);
	}
	fputs("</tbody></table></div></details>\n", h->out);
}

static void figure(const struct html *h, const struct subject *s, struct chart *chart, size_t first,
		   size_t end)
{
	const struct recordings *all = h->plots;
	struct chart_line lines[LINES_MAX];
	char y[96], label[200];
	size_t nr = 0;

	for (size_t i = first; i < end; i++) {
		const struct curve *c = curve_of(&all->of[i], s);

		if (!is_shown(all, i, s))
			continue;
		nr = add_lines(&all->of[i], c, lines, nr);
		snprintf(y, sizeof(y), "%s%s, %ld KiB each", c->y,
			 curve_series(c, CURVE_TRUTH) ? " counted" : "",
			 all->of[i].page_size / 1024);
		chart->x = c->x;
	}
	snprintf(label, sizeof(label), "%s: %s against %s; the numbers follow", s->title, y,
		 chart->x);
	chart->y = y;
	chart->label = label;
	fputs("<figure>\n", h->out);
	chart_put(chart, lines, nr, h->out);
	fputs("<ul class=\"legend\">\n", h->out);
	for (size_t i = first; i < end; i++)
		if (is_shown(all, i, s))
			legend(h, all, i, curve_of(&all->of[i], s));
	fputs("</ul>\n", h->out);
	for (size_t i = first; i < end; i++)
		if (is_shown(all, i, s))
			numbers(h, all->names[i], curve_of(&all->of[i], s));
	fputs("</figure>\n", h->out);
}

static void subject(const struct html *h, const struct subject *s)
{
	const struct recordings *all = h->plots;
	struct chart_line lines[LINES_MAX];
	struct chart chart = { 0 };
	bool apart = false;
	size_t nr = 0;

	for (size_t i = 0; i < all->nr; i++) {
		if (!is_shown(all, i, s))
			continue;
		apart |= curve_series(curve_of(&all->of[i], s), CURVE_TRUTH) != NULL;
		nr = add_lines(&all->of[i], curve_of(&all->of[i], s), lines, nr);
	}
	if (!nr)
		return;
	for (size_t i = 0; i < nr; i++)
		chart_reach(&chart, &lines[i]);
	html_put(h->out,
		 "<div class=\"%s\"><h3 id=\"%s\">%s</h3>\n<p>%s</p>\n<div class=\"plots\">\n",
		 apart ? "subject wide" : "subject", s->id, s->title, s->text);
	/*
	 * If the page tables are drawn, each recording has a picture of its own; otherwise all
	 * recordings share one.
	 */
	for (size_t i = 0; apart && i < all->nr; i++)
		if (is_shown(all, i, s))
			figure(h, s, &chart, i, i + 1);
	if (!apart)
		figure(h, s, &chart, 0, all->nr);
	fputs("</div></div>\n", h->out);
}

void html_curves(const struct html *h)
{
	fputs("<div class=\"subjects\">\n", h->out);
	for (size_t i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++)
		subject(h, &subjects[i]);
	fputs("</div>\n", h->out);
}
