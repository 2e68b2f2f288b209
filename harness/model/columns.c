// SPDX-License-Identifier: MIT
/* Looks rows up in the table of tool columns. */
#include <rssck/tool.h>
#include <stdio.h>
#include <string.h>

#define COLUMN(tool, name, metric, plus, shape, note) \
	{ tool, name, METRIC_##metric, METRIC_##plus, METRIC_NONE, COLUMN_##shape, note },
#define COLUMN_OF_THREE(tool, name, metric, plus, also, shape, note) \
	{ tool, name, METRIC_##metric, METRIC_##plus, METRIC_##also, COLUMN_##shape, note },
static const struct column table[] = {
#include <rssck/columns.def>
};
#undef COLUMN
#undef COLUMN_OF_THREE

enum { COLUMNS = sizeof(table) / sizeof(*table) };

const struct column *columns_all(size_t *nr)
{
	*nr = COLUMNS;
	return table;
}

const struct column *column_by_name(const char *tool, const char *name)
{
	for (size_t i = 0; i < COLUMNS; i++)
		if (!strcmp(table[i].tool, tool) && !strcmp(table[i].name, name))
			return &table[i];
	return NULL;
}

/* Returns the field of a metric's name: "VmSwap" for "status.VmSwap". */
static const char *field_of(enum metric_id id)
{
	const char *dot = strchr(metric(id)->name, '.');

	return dot ? dot + 1 : metric(id)->name;
}

const char *columns_of_metric(enum metric_id id, char *buf, size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < COLUMNS && len < size; i++) {
		const struct column *c = &table[i];
		enum metric_id other = c->metric == id ? c->plus : c->metric;

		if ((c->metric != id && c->plus != id) || c->shape == COLUMN_NOTHING)
			continue;
		len += (size_t)snprintf(buf + len, size - len, "%s%s %s", len ? ", " : "", c->tool,
					c->name);
		if (other != METRIC_NONE && len < size)
			len += (size_t)snprintf(buf + len, size - len, " (with %s)",
						field_of(other));
	}
	return buf;
}

const struct tool_value *tool_value(const struct tool_values *v, const char *column)
{
	for (size_t i = 0; i < v->nr; i++)
		if (!strcmp(v->of[i].column->name, column))
			return &v->of[i];
	return NULL;
}
