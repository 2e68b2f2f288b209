// SPDX-License-Identifier: MIT
/*
 * Draws a line chart. Its labels are SVG text. Its legend is HTML, so that the legend's text is
 * never cut off.
 */
#include "chart.h"
#include "base/print/words.h"
#include "private.h"
#include <rssck/curve.h>

/* Units of the picture; on a phone, a unit is about a pixel. */
enum { WIDTH = 340, HEIGHT = 220, LEFT = 50, RIGHT = 328, TOP = 24, BOTTOM = 184, TICKS = 5 };

void chart_reach(struct chart *c, const struct chart_line *line)
{
	for (size_t i = 0; i < line->nr; i++) {
		int64_t y;

		if (line->y[i] == CURVE_NO_POINT)
			continue;
		y = line->y[i] - line->base;
		c->x_most = line->x[i] > c->x_most ? line->x[i] : c->x_most;
		c->y_most = y > c->y_most ? y : c->y_most;
		c->y_least = y < c->y_least ? y : c->y_least;
	}
}

/*
 * The distance between ticks: 1, 2 or 5 times a power of ten, so that a few ticks cover the range.
 */
static int64_t tick_of(int64_t range)
{
	static const int64_t steps[] = { 1, 2, 5 };

	for (int64_t power = 1;; power *= 10)
		for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
			if (range <= TICKS * steps[i] * power)
				return steps[i] * power;
}

static double across(const struct chart *c, int64_t x)
{
	return LEFT + (double)(RIGHT - LEFT) * (double)x / (double)(c->x_most ? c->x_most : 1);
}

static double down(const struct chart *c, int64_t y)
{
	int64_t range = c->y_most - c->y_least;

	return BOTTOM -
	       (double)(BOTTOM - TOP) * (double)(y - c->y_least) / (double)(range ? range : 1);
}

static void axes(const struct chart *c, FILE *out)
{
	int64_t tick = tick_of(c->y_most - c->y_least);
	char buf[32];

	for (int64_t y = c->y_least / tick * tick; y <= c->y_most; y += tick) {
		fprintf(out, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>", LEFT, down(c, y), RIGHT);
		html_put(out, "<text text-anchor=\"end\" x=\"%d\" y=\"%d\">%s</text>\n", LEFT - 6,
			 (int)down(c, y) + 4, number_words(y, buf, sizeof(buf)));
	}
	tick = tick_of(c->x_most);
	for (int64_t x = 0; x <= c->x_most; x += tick)
		html_put(out, "<text text-anchor=\"middle\" x=\"%d\" y=\"%d\">%s</text>\n",
			 (int)across(c, x), BOTTOM + 16, number_words(x, buf, sizeof(buf)));
	html_put(out, "<text x=\"4\" y=\"12\">%s</text>", c->y);
	html_put(out, "<text text-anchor=\"end\" x=\"%d\" y=\"%d\">%s</text>\n", RIGHT, HEIGHT - 4,
		 c->x);
}

static void draw_line(const struct chart *c, const struct chart_line *line, FILE *out)
{
	char step = 'M';

	html_put(out, "<path class=\"line%s\" data-counts=\"%s\" d=\"",
		 line->dashed ? " dashed" : "", line->counts);
	for (size_t i = 0; i < line->nr; i++) {
		if (line->y[i] == CURVE_NO_POINT)
			continue;
		fprintf(out, "%c%.1f %.1f", step, across(c, line->x[i]),
			down(c, line->y[i] - line->base));
		step = 'L';
	}
	fputs("\"/>\n", out);
}

void chart_put(const struct chart *c, const struct chart_line *lines, size_t nr, FILE *out)
{
	html_put(out, "<svg role=\"img\" viewBox=\"0 0 %d %d\" aria-label=\"%s\">\n", WIDTH, HEIGHT,
		 c->label);
	axes(c, out);
	for (size_t i = 0; i < nr; i++)
		draw_line(c, &lines[i], out);
	fputs("</svg>\n", out);
}
