// SPDX-License-Identifier: MIT
/*
 * Makes gnuplot's SVG a file whose colours follow the reader's light or dark setting: text and axes
 * get the colour of the text, which a style in the file sets together with the background.
 */
#include "plot.h"
#include <string.h>

struct change {
	const char *from, *to;
};

/* The attributes in the forms that gnuplot 5 and 6 write. */
static const struct change anywhere[] = {
	{ "stroke='black'", "stroke='currentColor'" },
	{ "stroke=\"black\"", "stroke=\"currentColor\"" },
	{ "fill=\"black\"", "fill=\"currentColor\"" },
	{ "fill = \"black\"", "fill=\"currentColor\"" },
	{ "fill = 'black'", "fill='currentColor'" },
	{ " color=\"black\"", "" },
	{ " color=\"white\"", "" },
	{ "rgb(  0,   0,   0)", "currentColor" },
	{ "<title>Gnuplot</title>", "" },
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

void plot_adapt(const char *svg, FILE *out)
{
	const char *end = strchr(svg, '>');

	if (end) {
		fprintf(out, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n%.*s\n%s",
			(int)(end + 1 - svg), svg, file_style);
		svg = end + 1;
	}
	while (*svg) {
		const struct change *c = find(anywhere, svg);

		if (!c) {
			putc(*svg++, out);
			continue;
		}
		fputs(c->to, out);
		svg += strlen(c->from);
	}
}
