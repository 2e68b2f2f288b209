// SPDX-License-Identifier: MIT
/* Makes lines fit a width; see fit.h. */
#include "fit.h"
#include "prose.h"
#include "words.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*
 * If the last column would have fewer than LEAST_LAST characters, it moves to a line of its own,
 * indented by BELOW.
 */
enum { LEAST_LAST = 12, BELOW = 4, LEAST_WIDTH = 20 };

/* One character, with the colour sequences in front of it. It takes one terminal column. */
struct glyph {
	const char *p;
	size_t length;
	bool blank;
};

struct line {
	struct glyph *of; /* owned; element nr holds the colour sequences at the end */
	size_t nr;
};

/* A colour sequence looks like "\033[1;31m". */
static const char *past_colours(const char *p)
{
	while (p[0] == '\033' && p[1] == '[') {
		p += 2;
		p += strcspn(p, "ABCDEFGHJKSTfhlmnsu");
		p += *p != '\0';
	}
	return p;
}

static int line_read(struct line *l, const char *text, const char *end)
{
	*l = (struct line) { calloc((size_t)(end - text) + 1, sizeof(*l->of)), 0 };
	if (!l->of)
		return -1;
	while (text < end) {
		const char *from = text, *at = past_colours(text);
		bool blank = *at == ' ';

		text = at;
		if (text < end)
			utf8_next(&text);
		l->of[l->nr] = (struct glyph) { from, (size_t)(text - from), blank };
		l->nr += at < end;
	}
	return 0;
}

static bool is_blank(const struct line *l, size_t column)
{
	return column >= l->nr || l->of[column].blank;
}

static size_t indent_of(const struct line *l)
{
	size_t i = 0;

	while (i < l->nr && l->of[i].blank)
		i++;
	return i;
}

/*
 * A line is a table row if it has a gap of two blanks after its first word, or an indent of 8
 * columns or more.
 */
static bool is_row(const struct line *l)
{
	size_t begins = indent_of(l);

	if (begins >= 8 && begins < l->nr)
		return true;
	for (size_t i = begins; i + 1 < l->nr; i++)
		if (l->of[i].blank && l->of[i + 1].blank)
			return true;
	return false;
}

static void put(const struct line *l, size_t from, size_t to, FILE *out)
{
	for (size_t i = from; i < to && i < l->nr; i++)
		fwrite(l->of[i].p, 1, l->of[i].length, out);
}

static void put_end(const struct line *l, FILE *out)
{
	fwrite(l->of[l->nr].p ? l->of[l->nr].p : "", 1, l->of[l->nr].length, out);
	putc('\n', out);
}

static void put_part(const struct line *l, size_t from, size_t to, FILE *out)
{
	while (to > from && is_blank(l, to - 1))
		to--;
	put(l, from, to, out);
	putc('\n', out);
}

/*
 * Writes the line from `from` on, in lines of `width` columns. All lines but the first are
 * indented.
 */
static void put_wrapped(const struct line *l, size_t from, size_t used, size_t indent, size_t width,
			FILE *out)
{
	while (used + l->nr - from > width) {
		size_t most = from + (width > used ? width - used : 1), at = most;

		while (at > from && !is_blank(l, at))
			at--;
		if (at == from)
			at = most;
		put_part(l, from, at, out);
		for (from = at; from < l->nr && l->of[from].blank; from++)
			;
		fprintf(out, "%*s", (int)indent, "");
		used = indent;
	}
	put(l, from, l->nr, out);
	put_end(l, out);
}

static bool has_blank(const struct line *l, size_t from)
{
	for (size_t i = from; i < l->nr; i++)
		if (l->of[i].blank)
			return true;
	return false;
}

/*
 * Fits the line from `from` on into `room` columns, as in "/usr/l...gnu/libc.so.6". More of the end
 * is kept, because the end of a path matters more.
 */
static void put_shortened(const struct line *l, size_t from, size_t room, FILE *out)
{
	size_t begins = (room - 3) / 3;

	if (l->nr - from <= room) {
		put(l, from, l->nr, out);
	} else {
		put(l, from, from + begins, out);
		fputs("...", out);
		put(l, l->nr - (room - begins - 3), l->nr, out);
	}
	put_end(l, out);
}

