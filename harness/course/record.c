// SPDX-License-Identifier: MIT
/* Writes the record of a demo. */
#include "record.h"
#include "base/kernel_file.h"
#include "base/print/json.h"
#include "engine/engine.h"
#include "grid/grids.h"
#include "lesson.h"
#include "plot/plot.h"
#include "runs/document.h"
#include "space.h"
#include "tree.h"
#include <rssck/source.h>
#include <stdlib.h>
#include <string.h>

static const enum metric_id metrics[] = {
	METRIC_STATM_SIZE,          METRIC_STAT_RSS,        METRIC_STATM_RESIDENT,
	METRIC_STATM_SHARED,        METRIC_STATUS_VMRSS,    METRIC_STATUS_RSSANON,
	METRIC_STATUS_RSSFILE,      METRIC_STATUS_RSSSHMEM, METRIC_STATUS_VMHWM,
	METRIC_STATUS_VMSWAP,       METRIC_STATUS_VMPTE,    METRIC_SMAPS_SIZE,
	METRIC_SMAPS_RSS,           METRIC_SMAPS_PSS,       METRIC_SMAPS_PRIVATE_DIRTY,
	METRIC_SMAPS_PRIVATE_CLEAN, METRIC_SMAPS_SWAP,      METRIC_SMAPS_ANONHUGEPAGES,
	METRIC_PAGEMAP_FILE,        METRIC_PAGEMAP_SHMEM,
};
enum { METRICS = sizeof(metrics) / sizeof(*metrics) };

static const struct {
	const char *tool, *column;
} shown[] = {
	{ "top", "VIRT" }, { "top", "RES" }, { "top", "SHR" },        { "top", "SWAP" },
	{ "ps", "vsz" },   { "ps", "rss" },  { "pmap -x", "Kbytes" }, { "pmap -x", "RSS" },
};
enum { SHOWN = sizeof(shown) / sizeof(*shown) };

static const char *const meminfo[] = { "MemFree", "MemAvailable", "Cached",  "AnonPages",
				       "Shmem",   "PageTables",   "SwapFree" };

json_t *record_begin(const struct engine *e)
{
	json_t *record = json_object(), *kernel = json_object(), *columns = json_array();
	struct results r = { 0 };
	char words[200];

	engine_describe(e, &r);
	json_set_words(record, "schema", "rssck-demo/1");
	json_set_words(kernel, "release", r.kernel_release);
	json_set_words(kernel, "machine", r.machine);
	json_set_number(kernel, "page_size", r.page_size);
	json_set_number(kernel, "cpus", r.cpus);
	json_set_words(kernel, "models", plot_models(&r.models, words, sizeof(words)));
	for (size_t i = 0; i < METRICS; i++)
		json_array_append_new(columns, json_string(metric(metrics[i])->name));
	for (size_t i = 0; i < SHOWN; i++)
		json_array_append_new(columns,
				      json_string(sentence_column(shown[i].tool, shown[i].column,
								  words, sizeof(words))));
	json_object_set_new(record, "kernel", kernel);
	json_object_set_new(record, "columns", columns);
	json_object_set_new(record, "cases", json_array());
	results_free(&r);
	return record;
}

json_t *record_add_case(json_t *record, const struct case_registration *c)
{
	json_t *of_case = json_object();
	char id[128];

	json_set_words(of_case, "id", case_id(c, id, sizeof(id)));
	json_object_set_new(of_case, "steps", json_array());
	json_array_append_new(json_object_get(record, "cases"), of_case);
	return of_case;
}

void record_end(json_t *of_case, const char *end, const char *why)
{
	json_set_words(of_case, "end", end);
	if (why && *why)
		json_set_words(of_case, "why", why);
}

/* A metric in kB, or null. The unit is kB because Pss has fractions of a page. */
static json_t *number_of(const struct snapshot *s, enum metric_id id, long page)
{
	int64_t number = metric(id)->unit == UNIT_KB ? snapshot_value(s, id)
						     : snapshot_pages(s, id, page) * page / 1024;

	return number < 0 ? json_null() : json_integer(number);
}

static json_t *number_shown(const struct tool_values *v, const char *column)
{
	const struct tool_value *value = v->nr ? tool_value(v, column) : NULL;
	char *end;
	long long number;

	if (!value)
		return json_null();
	number = strtoll(value->text, &end, 10);
	return *end ? json_words(value->text) : json_integer(number);
}

static json_t *numbers_of(const struct snapshot *s, pid_t pid, long page)
{
	json_t *numbers = json_array();
	const char *last = "";
	struct tool_values v;
	char why[200];

	for (size_t i = 0; i < METRICS; i++)
		json_array_append_new(numbers, number_of(s, metrics[i], page));
	for (size_t i = 0; i < SHOWN; i++) {
		if (strcmp(last, shown[i].tool) &&
		    tool_read(tool_by_name(shown[i].tool), pid, &v, why, sizeof(why)) < 0)
			v.nr = 0;
		last = shown[i].tool;
		json_array_append_new(numbers, number_shown(&v, shown[i].column));
	}
	return numbers;
}

static json_t *machine_now(void)
{
	struct numbered of[sizeof(meminfo) / sizeof(*meminfo)];
	const size_t nr = sizeof(of) / sizeof(*of);
	json_t *machine = json_object();

	for (size_t i = 0; i < nr; i++)
		of[i] = (struct numbered) { .field = meminfo[i] };
	kernel_numbers("/proc/meminfo", of, nr);
	for (size_t i = 0; i < nr; i++)
		if (of[i].found)
			json_set_number(machine, meminfo[i], of[i].value);
	return machine;
}

