// SPDX-License-Identifier: MIT
/*
 * Gnuplot's SVG made fit for its place: text and axes in the colour of what
 * stands around it, so that they can be read on light and on dark.
 */
#include "plot.h"
#include <string.h>

struct change {
	const char *from, *to;
};

/* As gnuplot 5 and 6 write them. "%s" is the plot's id. */
static const struct change anywhere[] = {
	{ "stroke='black'", "stroke='currentColor'" },
	{ "stroke=\"black\"", "stroke=\"currentColor\"" },
	{ "fill=\"black\"", "fill=\"currentColor\"" },
	{ "fill = \"black\"", "fill=\"currentColor\"" },
	{ "fill = 'black'", "fill='currentColor'" },
	{ " color=\"black\"", "" },
	{ " color=\"white\"", "" },
	{ "rgb(  0,   0,   0)", "currentColor" },
	{ "id='gp", "id='%s-gp" },
	{ "'#gp", "'#%s-gp" },
	{ "id=\"gnuplot", "id=\"%s-gnuplot" },
	{ "id='textbox'", "id='%s-textbox'" },
	{ "id='greybox'", "id='%s-greybox'" },
	{ "<title>Gnuplot</title>", "" },
	{ NULL, NULL },
};

static const struct change inline_only[] = {
	{ "rgb(213,  94,   0)", "var(--plot-1,#d55e00)" },
	{ "rgb( 10, 132, 214)", "var(--plot-2,#0a84d6)" },
	{ "rgb(  0, 158, 115)", "var(--plot-3,#009e73)" },
	{ NULL, NULL },
};

static const char
	file_style[] = "<style>svg{color:#1a1a1a;background:#fff}@media(prefers-color-scheme:dark)"
		       "{svg{color:#e8e8e8;background:#161616}}</style>\n";

static const struct change *find(const struct change *c, const char *at)
{
	for (; c->from; c++)
		if (!strncmp(at, c->from, strlen(c->from)))
			return c;
	return NULL;
}

static void put(const char *to, const char *id, FILE *out)
{
	const char *place = strstr(to, "%s");

	if (place)
		fprintf(out, "%.*s%s%s", (int)(place - to), to, id, place + 2);
	else
		fputs(to, out);
}

void plot_adapt(const struct plot *p, enum plot_format format, const char *svg, FILE *out)
{
	const char *end = strchr(svg, '>');

	if (format == PLOT_SVG && end) {
		fprintf(out, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n%.*s\n%s",
			(int)(end + 1 - svg), svg, file_style);
		svg = end + 1;
	}
	while (*svg) {
		const struct change *c = find(anywhere, svg);

		if (!c && format == PLOT_INLINE)
			c = find(inline_only, svg);
		if (!c) {
			putc(*svg++, out);
			continue;
		}
		put(c->to, p->id ? p->id : "plot", out);
		svg += strlen(c->from);
	}
}
