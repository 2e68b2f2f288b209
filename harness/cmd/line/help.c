// SPDX-License-Identifier: MIT
/* Prints a command's description, in lines that fit the terminal, or for its manual page. */
#include "base/print/prose.h"
#include "options.h"
#include <string.h>

enum { TERM_SIZE = 64, TERM_MOST = 22, INDENT = 2 };

static const char *term_of(const struct option_row *row, const char *name, char *buf)
{
	const char *argument = row->argument ? row->argument : "";

	snprintf(buf, TERM_SIZE, "--%s%s%s%s%s", name, row->optional ? "[" : "",
		 row->argument ? "=" : "", argument, row->optional ? "]" : "");
	return buf;
}

/* The column where descriptions begin: after the longest option of at most TERM_MOST columns. */
static unsigned text_column(const struct command *c)
{
	char term[TERM_SIZE];
	size_t widest = 0;

	for (const struct option_row *row = c->rows; row->name; row++) {
		size_t width = strlen(term_of(row, row->name, term));

		widest = width > widest && width <= TERM_MOST ? width : widest;
	}
	return INDENT + (unsigned)widest + 2;
}

/* Prints paragraphs. An empty line separates paragraphs, and a single line break is a blank. */
static void put_paragraphs(const struct prose *p, const char *text)
{
	while (text && *text) {
		const char *end = strstr(text, "\n\n");
		int len = end ? (int)(end - text) : (int)strlen(text);

		putc('\n', p->out);
		prose_text(p, 0, "%.*s", len, text);
		text = end ? end + 2 : NULL;
	}
}

static void put_options(const struct prose *p, const struct command *c)
{
	char term[INDENT + TERM_SIZE] = "  ";

	putc('\n', p->out);
	for (const struct option_row *row = c->rows; row->name; row++) {
		term_of(row, row->name, term + INDENT);
		prose_hanging(p, term, text_column(c), row->help);
	}
}

void command_help(const struct command *c, FILE *out)
{
	struct prose p = prose_to(out);

	prose_text(&p, 0, "usage: rssck %s %s", c->name, c->usage);
	putc('\n', out);
	prose_text(&p, 0, "rssck %s: %s.", c->name, c->help);
	put_paragraphs(&p, c->about);
	if (c->rows)
		put_options(&p, c);
	put_paragraphs(&p, c->after);
	if (!c->exits)
		return;
	putc('\n', out);
	prose_text(&p, 0, "Exit status: %s.", c->exits);
}

/* Escapes '-', which roff treats as a hyphen, and '\', which begins an escape. */
static void put_roff(const char *text, FILE *out)
{
	for (; *text; text++) {
		if (*text == '-')
			putc('\\', out);
		fputs(*text == '\\' ? "\\e" : (char[]) { *text, '\0' }, out);
	}
}

/*
 * Makes a sentence from a help text: "It is so." from "it is so". A text that begins with one of
 * the option's values keeps its first letter.
 */
static void put_sentence(const struct option_row *row, FILE *out)
{
	const char *const *choice = option_choices(row), *text = row->help;
	size_t len = strlen(text);

	while (choice && *choice && strncmp(text, *choice, strlen(*choice)) != 0)
		choice++;
	if (*text >= 'a' && *text <= 'z' && !(choice && *choice))
		putc(*text++ - 'a' + 'A', out);
	put_roff(text, out);
	fputs(len && row->help[len - 1] != '.' ? ".\n" : "\n", out);
}

static void put_lines(const char *text, FILE *out)
{
	put_roff(text, out);
	putc('\n', out);
}

void command_manual(const struct command *c, FILE *out)
{
	for (const struct option_row *row = c->rows; row && row->name; row++) {
		const char *const names[] = { row->name, row->also };
		char term[TERM_SIZE];

		fputs(".TP\n", out);
		for (int i = 0; i < 2 && names[i]; i++) {
			fputs(i ? ", " : "", out);
			term_of(row, names[i], term);
			fputs("\\fB", out);
			put_roff(strtok(term, "="), out);
			fputs("\\fP", out);
			if (row->argument) {
				fputs("=\\fI", out);
				put_roff(row->argument, out);
				fputs(row->optional ? "\\fP]" : "\\fP", out);
			}
		}
		putc('\n', out);
		put_sentence(row, out);
		if (row->more)
			put_lines(row->more, out);
	}
	if (!c->exits)
		return;
	fputs(".PP\nExit status: ", out);
	put_roff(c->exits, out);
	fputs(".\n", out);
}
