// SPDX-License-Identifier: MIT
/* Parses the output of the tools. */
#include "source/parse.h"
#include <rssck/tool.h>
#include <stdio.h>
#include <string.h>

enum { WORDS_MAX = 128 };

struct words {
	struct span of[WORDS_MAX];
	size_t nr;
};

static void words_split(struct span line, struct words *w)
{
	const char *p = line.p;

	w->nr = 0;
	while (w->nr < WORDS_MAX) {
		p = skip_blanks(p, line.end);
		if (p == line.end)
			break;
		w->of[w->nr].p = p;
		while (p < line.end && *p != ' ' && *p != '\t')
			p++;
		w->of[w->nr++].end = p;
	}
}

static bool span_is(struct span s, const char *text)
{
	return strlen(text) == span_len(s) && !strncasecmp(s.p, text, span_len(s));
}

static bool span_is_pid(struct span s, pid_t pid)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", (int)pid);
	return span_is(s, text);
}

/*
 * Finds a column by the name that the tool prints. Case is ignored, because ps gets its column
 * names in lower case.
 */
static const struct column *column_of(const struct tool *t, struct span name)
{
	size_t nr;
	const struct column *all = columns_all(&nr);

	for (size_t i = 0; i < nr; i++)
		if (!strcmp(all[i].tool, t->name) && span_is(name, all[i].name))
			return &all[i];
	return NULL;
}

static void keep(struct tool_values *v, const struct column *c, struct span text)
{
	if (!c || v->nr == TOOL_VALUES_MAX)
		return;
	v->of[v->nr].column = c;
	snprintf(v->of[v->nr].text, TOOL_TEXT_MAX, "%.*s", (int)span_len(text), text.p);
	v->nr++;
}

static bool is_number(struct span s)
{
	for (const char *p = s.p; p < s.end; p++)
		if (*p < '0' || *p > '9')
			return false;
	return s.p < s.end;
}

static int word_index(const struct words *w, const char *name)
{
	for (size_t i = 0; i < w->nr; i++)
		if (span_is(w->of[i], name))
			return (int)i;
	return -1;
}

static void parse_header(const struct tool *t, pid_t pid, struct lines l, struct tool_values *v)
{
	struct words header = { .nr = 0 }, row;
	struct span line;
	int pid_at = -1;

	while (v->nr == 0 && line_next(&l, &line) != 0) {
		words_split(line, &row);
		if (pid_at < 0) {
			header = row;
			pid_at = word_index(&header, "PID");
			continue;
		}
		if ((size_t)pid_at >= row.nr || !span_is_pid(row.of[pid_at], pid))
			continue;
		for (size_t i = 0; i < row.nr && i < header.nr; i++)
			keep(v, column_of(t, header.of[i]), row.of[i]);
	}
}

/*
 * True if the row is about the process. `t->order` names the tool's columns, separated by commas;
 * one of them is the PID.
 */
static bool row_is_of(const struct tool *t, pid_t pid, const struct words *row)
{
	const char *p = t->order;

	if (t->row && (!row->nr || !span_is(row->of[0], t->row)))
		return false;
	for (size_t i = 0; i < row->nr && p; i++) {
		if (!strncmp(p, "pid,", 4))
			return span_is_pid(row->of[i], pid);
		p = strchr(p, ',');
		p = p ? p + 1 : NULL;
	}
	return false;
}

static void parse_order(const struct tool *t, pid_t pid, struct lines l, struct tool_values *v)
{
	struct words row;
	struct span line;

	while (v->nr == 0 && line_next(&l, &line) != 0) {
		const char *p = t->order;

		words_split(line, &row);
		if (!row_is_of(t, pid, &row))
			continue;
		for (size_t i = 0; i < row.nr && p; i++) {
			const char *comma = strchr(p, ',');
			struct span name = { p, comma ? comma : p + strlen(p) };

			keep(v, column_of(t, name), row.of[i]);
			p = comma ? comma + 1 : NULL;
		}
	}
}

/*
 * Parses pmap's table. Its header is the line that ends in "Mapping"; its last line contains the
 * sums.
 */
