// SPDX-License-Identifier: MIT
/* Says in which unit a number is printed. */
#include "unit.h"
#include "machine/numbers.h"
#include "metric_words.h"
#include <stdio.h>
#include <string.h>

/*
 * Returns the unit that a figure's place names: "memory.max of the cgroup, bytes". NULL: it names
 * none, or several ("ulimit -v in KiB, /proc/PID/limits in bytes").
 */
static const char *named_unit(const char *from)
{
	static const struct {
		const char *words, *unit;
	} table[] = {
		{ ", bytes", "bytes" },
		{ "in bytes", "bytes" },
		{ "in KiB", "KiB (1,024 bytes)" },
		{ "in kB", unit_kb },
		{ "in MiB", "MiB (1,048,576 bytes)" },
		{ "in pages", unit_pages },
		{ "a count of pages", unit_pages },
		{ "in microseconds", "microseconds" },
	};

	const char *unit = NULL;

	for (size_t i = 0; from && i < sizeof(table) / sizeof(*table); i++) {
		if (!strstr(from, table[i].words))
			continue;
		if (unit)
			return NULL;
		unit = table[i].unit;
	}
	return unit;
}

static const char *group_unit(const struct group *g)
{
	if (g->tool)
		return NULL;
	switch (g->source) {
	case SOURCE_SMAPS:
	case SOURCE_ROLLUP:
	case SOURCE_STATUS:
		return unit_kb;
	case SOURCE_STATM:
		return unit_pages;
	default:
		return NULL;
	}
}

static const char *figure_unit(const struct figure *f)
{
	const char *key = strncmp(f->name, "meminfo.", 8) ? f->name : f->name + 8;
	enum machine_number n = machine_by_key(MACHINE_MEMINFO, key, strlen(key), MACHINE_NONE);

	if (n)
		return machine_row(n)->counts ? "pages of Hugepagesize" : unit_kb;
	n = machine_by_name(f->name);
	return n && machine_row(n)->source == MACHINE_VMSTAT && !machine_row(n)->counts
		       ? unit_pages
		       : named_unit(f->from);
}

void topic_unit(const struct topic *t, char *buf, size_t size)
{
	const char *unit = t->kind == TOPIC_METRIC   ? metric_unit(t->metric)
			   : t->kind == TOPIC_COLUMN ? column_unit(t->column)
			   : t->kind == TOPIC_FIGURE ? figure_unit(t->figure)
			   : t->kind == TOPIC_GROUP  ? group_unit(&t->group)
						     : NULL;

	buf[0] = '\0';
	if (unit)
		snprintf(buf, size, "%s is in %s.", t->name, unit);
}