static json_t *sums_of(const struct moment *m)
{
	json_t *sums = json_object();
	int64_t rss = 0, pss = 0, processes = 0;

	for (unsigned i = 0; i < WORKLOAD_PROCESSES; i++) {
		if (!m->of[i])
			continue;
		rss += snapshot_value(m->of[i], METRIC_SMAPS_RSS);
		pss += snapshot_value(m->of[i], METRIC_SMAPS_PSS);
		processes++;
	}
	json_set_number(sums, "processes", processes);
	json_set_number(sums, "rss", rss);
	json_set_number(sums, "pss", pss);
	return sums;
}

/* Cases also report addresses, which are not recorded because they mean nothing to a reader. */
#define ADDRESSES (1LL << 40)

static json_t *reported_in(const struct trial *t, size_t moment)
{
	json_t *reported = json_object();

	for (size_t i = 0; i < t->nr_reported; i++)
		if (t->reported[i].moment == moment && t->reported[i].value < ADDRESSES)
			json_set_number(reported, t->reported[i].name, t->reported[i].value);
	return reported;
}

static bool shows_machine(const json_t *of_case)
{
	const struct lesson *l = lesson_of_case(json_string_value(json_object_get(of_case, "id")));

	return l && l->view == VIEW_MACHINE;
}

void record_look(json_t *of_case, const struct trial *t, const pid_t *pid)
{
	const struct moment *m = &t->moments[t->nr_moments - 1];
	json_t *step = json_object(), *processes = json_array(), *reported;

	json_set_words(step, "name", m->name);
	if (m->skipped)
		json_set_words(step, "skipped", m->why_skipped);
	for (unsigned i = 0; i < RECORD_PROCESSES; i++) {
		json_t *one = json_object();

		if (pid[i] && m->of[i]) {
			json_object_set_new(one, "numbers",
					    numbers_of(m->of[i], pid[i], t->host->page_size));
			json_object_set_new(one, "maps",
					    space_read(m->of[i], t->moments[0].of[0], pid[i],
						       t->host->page_size));
		}
		json_array_append_new(processes, one);
	}
	json_object_set_new(step, "processes", processes);
	json_object_set_new(step, "sums", sums_of(m));
	json_object_set_new(step, "machine", machine_now());
	if (shows_machine(of_case))
		tree_read(step, t->host);
	reported = reported_in(t, t->nr_moments - 1);
	if (json_object_size(reported))
		json_object_set(step, "reported", reported);
	json_decref(reported);
	json_array_append_new(json_object_get(of_case, "steps"), step);
}

const struct record_word record_kinds[] = {
	{ "anon", "anonymous" },
	{ "anon read", "anonymous, only read" },
	{ "anon locked", "anonymous, locked" },
	{ "shm", "shared (tmpfs)" },
	{ "file", "file, shared" },
	{ "file private", "file, private" },
	{ "file private written", "file, private, written" },
	{ "huge", "a huge page" },
	{ NULL, NULL },
};

const struct record_word record_acts[] = {
	{ "write", "write a byte to each page" },
	{ "mlock", "mlock()" },
	{ "protect", "mprotect(PROT_READ)" },
	{ "move", "mremap() elsewhere" },
	{ "dontneed", "MADV_DONTNEED" },
	{ "free", "MADV_FREE" },
	{ "pageout", "MADV_PAGEOUT" },
	{ "remove", "MADV_REMOVE of the middle" },
	{ "munmap", "munmap() of the middle" },
	{ NULL, NULL },
};

/*
 * True for the numbers of a cell that a lesson shows or checks: numbers of the process, which only
 * its own acts change. Numbers of the machine and of the cgroup may lag, or be changed by other
 * processes.
 */
static bool is_of_lesson(const char *number)
{
	static const char *const names[] = { "VmRSS",      "RssAnon", "RssFile", "RssShmem",
					     "smaps.Swap", "VmLck",   "LazyFree" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(names[i], number))
			return true;
	return false;
}

static json_t *cell_of(const struct grid_cell *c)
{
	json_t *cell = json_object();
	size_t nr;
	const struct grid_number *numbers = grid_numbers(&nr);

	for (size_t i = 0; i < nr; i++)
		if (is_of_lesson(numbers[i].name) && grid_value(&numbers[i], c))
			json_set_number(cell, numbers[i].name, grid_value(&numbers[i], c));
	if (c->of[GRID_ERRNO])
		json_set_number(cell, "refused", c->of[GRID_ERRNO]);
	return cell;
}

void record_add_grid(json_t *record, const struct grid *g)
{
	json_t *grid = json_object();

	for (const struct record_word *k = record_kinds; k->name; k++)
		for (const struct record_word *a = record_acts; a->name; a++) {
			struct grid_effect e = grid_effect(g, k->name, a->name);
			char name[2 * GRID_NAME];

			if (!e.after)
				continue;
			json_object_set_new(grid, k->name, cell_of(e.before));
			snprintf(name, sizeof(name), "%s/%s", k->name, a->name);
			json_object_set_new(grid, name, cell_of(e.after));
		}
	json_object_set_new(record, "grid", grid);
}
