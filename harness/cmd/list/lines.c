// SPDX-License-Identifier: MIT
/*
 * rssck list --coverage: prints the cases that check each line of meminfo, vmstat and memory.stat.
 */
#include "lines.h"
#include "base/list.h"
#include "base/print/json.h"
#include "machine/cgroups.h"
#include "machine/checked.h"
#include <rssck/source.h>
#include <string.h>

static const char *const files[] = { "meminfo", "vmstat", "memory.stat" };

enum { FILES = sizeof(files) / sizeof(*files), LINE = 64 };

typedef void each_line(const char *file, const char *line, void *arg);

/* Calls f() for the name at the beginning of each line of a text: "MemTotal: 1 kB" or "anon 1". */
static void text_each(const char *text, const char *file, each_line *f, void *arg)
{
	char line[LINE];

	for (const char *p = text; *p; p += *p == '\n') {
		snprintf(line, sizeof(line), "%.*s", (int)strcspn(p, ": \n"), p);
		f(file, line, arg);
		p += strcspn(p, "\n");
	}
}

/*
 * Calls f() for the names in the table, for a file that this machine does not have, such as
 * memory.stat without cgroup v2. Patterns (with '*') are left out.
 */
static void table_each(const char *file, each_line *f, void *arg)
{
	size_t nr;
	const struct checked *rows = lines_checked(&nr);
	char line[LINE];

	for (size_t i = 0; i < nr; i++) {
		const char *lines = strcmp(rows[i].file, file) ? NULL : rows[i].lines;

		while (list_next(&lines, " ", line, sizeof(line)))
			if (!strchr(line, '*'))
				f(file, line, arg);
	}
}

static void lines_each(const char *file, each_line *f, void *arg)
{
	struct text t = { .data = NULL };
	char path[320], mount[256];
	bool v1 = false;

	snprintf(path, sizeof(path), "/proc/%s", file);
	if (!strcmp(file, "memory.stat")) {
		if (!cgroups_mount(mount, sizeof(mount), &v1))
			v1 = true;
		snprintf(path, sizeof(path), "%s/%s", mount, file);
	}
	if (v1 || text_read(&t, 0, path))
		table_each(file, f, arg);
	else
		text_each(t.data, file, f, arg);
	text_free(&t);
}

struct counted {
	size_t lines, checked, unknown;
	FILE *out; /* NULL: only count */
	bool all;
};

static void line_take(const char *file, const char *line, void *arg)
{
	const struct checked *row = line_checked(file, line);
	struct counted *c = arg;
	char name[LINE + 16];

	c->lines++;
	c->checked += row && row->cases;
	c->unknown += !row;
	if (!c->out || (row && row->cases && !c->all))
		return;
	snprintf(name, sizeof(name), "%s.%s", file, line);
	fprintf(c->out, "%-36s %s\n", name,
		row ? (row->cases ? row->cases : row->why_not) : "no case, and no reason");
}

size_t lines_print(bool all, FILE *out)
{
	struct counted c = { .lines = 0 };

	for (size_t i = 0; i < FILES; i++)
		lines_each(files[i], line_take, &c);
	fprintf(out,
		"\nOf %zu lines of meminfo, vmstat and memory.stat, cases check that %zu change. %s:\n\n",
		c.lines, c.checked,
		all ? "Each line, with its cases or the reason why it has none"
		    : "Each other line, with the reason why no case checks it");
	c.out = out;
	c.all = all;
	for (size_t i = 0; i < FILES; i++)
		lines_each(files[i], line_take, &c);
	return c.unknown / 2;
}

static json_t *cases_json(const char *cases)
{
	json_t *list = json_array();
	char id[LINE];

	while (list_next(&cases, " ", id, sizeof(id)))
		json_array_append_new(list, json_words(id));
	return list;
}

static void line_json(const char *file, const char *line, void *arg)
{
	const struct checked *row = line_checked(file, line);
	json_t *j = json_row(arg);

	json_set_words(j, "file", file);
	json_set_words(j, "line", line);
	json_object_set_new(j, "cases", cases_json(row ? row->cases : NULL));
	if (row && row->why_not)
		json_set_words(j, "why_not", row->why_not);
}

json_t *lines_json(void)
{
	json_t *list = json_array();

	for (size_t i = 0; i < FILES; i++)
		lines_each(files[i], line_json, list);
	return list;
}
