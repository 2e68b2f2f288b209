// SPDX-License-Identifier: MIT
/* Writes the script for gnuplot. The script contains the data, so gnuplot reads no other file. */
#include "base/print/words.h"
#include "plot.h"
#include <string.h>

/* Colours that colour-blind readers can distinguish on white and on black. */
static const char *const colours[] = { "#d55e00", "#0a84d6", "#009e73" };

enum { NR_COLOURS = sizeof(colours) / sizeof(*colours) };

/* Series with equal values are drawn as one line, which has the names of all of them. */
struct line {
	const struct curve *curve;
	size_t first;  /* index of the first series */
	unsigned with; /* bit i: series i has the same values */
};

static bool is_truth(const struct series *s)
{
	return !strcmp(s->name, CURVE_TRUTH);
}

static size_t find_lines(const struct curve *c, struct line lines[CURVE_SERIES_MAX])
{
	unsigned done = 0;
	size_t nr = 0;

	for (size_t i = 0; i < c->nr_series; i++) {
		if (done & 1u << i || !series_is_shown(c, &c->series[i]))
			continue;
		lines[nr] = (struct line) { c, i, 0 };
		for (size_t k = i; k < c->nr_series; k++)
			if (series_run_alike(c, &c->series[i], &c->series[k]))
				lines[nr].with |= 1u << k;
		done |= lines[nr++].with;
	}
	return nr;
}

/*
 * Writes a string in single quotes. In it only the single quote is special. It could be escaped by
 * doubling it, but gnuplot 5.4 reads a string that begins with a doubled quote as two strings. For
 * SVG, gnuplot escapes all special characters except '>', and "]]>" is bad XML. So both characters
 * are replaced by characters that look like them.
 */
static void quote(const char *s, FILE *out)
{
	uint32_t code;

	putc('\'', out);
	while ((code = utf8_next(&s))) {
		if (code < ' ')
			code = ' ';
		else if (code == '\'')
			code = 0x2019;
		else if (code == '>')
			code = 0x203a;
		else if (code == 0xfffe || code == 0xffff)
			code = UTF8_INVALID;
		utf8_put(code, out);
	}
	putc('\'', out);
}

/*
 * Writes the name of a line: "stat.rss = status.VmRSS", or "bound of stat.rss" for a bound. A
 * single bound has its own text.
 */
static void line_name(const struct line *l, bool only_bound, FILE *out)
{
	const char *separator = "";
	char name[CURVE_SERIES_MAX * (sizeof(l->curve->series[0].name) + 3)] = "";

	if (series_is_bound(&l->curve->series[l->first]) && only_bound) {
		quote("largest error that the model allows", out);
		return;
	}
	for (size_t i = l->first; i < l->curve->nr_series; i++) {
		const char *one = l->curve->series[i].name;

		if (!(l->with & 1u << i))
			continue;
		if (*separator && series_is_bound(&l->curve->series[i]))
			one += strlen(CURVE_BOUND);
		snprintf(name + strlen(name), sizeof(name) - strlen(name), "%s%s", separator, one);
		separator = " = ";
	}
	quote(name, out);
}

static bool has_truth(const struct line *l)
{
	for (size_t i = 0; i < l->curve->nr_series; i++)
		if (l->with & 1u << i && is_truth(&l->curve->series[i]))
			return true;
	return false;
}

static void line_style(const struct line *l, unsigned colour, enum plot_format format, FILE *out)
{
	const struct series *s = &l->curve->series[l->first];

	if (has_truth(l))
		fputs("lines lw 4 lc rgb 'black'", out);
	else if (series_is_bound(s))
		fputs("lines lw 1.5 dt '-' lc rgb 'black'", out);
	else
		fprintf(out, "%s lw 2 lc rgb '%s'",
			curve_series(l->curve, CURVE_TRUTH) ? "lines"
			: format == PLOT_TERMINAL           ? "linespoints pt 15"
							    : "linespoints pt 7 ps 0.5",
			colours[colour % NR_COLOURS]);
}

static void data(const struct curve *c, FILE *out)
{
	fputs("$data << END\n", out);
	for (size_t i = 0; i < c->nr; i++) {
		fprintf(out, "%lld", (long long)c->at[i]);
		for (size_t k = 0; k < c->nr_series; k++) {
			if (c->series[k].of[i] == CURVE_NO_POINT)
				fputs(" NaN", out);
			else
				fprintf(out, " %lld", (long long)c->series[k].of[i]);
		}
		putc('\n', out);
	}
	fputs("END\n", out);
}

