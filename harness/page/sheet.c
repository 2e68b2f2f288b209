// SPDX-License-Identifier: MIT
/*
 * Writes tables in HTML. On a narrow screen each cell is a line that names its column
 * (data-column).
 */
#include "sheet/sheet.h"
#include "private.h"

static bool is_number(const struct sheet *s, size_t column)
{
	return s->head->numbers_from && column >= s->head->numbers_from;
}

static void begin(struct sheet *s)
{
	const char *const *columns = s->head->columns;

	html_put(s->out,
		 "<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"%s\">\n"
		 "<table class=\"%s cards\" style=\"",
		 s->head->title, s->head->name);
	for (size_t i = 1; columns[i]; i++)
		html_put(s->out, "--column-%zu: '%s: ';", i, columns[i]);
	html_put(s->out, "\"><caption><span>%s</span></caption>\n<thead><tr>", s->head->title);
	for (size_t i = 0; columns[i]; i++)
		html_put(s->out,
			 is_number(s, i) ? "<th scope=\"col\" class=\"number\">%s</th>"
					 : "<th scope=\"col\">%s</th>",
			 columns[i]);
	fputs("</tr></thead>\n<tbody>\n", s->out);
}

static void end(struct sheet *s)
{
	fputs("</tbody></table></div>\n", s->out);
}

/*
 * Prints a row that can be the target of a link. For the script, data-wrong-on lists the kernels
 * that have the bug or make the sentence false.
 */
static void row(struct sheet *s, size_t at, const bool *wrong_on)
{
	if (!wrong_on) {
		fputs("<tr>", s->out);
		return;
	}
	bool is_wrong = false;

	html_put(s->out, "<tr id=\"%s-%zu\"", s->head->name, at);
	for (size_t i = 0; i < s->kernels.nr; i++) {
		if (!wrong_on[i])
			continue;
		html_put(s->out, is_wrong ? " %zu" : " data-wrong-on=\"%zu", i);
		is_wrong = true;
	}
	fputs(is_wrong ? "\">" : ">", s->out);
}

static void row_end(struct sheet *s)
{
	fputs("</tr>\n", s->out);
}

static void cell(struct sheet *s, bool is_wrong)
{
	if (!s->column)
		fputs("<th>", s->out);
	else if (!is_number(s, s->column))
		fputs("<td>", s->out);
	else
		fputs(is_wrong ? "<td class=\"number false\">" : "<td class=\"number\">", s->out);
}

static void cell_end(struct sheet *s)
{
	fputs(s->column ? "</td>" : "</th>", s->out);
}

static void text(struct sheet *s, const char *text)
{
	html_put(s->out, "%s", text);
}

static void prose(struct sheet *s, const char *text)
{
	html_prose(text, s->out);
}

static void aside(struct sheet *s, const char *text)
{
	html_put(s->out, " <small>%s</small>", text);
}

static void to_case(struct sheet *s, const char *id, const char *text)
{
	fputs("<a href=\"#", s->out);
	html_anchor("c-", id, s->out);
	html_put(s->out, "\">%s</a>", text);
}

static void to_commit(struct sheet *s, const char *commit)
{
	html_put(s->out, "<a href=\"https://git.kernel.org/linus/%s\">%s</a>", commit, commit);
}

static void to_finding(struct sheet *s, unsigned number)
{
	html_put(s->out, " (finding %u)", number);
}

/* Writes nothing, because an empty cell is not shown on a narrow screen. */
static void nothing(struct sheet *s)
{
	(void)s;
}

struct sheet html_sheet(const struct html *h)
{
	static const struct sheet_writer html = {
		.begin = begin,
		.end = end,
		.row = row,
		.row_end = row_end,
		.cell = cell,
		.cell_end = cell_end,
		.text = text,
		.prose = prose,
		.aside = aside,
		.to_case = to_case,
		.to_commit = to_commit,
		.to_finding = to_finding,
		.nothing = nothing,
	};

	return (struct sheet) {
		.write = &html,
		.out = h->out,
		.kernels = h->kernels,
		.facts = h->facts,
		.set = h->set,
	};
}
