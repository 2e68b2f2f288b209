// SPDX-License-Identifier: MIT
/* Writes tables in Markdown. Links lead from results/ to the source of a case. */
#include "sheet/sheet.h"
#include "base/print/words.h"
#include "private.h"
#include <string.h>

/*
 * Writes text into a table cell. A '|' would end the cell, and a code host would interpret HTML and
 * Markdown in it, so such characters are escaped.
 */
void matrix_cell(const char *s, FILE *out)
{
	uint32_t code;

	while ((code = utf8_next(&s))) {
		if (code < 0x80 && strchr("|\\<>*_`[]", (int)code))
			putc('\\', out);
		utf8_put(code < 0x20 ? ' ' : code, out);
	}
}

static void begin(struct sheet *s)
{
	fputs("|", s->out);
	for (const char *const *c = s->head->columns; *c; c++)
		fprintf(s->out, " %s |", *c);
	fputs("\n|", s->out);
	for (const char *const *c = s->head->columns; *c; c++)
		fputs(" --- |", s->out);
	putc('\n', s->out);
}

static void end(struct sheet *s)
{
	(void)s;
}

static void row(struct sheet *s, size_t at, const bool *wrong_on)
{
	(void)at;
	(void)wrong_on;
	putc('|', s->out);
}

static void row_end(struct sheet *s)
{
	putc('\n', s->out);
}

static void cell(struct sheet *s, bool is_wrong)
{
	(void)is_wrong;
	putc(' ', s->out);
}

static void cell_end(struct sheet *s)
{
	fputs(" |", s->out);
}

static void text(struct sheet *s, const char *text)
{
	matrix_cell(text, s->out);
}

/* Writes nothing, because additional text would make a wide table wider. */
static void aside(struct sheet *s, const char *text)
{
	(void)s;
	(void)text;
}

static void to_case(struct sheet *s, const char *id, const char *text)
{
	putc('[', s->out);
	matrix_cell(text, s->out);
	fprintf(s->out, "](../cases/%s.c)", id);
}

static void to_commit(struct sheet *s, const char *commit)
{
	fprintf(s->out, "[%s](https://git.kernel.org/linus/%s)", commit, commit);
}

static void to_finding(struct sheet *s, unsigned number)
{
	fprintf(s->out, " ([finding %u](FINDINGS.md#%u))", number, number);
}

static void nothing(struct sheet *s)
{
	fputs("–", s->out);
}

struct sheet matrix_sheet(const struct matrix *m)
{
	static const struct sheet_writer markdown = {
		.begin = begin,
		.end = end,
		.row = row,
		.row_end = row_end,
		.cell = cell,
		.cell_end = cell_end,
		.text = text,
		.prose = text,
		.aside = aside,
		.to_case = to_case,
		.to_commit = to_commit,
		.to_finding = to_finding,
		.nothing = nothing,
	};

	return (struct sheet) {
		.write = &markdown,
		.out = m->out,
		.kernels = m->kernels,
		.facts = m->facts,
		.set = m->marks,
	};
}