static void parse_total(const struct tool *t, struct lines l, struct tool_values *v)
{
	struct words header = { .nr = 0 }, row = { .nr = 0 };
	struct span line;
	int first;

	while (line_next(&l, &line) != 0) {
		words_split(line, &row);
		if (!header.nr && row.nr && span_is(row.of[row.nr - 1], "Mapping"))
			header = row;
	}
	first = word_index(&header, "Kbytes");
	first = first < 0 ? word_index(&header, "Size") : first;
	for (size_t i = 0, at = (size_t)first; first >= 0 && i < row.nr && at < header.nr; i++)
		if (is_number(row.of[i]))
			keep(v, column_of(t, header.of[at++]), row.of[i]);
}

static void parse_pairs(const struct tool *t, struct lines l, struct tool_values *v)
{
	struct words row;
	struct span line;

	while (line_next(&l, &line) != 0) {
		words_split(line, &row);
		if (row.nr == 2)
			keep(v, column_of(t, row.of[0]), row.of[1]);
	}
}

/* Parses lines such as "Rss": 1760, */
static void parse_json(const struct tool *t, struct lines l, struct tool_values *v)
{
	struct words row;
	struct span line;

	while (line_next(&l, &line) != 0) {
		struct span name, number;

		words_split(line, &row);
		if (row.nr != 2 || span_len(row.of[0]) < 4)
			continue;
		name = (struct span) { row.of[0].p + 1, row.of[0].end - 2 };
		number = row.of[1];
		number.end -= number.end[-1] == ',';
		if (is_number(number))
			keep(v, column_of(t, name), number);
	}
}

/* Parses a last line such as " total 2924K" or "mapped: 2924K shared: 28K". */
static void parse_inline(const struct tool *t, struct lines l, struct tool_values *v)
{
	struct words row = { .nr = 0 };
	struct span line;

	while (line_next(&l, &line) != 0)
		words_split(line, &row);
	for (size_t i = 0; i + 1 < row.nr; i += 2) {
		struct span name = row.of[i], number = row.of[i + 1];

		name.end -= name.end[-1] == ':';
		number.end -= number.end[-1] == 'K';
		keep(v, column_of(t, name), number);
	}
}

static bool span_has(struct span s, const char *text)
{
	return memmem(s.p, span_len(s), text, strlen(text)) != NULL;
}

/*
 * Returns the line of a failed tool's output that best explains the failure: the last line about an
 * error, else the last line that begins with the tool's name, else the last line. Python prints the
 * error last; a tool that prints its usage prints the error first.
 */
static struct span complaint(const struct tool *t, struct lines l)
{
	const char *base = strrchr(t->argv[0], '/');
	struct span line, best = { l.p, l.p };
	char name[64];
	int rank = 0;

	snprintf(name, sizeof(name), "%.*s:", (int)sizeof(name) - 2, base ? base + 1 : t->argv[0]);
	while (line_next(&l, &line) != 0) {
		int its = span_has(line, "rror:") ? 3 : span_has(line, name) ? 2 : 1;

		if (skip_blanks(line.p, line.end) == line.end || its < rank)
			continue;
		best = line;
		rank = its;
	}
	return best;
}

int tool_parse(const struct tool *t, pid_t pid, const char *text, struct tool_values *v, char *why,
	       size_t size)
{
	struct lines l = { .p = text, .end = text + strlen(text) };
	struct span said = complaint(t, l);

	v->nr = 0;
	switch (t->layout) {
	case LAYOUT_HEADER:
		parse_header(t, pid, l, v);
		break;
	case LAYOUT_ORDER:
		parse_order(t, pid, l, v);
		break;
	case LAYOUT_TOTAL:
		parse_total(t, l, v);
		break;
	case LAYOUT_PAIRS:
		parse_pairs(t, l, v);
		break;
	case LAYOUT_JSON:
		parse_json(t, l, v);
		break;
	case LAYOUT_INLINE:
		parse_inline(t, l, v);
		break;
	}
	if (v->nr)
		return 0;
	snprintf(why, size, "%s (package %s) printed nothing about process %d%s%.*s", t->name,
		 t->package, (int)pid, span_len(said) ? ": " : "", (int)span_len(said), said.p);
	return -1;
}
