// SPDX-License-Identifier: MIT
/*
 * Compares a tool's columns with the metrics that columns.def names for them: whole numbers as
 * numbers, all other text character by character.
 */
#include "base/number.h"
#include "private.h"
#include <stdio.h>
#include <string.h>

static void say_source(const struct column *c, char *buf, size_t size)
{
	snprintf(buf, size, "%s%s%s, read before and after", metric(c->metric)->name,
		 c->plus != METRIC_NONE ? " + " : "",
		 c->plus != METRIC_NONE ? metric(c->plus)->name : "");
}

/* True if the text is a whole number, unlike "16.0t" or "0.4". */
static bool whole(const char *text, int64_t *number)
{
	return number_signed(&text, text + strlen(text), number) == NUMBER_OK && *text == '\0';
}

static const char *unit_of(const struct column *c)
{
	switch (c->shape) {
	case COLUMN_PAGES:
		return "pages";
	case COLUMN_BYTES:
		return "bytes";
	case COLUMN_COUNT:
		return metric_noun(metric(c->metric)->name);
	default:
		return "kB";
	}
}

static void judge_column(const struct moment *m, const struct tool_value *v,
			 const struct tool_facts *own, struct judgement *j)
{
	char expected[TOOL_TEXT_MAX], rule[160], name[48], source[80];
	const struct column *c = v->column;
	int64_t seen, should;

	if (!tool_expect(c, own, expected))
		return;
	say_source(c, source, sizeof(source));
	snprintf(name, sizeof(name), "%s %s", c->tool, c->name);
	if (whole(v->text, &seen) && whole(expected, &should)) {
		judge_compare_as(j, &(struct where) { m->name, 0 }, RULE_TOOL, source, name, seen,
				 should, 0, unit_of(c));
		return;
	}
	snprintf(rule, sizeof(rule), "%.32s shows '%s' (%.50s), not '%s'", name, expected, source,
		 v->text);
	judge_holds(j, &(struct where) { m->name, 0 }, !strcmp(v->text, expected), rule);
}

/* Checks that the tool prints a column if the kernel prints its metric. */
static void judge_presence(const struct moment *m, const struct tool_reading *r,
			   struct judgement *j)
{
	size_t nr;
	const struct column *all = columns_all(&nr);
	char rule[160];

	for (size_t i = 0; i < nr; i++) {
		if (strcmp(all[i].tool, r->tool->name) || !r->own.values.have[all[i].metric])
			continue;
		snprintf(rule, sizeof(rule), "%s has a column %s", all[i].tool, all[i].name);
		judge_holds(j, &(struct where) { m->name, 0 },
			    tool_value(&r->values, all[i].name) != NULL, rule);
	}
}

void judge_tools(const struct moment *m, struct judgement *j)
{
	for (size_t i = 0; i < m->nr_readings; i++) {
		const struct tool_reading *r = &m->readings[i];

		judge_presence(m, r, j);
		for (size_t k = 0; k < r->values.nr; k++)
			judge_column(m, &r->values.of[k], &r->own, j);
	}
}
