// SPDX-License-Identifier: MIT
/* Reads the record of a demo. */
#include "base/print/words.h"
#include "record.h"
#include "space.h"
#include <stdio.h>
#include <string.h>

const json_t *record_case(const json_t *record, const char *id)
{
	const json_t *of_case, *cases = json_object_get(record, "cases");
	size_t i;

	json_array_foreach(cases, i, of_case)
	{
		const char *is = json_string_value(json_object_get(of_case, "id"));

		if (is && !strcmp(is, id))
			return of_case;
	}
	return NULL;
}

const json_t *record_step(const json_t *of_case, size_t step)
{
	const json_t *s = json_array_get(json_object_get(of_case, "steps"), step);

	return json_object_get(s, "skipped") ? NULL : s;
}

static const json_t *column(const json_t *record, const json_t *process, const char *name)
{
	const json_t *columns = json_object_get(record, "columns"), *is;
	size_t i;

	json_array_foreach(columns, i, is)
	{
		if (!strcmp(json_string_value(is) ? json_string_value(is) : "", name))
			return json_array_get(json_object_get(process, "numbers"), i);
	}
	return NULL;
}

/*
 * If `name` is `word`, a dot and the name of a member of `object`, returns that member; else NULL.
 */
static const json_t *member(const json_t *object, const char *name, const char *word)
{
	size_t length = strlen(word);

	return strncmp(name, word, length) || name[length] != '.'
		       ? NULL
		       : json_object_get(object, name + length + 1);
}

/*
 * Returns the name of the number in /proc that the program's column shows, or `name` itself. It is
 * used if the program is not installed, because a lesson may ask for RES of top.
 */
static const char *read_by(const char *name)
{
	static const char *const reads[][2] = {
		{ "top.VIRT", "statm.size" },      { "top.RES", "statm.resident" },
		{ "top.SHR", "statm.shared" },     { "top.SWAP", "status.VmSwap" },
		{ "ps.vsz", "status.VmSize" },     { "ps.rss", "status.VmRSS" },
		{ "pmap-x.Kbytes", "smaps.Size" }, { "pmap-x.RSS", "smaps.Rss" },
	};

	for (size_t i = 0; i < sizeof(reads) / sizeof(*reads); i++)
		if (!strcmp(reads[i][0], name))
			return reads[i][1];
	return name;
}

const json_t *record_grid(const json_t *record, const char *kind, const char *act)
{
	char name[2 * GRID_NAME];

	snprintf(name, sizeof(name), "%s%s%s", kind, act ? "/" : "", act ? act : "");
	return json_object_get(json_object_get(record, "grid"), name);
}

/*
 * Reads a number like "grid.anon/free.VmRSS". A number that the cell does not contain is 0. Returns
 * false if there is no such cell.
 */
static bool grid_number(const json_t *record, const char *name, int64_t *number)
{
	const char *kind = name + strlen("grid."), *dot = strrchr(name, '.');
	char cell[2 * GRID_NAME];
	const json_t *of;

	snprintf(cell, sizeof(cell), "%.*s", (int)(dot - kind), kind);
	of = record_grid(record, cell, NULL);
	*number = json_integer_value(json_object_get(of, dot + 1));
	return of;
}

int64_t record_page_size(const json_t *record)
{
	return json_integer_value(json_object_get(json_object_get(record, "kernel"), "page_size"));
}

bool record_number(const json_t *record, const json_t *step, size_t process, const char *name,
		   int64_t *number)
{
	const json_t *of = json_array_get(json_object_get(step, "processes"), process);
	const json_t *reported = member(json_object_get(step, "reported"), name, "reported");
	const json_t *value = reported;

	if (!strncmp(name, "grid.", 5))
		return grid_number(record, name, number);
	if (!value)
		value = member(json_object_get(step, "tree"), name, "tree");
	if (!value)
		value = member(json_object_get(step, "machine"), name, "meminfo");
	if (!value)
		value = member(json_object_get(step, "sums"), name, "sums");
	if (!value)
		value = column(record, of, name);
	if (!value || json_is_null(value))
		value = column(record, of, read_by(name));
	if (!json_is_integer(value))
		return false;
	*number = json_integer_value(value);
	if (reported)
		*number = *number * record_page_size(record) / 1024;
	return true;
}

const char *record_words(const json_t *record, const json_t *step, size_t process, const char *name,
			 char *buf, size_t size)
{
	const json_t *said = column(
		record, json_array_get(json_object_get(step, "processes"), process), name);
	int64_t number;

	if (record_number(record, step, process, name, &number))
		return number_words(number, buf, size);
	snprintf(buf, size, "%s", json_is_string(said) ? json_string_value(said) : "\xe2\x80\x93");
	return buf;
}