static void terminal(const struct plot *p, enum plot_format format, FILE *out)
{
	unsigned width = p->width ? p->width : format == PLOT_TERMINAL ? 79 : 480;
	unsigned height = p->height ? p->height : format == PLOT_TERMINAL ? 24 : 400;

	switch (format) {
	case PLOT_TERMINAL:
		fprintf(out, "set terminal dumb size %u,%u mono noenhanced\n", width, height);
		break;
	case PLOT_PNG:
		/*
		 * The picture has twice as many pixels as points, so that it is sharp at its
		 * intended size.
		 */
		fprintf(out,
			"set terminal pngcairo size %u,%u noenhanced font 'sans,10' fontscale 2 "
			"linewidth 2 pointscale 2\n",
			2 * width, 2 * height);
		break;
	default:
		fprintf(out,
			"set terminal svg size %u,%u dynamic noenhanced font 'sans-serif,14'\n",
			width, height);
	}
}

/*
 * Places the label of the y axis. The dumb terminal cannot rotate a label, so it is written above
 * the axis, in a line that the title leaves free.
 */
static void label_y(const struct plot *p, enum plot_format format, FILE *out)
{
	char label[96];

	snprintf(label, sizeof(label), "%s, %ld KiB each", p->curve->y, p->page_size / 1024);
	fputs(format == PLOT_TERMINAL ? "set label 1 " : "set ylabel ", out);
	quote(label, out);
	if (format == PLOT_TERMINAL)
		fputs(" at graph 0, graph 1 offset -6,1", out);
	putc('\n', out);
}

static void axes(const struct plot *p, enum plot_format format, FILE *out)
{
	const struct curve *c = p->curve;

	fputs("set xlabel ", out);
	quote(c->x, out);
	fputs(format == PLOT_TERMINAL ? "\n" : " . \"\\n \" offset 0,0.4\n", out);
	label_y(p, format, out);
	if (c->nr > 1)
		fprintf(out, "set xrange [%lld:%lld]\n", (long long)c->at[0],
			(long long)c->at[c->nr - 1]);
	if (!curve_series(c, CURVE_TRUTH))
		fputs("set yrange [0:*]\n", out);
	fputs("set offsets graph 0.01, graph 0.01, graph 0.05, 0\n"
	      "set border 3 back\nset tics nomirror out\n"
	      "set key bmargin left vertical maxcols 1 Left reverse\n",
	      out);
	if (format != PLOT_TERMINAL)
		fputs("set grid back lw 0.5 lc rgb '#808080' dt 3\nset key samplen 2\n", out);
}

static void title(const struct plot *p, enum plot_format format, FILE *out)
{
	fputs("set title ", out);
	quote(p->title, out);
	if (p->subtitle && p->subtitle[0]) {
		fputs(" . \"\\n\" . ", out);
		quote(p->subtitle, out);
	}
	fputs(format == PLOT_TERMINAL ? " . \"\\n \"\n" : "\n", out);
}

/*
 * Draws the lines in an order in which no line hides another: characters hide everything below
 * them, but a dashed line hides nothing.
 */
static void lines_draw(const struct line *lines, size_t nr, enum plot_format format, FILE *out)
{
	const char *separator = "plot ";
	unsigned bounds = 0, colour = 0;

	for (size_t i = 0; i < nr; i++)
		bounds += series_is_bound(&lines[i].curve->series[lines[i].first]);
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < nr; i++) {
			bool bound = series_is_bound(&lines[i].curve->series[lines[i].first]);

			if (bound != (format == PLOT_TERMINAL ? !pass : pass))
				continue;
			fprintf(out, "%s$data using 1:%zu with ", separator, lines[i].first + 2);
			line_style(&lines[i], colour, format, out);
			colour += !bound && !has_truth(&lines[i]);
			fputs(" title ", out);
			line_name(&lines[i], bounds == 1, out);
			separator = ", \\\n     ";
		}
	putc('\n', out);
}

void plot_script(const struct plot *p, enum plot_format format, FILE *out)
{
	struct line lines[CURVE_SERIES_MAX];
	size_t nr = find_lines(p->curve, lines);

	terminal(p, format, out);
	title(p, format, out);
	axes(p, format, out);
	data(p->curve, out);
	lines_draw(lines, nr, format, out);
}
