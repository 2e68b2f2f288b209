// SPDX-License-Identifier: MIT
/* Computes what a tool should print, from rssck's own reading of the same files. */
#include "source/parse.h"
#include <rssck/tool.h>
#include <stdio.h>
#include <string.h>

/*
 * Computes a column's metric, or the sum of its metrics, in bytes. Returns false if the kernel
 * does not print a metric.
 */
static bool column_bytes(const struct column *c, const struct tool_facts *f, int64_t *bytes)
{
	enum metric_id ids[] = { c->metric, c->plus, c->also };

	*bytes = 0;
	for (size_t i = 0; i < 3 && ids[i] != METRIC_NONE; i++) {
		int64_t value = f->values.of[ids[i]];

		if (!f->values.have[ids[i]])
			return false;
		switch (metric(ids[i])->unit) {
		case UNIT_PAGES:
			*bytes += value * f->page_size;
			break;
		case UNIT_KB:
			*bytes += value * 1024;
			break;
		default:
			*bytes += value;
			break;
		}
	}
	return true;
}

/*
 * Formats a number like top. A number that does not fit is printed in a larger unit, with one
 * decimal; a count has no decimal if that does not fit.
 */
static void scale(double number, int width, bool memory, char text[TOOL_TEXT_MAX])
{
	static const char suffixes[] = "mgtpe";
	const char *suffix = memory ? suffixes : "kmgt";

	if (snprintf(text, TOOL_TEXT_MAX, "%.0f", number) <= width)
		return;
	for (; *suffix; suffix++) {
		number /= 1024;
		if (snprintf(text, TOOL_TEXT_MAX, "%.1f%c", number, *suffix) <= width ||
		    (!memory && snprintf(text, TOOL_TEXT_MAX, "%.0f%c", number, *suffix) <= width))
			return;
	}
	snprintf(text, TOOL_TEXT_MAX, "?");
}

/*
 * Formats a number like busybox, in four characters. A number above 9999 is printed in a larger
 * unit; below 10 units it has one decimal, rounded down.
 */
static void scale_short(int64_t number, char text[TOOL_TEXT_MAX])
{
	const char *suffix = "kmgtpe";
	int64_t tenths = number * 10;

	if (number <= 9999) {
		snprintf(text, TOOL_TEXT_MAX, "%lld", (long long)number);
		return;
	}
	do {
		tenths /= 1024;
		suffix++;
	} while (tenths >= 10000);
	if (tenths < 100)
		snprintf(text, TOOL_TEXT_MAX, "%lld.%lld%c", (long long)tenths / 10,
			 (long long)tenths % 10, *suffix);
	else
		snprintf(text, TOOL_TEXT_MAX, "%lld%c", (long long)tenths / 10, *suffix);
}

/*
 * From this size on htop prints two or three digits in a larger unit; its versions format them
 * differently.
 */
enum { HTOP_WHOLE_KB = 100000 };

/* Returns the width of top's column in characters, or 0 for tools whose columns grow. */
static int column_width(const struct column *c)
{
	if (strcmp(c->tool, "top"))
		return 0;
	if (!strcmp(c->name, "VIRT") || !strcmp(c->name, "DATA"))
		return 7;
	return c->shape == COLUMN_COUNT ? 4 : 6;
}

static void put(const struct column *c, int64_t number, char text[TOOL_TEXT_MAX])
{
	int width = column_width(c);

	if (!strcmp(c->tool, "busybox ps"))
		scale_short(number, text);
	else if (width)
		scale((double)number, width, c->shape != COLUMN_COUNT, text);
	else
		snprintf(text, TOOL_TEXT_MAX, "%lld", (long long)number);
}

bool tool_expect(const struct column *c, const struct tool_facts *f, char text[TOOL_TEXT_MAX])
{
	int64_t bytes;

	if (!column_bytes(c, f, &bytes) || f->mem_total_kb <= 0 || f->page_size <= 0)
		return false;
	switch (c->shape) {
	case COLUMN_KB:
		put(c, bytes / 1024, text);
		return strcmp(c->tool, "htop") || bytes / 1024 < HTOP_WHOLE_KB;
	case COLUMN_KB_GATE:
		put(c, bytes / 1024 + f->gate_kb, text);
		return true;
	case COLUMN_PAGES:
		put(c, bytes / f->page_size, text);
		return true;
	case COLUMN_BYTES:
	case COLUMN_COUNT:
		put(c, bytes, text);
		return true;
	case COLUMN_TEXT:
		put(c, f->text_bytes / 1024, text);
		return true;
	case COLUMN_NO_TEXT:
		put(c, (bytes - f->text_bytes) / 1024, text);
		return true;
	case COLUMN_PERCENT:
		snprintf(text, TOOL_TEXT_MAX, "%.1f",
			 (float)(bytes / 1024) * 100 / f->mem_total_kb);
		return true;
	case COLUMN_PERCENT2:
		snprintf(text, TOOL_TEXT_MAX, "%.2f",
			 (double)(bytes / 1024) * 100 / f->mem_total_kb);
		return true;
	case COLUMN_PERMILLE:
		bytes = bytes / 1024 * 1000 / f->mem_total_kb;
		snprintf(text, TOOL_TEXT_MAX, "%lld.%lld", (long long)bytes / 10,
			 (long long)bytes % 10);
		return true;
	case COLUMN_NOTHING:
		put(c, 0, text);
		return true;
	case COLUMN_GROWTH:
	case COLUMN_RATE:
		break;
	}
	return false;
}

/*
 * Returns the field of stat with that number, or NULL if there are too few. Fields are counted from
 * the ')' that ends field 2, the name.
 */
static const char *stat_field(const char *stat, int field)
{
	const char *p = strrchr(stat, ')');

	for (int i = 2; p && i < field; i++)
		p = strchr(p + 1, ' ');
	return p;
}

int tool_facts_read(struct tool_facts *f, pid_t pid, const struct snapshot *s, char *why,
		    size_t size)
{
	struct text text = { .data = NULL };
	unsigned long long start = 0, end = 0;
	const char *field = NULL, *total = NULL;
	long long kb = 0;

	if (text_read(&text, pid, "stat") == 0)
		field = stat_field(text.data, 26);
	if (!field || sscanf(field, "%llu %llu", &start, &end) != 2)
		snprintf(why, size, "/proc/%d/stat: no start_code and end_code", (int)pid);
	else if (text_read(&text, 0, "/proc/meminfo") < 0 ||
		 !(total = strstr(text.data, "MemTotal:")) ||
		 sscanf(total, "MemTotal: %lld", &kb) != 1)
		snprintf(why, size, "/proc/meminfo: no MemTotal");
	text_free(&text);
	f->text_bytes = (int64_t)(end - start);
	f->mem_total_kb = kb;
	f->gate_kb = 0;
	for (size_t i = 0; i < s->nr_maps; i++)
		if (mapping_is_gate(&s->maps[i]))
			f->gate_kb += (int64_t)((s->maps[i].end - s->maps[i].start) / 1024);
	return kb > 0 ? 0 : -1;
}