static const char *const rss_of[] = { "RssAnon", "RssFile", "RssShmem" };

/*
 * In each process at each step, the numbers in `sum` must add up to `is`. A missing number is not
 * an error.
 */
static const struct equal {
	const char *sum[3], *is;
} equals[] = {
	{ { "status.RssAnon", "status.RssFile", "status.RssShmem" }, "status.VmRSS" },
	{ { "statm.size" }, "smaps.Size" },
	{ { "top.VIRT" }, "statm.size" },
	{ { "top.RES" }, "statm.resident" },
	{ { "ps.rss" }, "status.VmRSS" },
	{ { "pmap-x.RSS" }, "smaps.Rss" },
};

static bool is_equal(const json_t *record, const json_t *step, size_t process,
		     const struct equal *e)
{
	int64_t sum = 0, one, is;

	for (size_t i = 0; i < 3 && e->sum[i]; i++) {
		if (!record_number(record, step, process, e->sum[i], &one))
			return true;
		sum += one;
	}
	return !record_number(record, step, process, e->is, &is) || sum == is;
}

/* True if the pages of the picture and of the entry for other mappings add up to smaps.Rss. */
static bool is_whole(const json_t *record, const json_t *step, size_t process, int64_t page_kb)
{
	const json_t *maps = json_object_get(
		json_array_get(json_object_get(step, "processes"), process), "maps");
	const json_t *map;
	int64_t present = 0, rss;
	size_t i;

	json_array_foreach(maps, i, map)
	{
		const char *runs = json_string_value(json_object_get(map, "runs"));
		unsigned long pages;

		present += json_integer_value(json_object_get(map, "rss"));
		for (char state; runs && (state = space_run(&runs, &pages));)
			if (state != SPACE_NONE && state != SPACE_SWAP && state != SPACE_ZERO)
				present += (int64_t)pages * page_kb;
	}
	return !maps || !record_number(record, step, process, "smaps.Rss", &rss) || present == rss;
}

static bool is_complete(const json_t *step)
{
	const json_t *tree = json_object_get(step, "tree"), *part;
	int64_t sum = 0;
	const char *name;

	json_object_foreach((json_t *)tree, name, part)
		sum += strcmp(name, "total") ? json_integer_value(part) : 0;
	return sum == json_integer_value(json_object_get(tree, "total"));
}

static int grid_check(const json_t *record, char *why, size_t size)
{
	const json_t *cell;
	const char *name;

	json_object_foreach(json_object_get(record, "grid"), name, cell)
	{
		int64_t sum = 0;

		for (int i = 0; i < 3; i++)
			sum += json_integer_value(json_object_get(cell, rss_of[i]));
		if (sum != json_integer_value(json_object_get(cell, "VmRSS")))
			return snprintf(why, size, "grid, %s: VmRSS is not the sum of its parts",
					name),
			       -1;
	}
	return 0;
}

static int step_check(const json_t *record, const json_t *step, int64_t page_kb, char *why,
		      size_t size)
{
	for (size_t p = 0; p < RECORD_PROCESSES; p++) {
		for (size_t i = 0; i < sizeof(equals) / sizeof(*equals); i++)
			if (!is_equal(record, step, p, &equals[i]))
				return snprintf(why, size,
						"process %zu: %s is not the sum of its "
						"parts",
						p, equals[i].is),
				       -1;
		if (!is_whole(record, step, p, page_kb))
			return snprintf(why, size,
					"process %zu: the pages do not add up to smaps.Rss", p),
			       -1;
	}
	if (!is_complete(step))
		return snprintf(why, size, "the machine's parts do not add up to its total"), -1;
	return 0;
}

int record_check(const json_t *record, char *why, size_t size)
{
	const json_t *of_case, *step;
	const char *schema = json_string_value(json_object_get(record, "schema"));
	int64_t page_kb = record_page_size(record) / 1024;
	char of_step[160];
	size_t i, k;

	if (!schema || strcmp(schema, "rssck-demo/1") || page_kb <= 0)
		return snprintf(why, size, "the file is not a record of rssck demo --format=json"),
		       -1;
	if (grid_check(record, why, size))
		return -1;
	json_array_foreach(json_object_get(record, "cases"), i, of_case)
	{
		json_array_foreach(json_object_get(of_case, "steps"), k, step)
		{
			const char *id = json_string_value(json_object_get(of_case, "id"));

			if (step_check(record, step, page_kb, of_step, sizeof(of_step)))
				return snprintf(why, size, "%s, step %zu: %s", id ? id : "?", k,
						of_step),
				       -1;
		}
	}
	return 0;
}
