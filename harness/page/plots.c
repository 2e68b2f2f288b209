// SPDX-License-Identifier: MIT
/*
 * The curves of recorded runs as pictures, drawn by gnuplot into the page, and
 * their numbers as tables, which are there without gnuplot, too.
 */
#include "base/print/words.h"
#include "compare/compare.h"
#include "plot/plot.h"
#include "private.h"
#include <stdlib.h>
#include <string.h>

/* Drawn for a phone's width: what is wider shows it larger. */
enum { WIDTH = 340, HEIGHT = 320 };

static const struct subject {
	const char *curve, *id, *title, *text;
	bool most_cpus; /* of runs that count alike the one with the most CPUs, not the fewest */
} subjects[] = {
	{ "staircase", "staircase", "One page after the other",
	  "One thread touches one page after the other. The broad line is what the page tables hold; "
	  "a counter that goes up in steps holds pages back until its batch is full.",
	  false },
	{ "lag by threads", "threads", "The lag against threads",
	  "So many threads have touched pages and stand still. Where each thread holds back its own, "
	  "the lag grows with the threads. Dashed: the most that the measured model allows.",
	  false },
	{ "lag by CPUs", "cpus", "The lag against CPUs",
	  "One thread on each of so many CPUs, at the worst moment. Where each CPU holds back its own, "
	  "the lag grows with the CPUs, and the batch with their number. Dashed: the most that the "
	  "measured model allows.",
	  true },
};

static const struct curve *curve_of(const struct results *r, const struct subject *s)
{
	return curve_by_name(r->curves, r->nr_curves, s->curve);
}

/* Kernels that count alike draw the same picture. */
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

static void numbers(const struct html *h, const struct curve *c)
{
	char buf[32];

	html_put(h->out,
		 "<details><summary>The numbers</summary>\n<div class=\"box\" role=\"region\" "
		 "tabindex=\"0\" aria-label=\"%s\"><table><thead><tr><th scope=\"col\" "
		 "class=\"number\">%s</th>",
		 c->name, c->x);
	for (size_t k = 0; k < c->nr_series; k++)
		html_put(h->out, "<th scope=\"col\" class=\"number\">%s</th>", c->series[k].name);
	fputs("</tr></thead>\n<tbody>\n", h->out);
	for (size_t i = 0; i < c->nr; i++) {
		html_put(h->out, "<tr><th scope=\"row\" class=\"number\">%s</th>",
			 number_words(c->at[i], buf, sizeof(buf)));
		for (size_t k = 0; k < c->nr_series; k++)
			html_put(h->out, "<td class=\"number\">%s</td>",
				 c->series[k].of[i] == CURVE_NO_POINT
					 ? "–"
					 : number_words(c->series[k].of[i], buf, sizeof(buf)));
		fputs("</tr>\n", h->out);
	}
	fputs("</tbody></table></div></details>\n", h->out);
}

/* Gnuplot's picture whole, or nothing of it: 0, or -1 and why. */
static int picture(const struct html *h, const struct plot *p, char *why, size_t size)
{
	char *svg = NULL;
	size_t len;
	FILE *out = open_memstream(&svg, &len);
	int failed;

	if (!out) {
		snprintf(why, size, "out of memory");
		return -1;
	}
	failed = plot_curves(p, PLOT_INLINE, out, why, size);
	if (fclose(out))
		failed = -1;
	if (!failed)
		fputs(svg, h->out);
	free(svg);
	return failed;
}

static int figure(const struct html *h, const struct recordings *all, size_t at,
		  const struct subject *s, char *why, size_t size)
{
	const struct results *r = &all->of[at];
	char id[64], models[200];
	const struct plot p = { .title = "",
				.id = id,
				.curve = curve_of(r, s),
				.page_size = r->page_size,
				.width = WIDTH,
				.height = HEIGHT };
	int failed;

	snprintf(id, sizeof(id), "%s-%zu", s->id, at);
	html_put(h->out, "<figure><figcaption><b>%s</b> <small>%s</small></figcaption>\n",
		 all->names[at], plot_models(&r->models, models, sizeof(models)));
	html_put(h->out,
		 "<div role=\"img\" aria-label=\"%s, %s: %s against %s; its numbers follow\">\n",
		 s->title, all->names[at], p.curve->y, p.curve->x);
	failed = picture(h, &p, why, size);
	fputs("</div>\n", h->out);
	numbers(h, p.curve);
	fputs("</figure>\n", h->out);
	return failed;
}

static void subject(const struct html *h, const struct recordings *all, const struct subject *s)
{
	char why[400] = "";
	bool any = false;

	for (size_t i = 0; i < all->nr; i++) {
		if (!is_shown(all, i, s))
			continue;
		if (!any)
			html_put(h->out,
				 "<h3 id=\"%s\">%s</h3>\n<p>%s</p>\n<div class=\"plots\">\n", s->id,
				 s->title, s->text);
		any = true;
		figure(h, all, i, s, why, sizeof(why));
	}
	fputs(any ? "</div>\n" : "", h->out);
	if (why[0])
		html_put(h->out, "<p class=\"false\">There are no pictures here: %s</p>\n", why);
}

bool html_has_plots(const struct recordings *all)
{
	for (size_t i = 0; i < all->nr; i++)
		if (all->of[i].nr_curves)
			return true;
	return false;
}

void html_plots(const struct html *h, const struct recordings *all)
{
	if (!html_has_plots(all))
		return;
	fputs("<section id=\"pictures\" aria-labelledby=\"pictures-title\">\n"
	      "<h2 id=\"pictures-title\">In pictures</h2>\n"
	      "<p>Recorded runs of the three ways in which kernels count. Each picture has a scale "
	      "of its own.</p>\n",
	      h->out);
	for (size_t i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++)
		subject(h, all, &subjects[i]);
	fputs("</section>\n", h->out);
}
