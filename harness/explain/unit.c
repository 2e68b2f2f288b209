// SPDX-License-Identifier: MIT
/* Says in which unit a number is printed. */
#include "unit.h"
#include "machine/numbers.h"
#include "metric_words.h"
#include "sentence.h"
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

/*
 * True if a figure's text has a condition or a second unit: the whole entry answers then, because
 * "memory.stat is in bytes" is false for its counts.
 */
static bool has_other_unit(const struct figure *f, const char *unit)
{
	static const char *const units[] = { "in bytes", "in kB",    "in KiB",
					     "in MiB",   "in pages", "in microseconds" };
	static const char *const conditions[] = { "except", " percent", " counts how" };
	const char *texts[] = { f->from, f->is };
	int open = 0;

	for (const char *p = f->from; *p; p++) {
		open += (*p == '(') - (*p == ')');
		if (*p == ';' && !open)
			return true;
	}
	for (size_t k = 0; k < sizeof(texts) / sizeof(*texts); k++) {
		for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
			const char *named = units[i] + strlen("in ");

			if (strncmp(unit, named, strlen(named)) && strstr(texts[k], units[i]))
				return true;
		}
		for (size_t i = 0; i < sizeof(conditions) / sizeof(*conditions); i++)
			if (strstr(texts[k], conditions[i]))
				return true;
	}
	return false;
}

static const char *figure_unit(const struct figure *f)
{
	const char *key = strncmp(f->name, "meminfo.", 8) ? f->name : f->name + 8;
	enum machine_number n = machine_by_key(MACHINE_MEMINFO, key, strlen(key), MACHINE_NONE);
	const char *unit;

	if (n)
		return machine_row(n)->counts ? "pages of Hugepagesize" : unit_kb;
	n = machine_by_name(f->name);
	if (n && machine_row(n)->source == MACHINE_VMSTAT && !machine_row(n)->counts)
		return unit_pages;
	unit = named_unit(f->from);
	return unit && !has_other_unit(f, unit) ? unit : NULL;
}

static const char *unit_of_metric(enum metric_id id)
{
	return metric(id)->source == SOURCE_NUMA ? "pages of the size kernelpagesize_kB"
						 : metric_unit(id);
}

void topic_unit(const struct topic *t, char *buf, size_t size)
{
	static const char scale[] = " top htop atop btop glances gnome-system-monitor ";
	const char *unit = t->kind == TOPIC_METRIC   ? unit_of_metric(t->metric)
			   : t->kind == TOPIC_COLUMN ? column_unit(t->column)
			   : t->kind == TOPIC_FIGURE ? figure_unit(t->figure)
			   : t->kind == TOPIC_GROUP  ? group_unit(&t->group)
						     : NULL;

	buf[0] = '\0';
	if (unit)
		snprintf(buf, size, "%s%s in %s%s.", t->name,
			 t->kind == TOPIC_GROUP ? ": amounts of memory are" : " is", unit,
			 t->kind == TOPIC_COLUMN && unit == unit_kb &&
					 word_is_among(t->column->tool, scale)
				 ? ", or scaled to fit, with a letter"
				 : "");
}
