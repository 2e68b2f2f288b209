// SPDX-License-Identifier: MIT
/* Runs gnuplot on a script that it reads from stdin. gnuplot writes no file. */
#include "plot.h"
#include "base/process/path.h"
#include "base/process/program.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT_S = 30 };

static const char png[] = "\x89PNG\r\n\x1a\n";

static const char *picture(const struct text *t, enum plot_format format)
{
	switch (format) {
	case PLOT_TERMINAL:
		return memchr(t->data, '+', t->len) ? t->data : NULL;
	case PLOT_PNG:
		return memmem(t->data, t->len, png, sizeof(png) - 1);
	default:
		return strstr(t->data, "</svg>") ? strstr(t->data, "<svg") : NULL;
	}
}

/*
 * Removes the spaces with which gnuplot pads each line, and empty lines at the beginning and the
 * end.
 */
static void put_lines(const char *text, FILE *out)
{
	size_t empty = 0;
	bool begun = false;

	/* gnuplot prints a form feed first. */
	text += strspn(text, "\f");
	for (const char *line = text; *line;) {
		size_t length = strcspn(line, "\n"), used = length;

		while (used && line[used - 1] == ' ')
			used--;
		empty = used ? empty : empty + 1;
		if (used) {
			for (; begun && empty; empty--)
				putc('\n', out);
			empty = 0;
			fprintf(out, "%.*s\n", (int)used, line);
			begun = true;
		}
		line += length + (line[length] == '\n');
	}
}

static void picture_adapt(const char *from, FILE *out)
{
	static const char end[] = "</svg>";
	char *svg = strndup(from, (size_t)(strstr(from, end) - from) + strlen(end));

	if (svg)
		plot_adapt(svg, out);
	free(svg);
}

static int hand_over(enum plot_format format, const struct text *t, FILE *out, char *why,
		     size_t size)
{
	const char *from = t->len ? picture(t, format) : NULL;

	if (!from) {
		snprintf(why, size, "gnuplot drew nothing: %.*s",
			 t->len ? (int)strcspn(t->data + strspn(t->data, " \n"), "\n") : 0,
			 t->len ? t->data + strspn(t->data, " \n") : "");
		return -1;
	}
	if (format == PLOT_SVG)
		picture_adapt(from, out);
	else if (format == PLOT_TERMINAL)
		put_lines(from, out);
	else
		fwrite(from, 1, t->len - (size_t)(from - t->data), out);
	if (!ferror(out))
		return 0;
	snprintf(why, size, "cannot write the plot: %m");
	return -1;
}

int plot_curves(const struct plot *p, enum plot_format format, FILE *out, char *why, size_t size)
{
	char path[PATH_MAX], *script = NULL;
	const char *named = getenv("RSSCK_GNUPLOT");
	struct text text = { 0 };
	size_t length;
	FILE *to;
	int failed;

	if (!path_find_program(named && *named ? named : "gnuplot", path, sizeof(path))) {
		snprintf(why, size,
			 "gnuplot draws the plots, but %s is not installed (Debian: package "
			 "gnuplot-nox)",
			 named && *named ? named : "it");
		return -1;
	}
	to = open_memstream(&script, &length);
	if (!to) {
		snprintf(why, size, "a plot's script: %m");
		return -1;
	}
	plot_script(p, format, to);
	fclose(to);
	/* -d: ignore ~/.gnuplot, because its settings are meant for other plots */
	failed = program_output(
		&(struct program) { .argv = (char *[]) { path, (char[]) { "-d" }, NULL },
				    .input = script,
				    .limit_s = LIMIT_S },
		&text, why, size);
	if (!failed)
		failed = hand_over(format, &text, out, why, size);
	text_free(&text);
	free(script);
	return failed ? -1 : 0;
}
