// SPDX-License-Identifier: MIT
/*
 * Reads and writes a grid as JSON. "rows" contains each different list of numbers once. "kinds"
 * gives, for each kind of memory, the index of its row before any act, then of its row after each
 * act, in the order of "acts"; -1 means unknown.
 */
#include "grid.h"
#include "base/print/json.h"
#include "base/print/words.h"
#include <string.h>

static const char *const columns[GRID_COLUMNS] = {
	[GRID_ERRNO] = "errno",
	[GRID_SIGNALS] = "signals",
	[GRID_SIZE] = "size",
	[GRID_ANON] = "anon",
	[GRID_FILE] = "file",
	[GRID_SHMEM] = "shmem",
	[GRID_HUGETLB] = "hugetlb",
	[GRID_PSS] = "pss",
	[GRID_VMSWAP] = "vmswap",
	[GRID_SWAP] = "swap",
	[GRID_VMLCK] = "vmlck",
	[GRID_DIRTY] = "dirty",
	[GRID_SOFT] = "soft_dirty",
	[GRID_LAZYFREE] = "lazyfree",
	[GRID_TABLES] = "page_tables",
	[GRID_CGROUP] = "cgroup",
	[GRID_CGROUP_SWAP] = "cgroup_swap",
};

static json_t *row_json(const struct grid *g, const struct grid_cell *c)
{
	json_t *row = json_array();

	for (unsigned i = 0; i < GRID_COLUMNS; i++)
		if (g->columns >> i & 1)
			json_array_append_new(row, json_integer(c->of[i]));
	return row;
}

static json_int_t row_number(const struct grid *g, json_t *rows, const struct grid_cell *c)
{
	json_t *row, *other;
	size_t i;

	if (!c->known)
		return -1;
	row = row_json(g, c);
	json_array_foreach(rows, i, other)
	{
		if (!json_equal(row, other))
			continue;
		json_decref(row);
		return (json_int_t)i;
	}
	json_array_append_new(rows, row);
	return (json_int_t)i;
}

static json_t *names_json(const char (*names)[GRID_NAME], unsigned nr)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < nr; i++)
		json_array_append_new(list, json_words(names[i]));
	return list;
}

int grid_write(const struct grid *g, FILE *out)
{
	json_t *root = json_object(), *rows = json_array(), *kinds = json_object();
	json_t *names = json_array();
	int failed;

	for (unsigned i = 0; i < GRID_COLUMNS; i++)
		if (g->columns >> i & 1)
			json_array_append_new(names, json_string(columns[i]));
	for (unsigned k = 0; k < g->nr_kinds; k++) {
		json_t *of = json_array();

		json_array_append_new(of, json_integer(row_number(g, rows, &g->before[k])));
		for (unsigned a = 0; a < g->nr_acts; a++)
			json_array_append_new(of,
					      json_integer(row_number(g, rows, &g->after[k][a])));
		json_object_set_new(kinds, g->kinds[k], of);
	}
	json_set_words(root, "schema", GRID_SCHEMA);
	json_set_words(root, "release", g->release);
	json_set_words(root, "machine", g->machine);
	json_set_number(root, "page_size", g->page_size);
	json_object_set_new(root, "columns", names);
	json_object_set_new(root, "acts", names_json(g->acts, g->nr_acts));
	json_object_set_new(root, "rows", rows);
	json_object_set_new(root, "kinds", kinds);
	failed = json_dumpf(root, out, JSON_COMPACT | JSON_ENSURE_ASCII) || putc('\n', out) == EOF;
	json_decref(root);
	return failed ? -1 : stream_end(out);
}

static void take_name(char name[GRID_NAME], const char *words)
{
	snprintf(name, GRID_NAME, "%s", words ? words : "");
}

/* A grid of a later rssck may have more columns, and a grid of an earlier rssck fewer. */
static void take_cell(struct grid_cell *c, const json_t *root, const json_t *number)
{
	const json_t *names = json_object_get(root, "columns"), *row;
	json_int_t n = json_is_integer(number) ? json_integer_value(number) : -1;
	json_t *name;
	size_t i;

	*c = (struct grid_cell) { .known = n >= 0 };
	if (n < 0)
		return;
	row = json_array_get(json_object_get(root, "rows"), (size_t)n);
	c->known = row != NULL;
	json_array_foreach(names, i, name)
	{
		const char *words = json_string_value(name);

		for (unsigned k = 0; words && k < GRID_COLUMNS; k++)
			if (!strcmp(columns[k], words))
				c->of[k] = json_integer_value(json_array_get(row, i));
	}
}

static void take_columns(struct grid *g, const json_t *names)
{
	json_t *name;
	size_t i;

	json_array_foreach(names, i, name)
	{
		for (unsigned k = 0; json_is_string(name) && k < GRID_COLUMNS; k++)
			if (!strcmp(columns[k], json_string_value(name)))
				g->columns |= 1U << k;
	}
}

static void take_all(struct grid *g, json_t *root)
{
	json_t *acts = json_object_get(root, "acts"), *of;
	const char *kind;

	take_name(g->machine, json_string_value(json_object_get(root, "machine")));
	snprintf(g->release, sizeof(g->release), "%s",
		 json_string_value(json_object_get(root, "release")));
	g->page_size = (long)json_integer_value(json_object_get(root, "page_size"));
	for (; g->nr_acts < json_array_size(acts) && g->nr_acts < GRID_ACTS; g->nr_acts++)
		take_name(g->acts[g->nr_acts], json_string_value(json_array_get(acts, g->nr_acts)));
	json_object_foreach(json_object_get(root, "kinds"), kind, of)
	{
		if (g->nr_kinds == GRID_KINDS)
			break;
		take_name(g->kinds[g->nr_kinds], kind);
		take_cell(&g->before[g->nr_kinds], root, json_array_get(of, 0));
		/*
		 * The size is 0 if the kernel does not have this kind of memory, because then
		 * nothing was mapped.
		 */
		if (!g->before[g->nr_kinds].of[GRID_SIZE])
			g->before[g->nr_kinds].known = false;
		for (unsigned a = 0; a < g->nr_acts; a++)
			take_cell(&g->after[g->nr_kinds][a], root, json_array_get(of, a + 1));
		g->nr_kinds++;
	}
}

int grid_load(struct grid *g, const char *path, char *why, size_t size)
{
	json_error_t error;
	json_t *root = json_load_file(path, 0, &error);
	const char *schema = json_string_value(json_object_get(root, "schema"));
	bool good = schema && !strcmp(schema, GRID_SCHEMA) &&
		    json_is_string(json_object_get(root, "release"));

	memset(g, 0, sizeof(*g));
	if (good) {
		take_columns(g, json_object_get(root, "columns"));
		take_all(g, root);
	} else
		snprintf(why, size, "%s: %s", path,
			 root ? "not a record of `rssck atlas --grid`" : error.text);
	json_decref(root);
	return good ? 0 : -1;
}