static void put_row(const struct line *l, size_t last, size_t width, FILE *out)
{
	if (l->nr <= width) {
		put(l, 0, l->nr, out);
		put_end(l, out);
	} else if (last >= width || last >= l->nr) {
		put_wrapped(l, 0, 0, BELOW, width, out);
	} else if (has_blank(l, last)) {
		put(l, 0, last, out);
		put_wrapped(l, last, last, last < width / 2 ? last : BELOW, width, out);
	} else if (width - last >= LEAST_LAST) {
		put(l, 0, last, out);
		put_shortened(l, last, width - last, out);
	} else {
		put_part(l, 0, last, out);
		fprintf(out, "%*s", BELOW, "");
		put_shortened(l, last, width - BELOW, out);
	}
}

/*
 * Finds the widest gap that all rows share, and returns its length. Sets *begins to the first
 * column of the gap, and *last to the first column of the last table column.
 */
static size_t widest_gap(const struct line *rows, size_t nr, size_t columns, size_t *begins,
			 size_t *last)
{
	size_t widest = 0, run = 0;

	*last = 0;
	for (size_t c = 0; c < columns; c++) {
		bool all = true, goes_on = false;

		for (size_t i = 0; i < nr && all; i++) {
			all = is_blank(&rows[i], c);
			goes_on |= c < rows[i].nr;
		}
		run = all && goes_on ? run + 1 : 0;
		if (run >= 2 || (run && c == 0))
			*last = c + 1;
		if (run > widest) {
			widest = run;
			*begins = c + 1 - run;
		}
	}
	return widest;
}

/*
 * Removes a blank of a gap: the one at `column`, or the next one if a colour sequence precedes it.
 */
static void remove_blank(struct line *l, size_t column)
{
	if (column < l->nr && l->of[column].length > 1)
		column++;
	if (column >= l->nr)
		return;
	memmove(&l->of[column], &l->of[column + 1], (l->nr - column) * sizeof(*l->of));
	l->nr--;
}

static void put_table(struct line *rows, size_t nr, size_t width, FILE *out)
{
	size_t columns = 0, begins = 0, last;

	for (size_t i = 0; i < nr; i++)
		columns = rows[i].nr > columns ? rows[i].nr : columns;
	widest_gap(rows, nr, columns, &begins, &last);
	for (size_t wide = columns; wide > width; wide--) {
		size_t now;

		if (widest_gap(rows, nr, wide, &begins, &now) < 2)
			break;
		for (size_t i = 0; i < nr; i++)
			remove_blank(&rows[i], begins);
		last -= begins < last;
	}
	for (size_t i = 0; i < nr; i++)
		put_row(&rows[i], last, width, out);
}

static int lines_read(struct line **of, size_t *nr, const char *text)
{
	struct line *lines = NULL;

	*nr = 0;
	while (*text) {
		const char *end = strchrnul(text, '\n');
		struct line *more = reallocarray(lines, *nr + 1, sizeof(*more));

		if (more)
			lines = more;
		if (!more || line_read(&lines[*nr], text, end)) {
			*of = lines;
			return -1;
		}
		++*nr;
		text = end + (*end != '\0');
	}
	*of = lines;
	return 0;
}

void fit_text(const char *text, size_t width, FILE *out)
{
	struct line *lines;
	size_t nr;

	width = width < LEAST_WIDTH ? LEAST_WIDTH : width;
	if (lines_read(&lines, &nr, text)) {
		fputs(text, out);
		nr = 0;
	}
	for (size_t i = 0, end; i < nr; i = end) {
		for (end = i; end < nr && is_row(&lines[end]); end++)
			;
		if (end > i) {
			put_table(lines + i, end - i, width, out);
			continue;
		}
		end = i + 1;
		put_wrapped(&lines[i], 0, 0, indent_of(&lines[i]), width, out);
	}
	for (size_t i = 0; i < nr; i++)
		free(lines[i].of);
	free(lines);
}

void fitted_begin(struct fitted *f, FILE *out)
{
	*f = (struct fitted) { .to = out, .out = out };
	if (terminal_columns(out)) {
		f->to = open_memstream(&f->text, &f->length);
		f->to = f->to ? f->to : out;
	}
}

int fitted_end(struct fitted *f)
{
	if (f->to != f->out) {
		if (fclose(f->to))
			return -1;
		fit_text(f->text, terminal_columns(f->out), f->out);
		free(f->text);
	}
	return stream_end(f->out);
}
