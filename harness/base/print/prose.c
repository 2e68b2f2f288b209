// SPDX-License-Identifier: MIT
/*
 * Breaks text into lines. Control characters are replaced, so that they have no effect on the
 * terminal.
 */
#include "prose.h"
#include "style.h"
#include "words.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH = 80, LEAST_WIDTH = 30, MOST_WIDTH = 100, LABEL_AT = 2, TEXT_AT = 16 };

unsigned terminal_columns(FILE *out)
{
	struct winsize size = { .ws_col = 0 };
	int fd = fileno(out);

	return isatty(fd) && !ioctl(fd, TIOCGWINSZ, &size) ? size.ws_col : 0;
}

struct prose prose_to(FILE *out)
{
	const char *columns = getenv("COLUMNS");
	unsigned width = columns ? (unsigned)strtoul(columns, NULL, 10) : 0;

	if (!width)
		width = terminal_columns(out);
	/* Lines of more than 100 columns are hard to read. */
	if (!width)
		width = WIDTH;
	else if (width < LEAST_WIDTH)
		width = LEAST_WIDTH;
	else if (width > MOST_WIDTH)
		width = MOST_WIDTH;
	return (struct prose) { .out = out, .width = width, .bold = style_is_wanted(out) };
}

static void put_bold(const struct prose *p, const char *text)
{
	fputs(p->bold ? "\033[1m" : "", p->out);
	line_put(text, p->out);
	fputs(p->bold ? "\033[0m" : "", p->out);
}

static void put_spaces(const struct prose *p, unsigned nr)
{
	while (nr--)
		putc(' ', p->out);
}

/* Each character counts as one column, because our text has no wide ones. */
static unsigned columns(const char *word, size_t len)
{
	unsigned nr = 0;

	for (size_t i = 0; i < len; i++)
		nr += (word[i] & 0xc0) != 0x80;
	return nr;
}

static void put_word(const struct prose *p, const char *word, size_t len)
{
	char *copy = strndup(word, len);

	if (copy)
		line_put(copy, p->out);
	free(copy);
}

/* Continues a line at column `column`. Each further line begins in column `at`. */
static void put_lines_from(const struct prose *p, unsigned column, unsigned at, const char *text)
{
	text += strspn(text, " \n");
	while (*text) {
		size_t len = strcspn(text, " \n");
		unsigned wide = columns(text, len);

		if (column > at && column + 1 + wide > p->width) {
			putc('\n', p->out);
			put_spaces(p, at);
			column = at;
		} else if (column > at) {
			putc(' ', p->out);
			column++;
		}
		put_word(p, text, len);
		column += wide;
		text += len;
		text += strspn(text, " \n");
	}
	putc('\n', p->out);
}

static void put_lines(const struct prose *p, unsigned at, const char *text)
{
	put_lines_from(p, at, at, text);
}

void prose_title(const struct prose *p, const char *title)
{
	put_bold(p, title);
	putc('\n', p->out);
}

/* The caller frees the text. Returns NULL if there is no memory. */
static char *formatted(const char *format, va_list args)
{
	char *text = NULL;

	return vasprintf(&text, format, args) < 0 ? NULL : text;
}

void prose_text(const struct prose *p, unsigned indent, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = formatted(format, args);
	va_end(args);
	put_spaces(p, indent);
	put_lines(p, indent, text ? text : "");
	free(text);
}

void prose_named(const struct prose *p, const char *name, const char *format, ...)
{
	char *text = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	put_bold(p, name);
	putc(':', p->out);
	put_lines_from(p, columns(name, strlen(name)) + 1, 0, text ? text : "");
	free(text);
}

void prose_hanging(const struct prose *p, const char *term, unsigned at, const char *text)
{
	unsigned column = columns(term, strlen(term));

	fputs(term, p->out);
	if (column + 2 > at) {
		putc('\n', p->out);
		column = 0;
	}
	put_spaces(p, at - column);
	put_lines(p, at, text);
}

void prose_item(const struct prose *p, const char *label, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = formatted(format, args);
	va_end(args);
	put_spaces(p, LABEL_AT);
	if (label)
		put_bold(p, label);
	put_spaces(p, TEXT_AT - LABEL_AT - (label ? (unsigned)strlen(label) : 0));
	put_lines(p, TEXT_AT, text ? text : "");
	free(text);
}
