// SPDX-License-Identifier: MIT
/*
 * A table of the numbers that the workload read during the step. A name like "mapped: current"
 * consists of the row and the column.
 */
#include "page/write.h"
#include "views.h"
#include <string.h>

static const char *what_of(const char *name)
{
	const char *colon = strstr(name, ": ");

	return colon ? colon + 2 : name;
}

static int when_length(const char *name)
{
	return (int)(what_of(name) - name);
}

static bool same_when(const char *a, const char *b)
{
	return when_length(a) == when_length(b) && !strncmp(a, b, (size_t)when_length(a));
}

static bool same_what(const char *a, const char *b)
{
	return !strcmp(what_of(a), what_of(b));
}

static bool is_size(const char *name)
{
	return !strstr(name, "killed");
}

/* True if no earlier size has the same name, as compared by same(). */
static bool is_first(json_t *reported, const char *name, bool (*same)(const char *a, const char *b))
{
	const json_t *value;
	const char *other;

	json_object_foreach(reported, other, value)
	{
		if (is_size(other) && same(other, name))
			return !strcmp(other, name);
	}
	return false;
}

static void put_cell(struct course *c, struct spot s, json_t *reported, const char *row,
		     const char *column)
{
	const json_t *value;
	const char *name;
	char full[64];

	s.name = NULL;
	json_object_foreach(reported, name, value)
	{
		if (!same_when(name, row) || !same_what(name, column))
			continue;
		snprintf(full, sizeof(full), "reported.%s", name);
		s.name = full;
	}
	course_cell(c, &s, course_number);
}

static void put_row(struct course *c, const struct spot *s, json_t *reported, const char *row)
{
	const json_t *value;
	const char *name;
	char when[64];

	snprintf(when, sizeof(when), "%.*s", when_length(row) - 2, row);
	html_put(c->out, "<tr><th scope=\"row\">%s</th>",
		 when_length(row) ? when : "after the line");
	json_object_foreach(reported, name, value)
	{
		if (is_size(name) && is_first(reported, name, same_what))
			put_cell(c, *s, reported, row, name);
	}
	fputs("</tr>\n", c->out);
}

void view_reported(struct course *c, struct spot s)
{
	json_t *reported = json_object_get(course_step(c->records[c->shown], &s, s.step),
					   "reported");
	const json_t *value;
	const char *name;

	if (!reported)
		return;
	fputs("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Numbers that the program "
	      "has read\"><table class=\"lines\"><caption>Numbers that the program itself has read, "
	      "kB</caption><thead><tr><td></td>",
	      c->out);
	json_object_foreach(reported, name, value)
	{
		if (is_size(name) && is_first(reported, name, same_what))
			html_put(c->out, "<th scope=\"col\">%s</th>", what_of(name));
	}
	fputs("</tr></thead><tbody>\n", c->out);
	json_object_foreach(reported, name, value)
	{
		if (is_size(name) && is_first(reported, name, same_when))
			put_row(c, &s, reported, name);
	}
	fputs("</tbody></table></div>\n", c->out);
}
