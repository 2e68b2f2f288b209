// SPDX-License-Identifier: MIT
/* Looks up values in a trial. */
#include <rssck/case.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Keeps only the first error of a case. */
static void wrong(const struct trial *t, const char *format, ...)
{
	va_list args;

	if (!t->wrong || t->wrong[0])
		return;
	va_start(args, format);
	vsnprintf(t->wrong, CASE_ERROR_SIZE, format, args);
	va_end(args);
}

const struct moment *trial_moment(const struct trial *t, unsigned step)
{
	for (size_t i = 0; i < t->nr_moments; i++)
		if (t->moments[i].symbol == step)
			return &t->moments[i];
	wrong(t, "its judge() reads step %u, but no step has that symbol", step);
	return NULL;
}

const struct snapshot *trial_snapshot(const struct trial *t, unsigned step, unsigned process)
{
	const struct moment *m = trial_moment(t, step);

	return m && !m->skipped ? m->of[process] : NULL;
}

struct postings moment_postings(const struct moment *m)
{
	return (struct postings) { m->expected, m->nr_expected };
}

static const struct reported_number *reported(const struct trial *t, const struct moment *m,
					      const char *name)
{
	for (size_t i = 0; m && i < t->nr_reported; i++)
		if (!strcmp(t->reported[i].name, name) && &t->moments[t->reported[i].moment] == m)
			return &t->reported[i];
	return NULL;
}

int64_t trial_reported(const struct trial *t, unsigned step, const char *name)
{
	const struct moment *m = trial_moment(t, step);
	const struct reported_number *r = reported(t, m, name);

	if (m && !m->skipped && !r)
		wrong(t, "its step '%s' has not reported '%s', which judge() reads", m->name, name);
	return r ? r->value : -1;
}

int64_t trial_reported_or(const struct trial *t, unsigned step, const char *name, int64_t otherwise)
{
	const struct reported_number *r = reported(t, trial_moment(t, step), name);

	return r ? r->value : otherwise;
}

int64_t trial_reported_of(const struct trial *t, unsigned step, const char *when, const char *name)
{
	char whole[80];

	snprintf(whole, sizeof(whole), "%s: %s", when, name);
	return trial_reported(t, step, whole);
}

const char *trial_shown(const struct trial *t, unsigned step, const char *tool, const char *column)
{
	const struct moment *m = trial_moment(t, step);
	const char *const *known = t->c->tools;

	while (known && *known && strcmp(*known, tool))
		known++;
	if (!known || !*known || !column_by_name(tool, column))
		wrong(t, "its judge() reads %s of %s, which the case does not run", column, tool);
	for (size_t i = 0; m && i < m->nr_readings; i++) {
		const struct tool_value *v = tool_value(&m->readings[i].values, column);

		if (v && !strcmp(v->column->tool, tool))
			return v->text;
	}
	return "";
}

int64_t trial_value(const struct trial *t, unsigned step, unsigned process, enum metric_id id)
{
	return snapshot_value(trial_snapshot(t, step, process), id);
}

int64_t trial_pages(const struct trial *t, unsigned step, unsigned process, enum metric_id id)
{
	return snapshot_pages(trial_snapshot(t, step, process), id, t->host->page_size);
}

int64_t trial_moved(const struct trial *t, unsigned from, unsigned to, unsigned process,
		    enum metric_id id)
{
	return trial_pages(t, to, process, id) - trial_pages(t, from, process, id);
}

const struct mapping *trial_mapping(const struct trial *t, unsigned step, unsigned process,
				    unsigned reported_in, const char *name)
{
	return snapshot_mapping(trial_snapshot(t, step, process),
				(uint64_t)trial_reported(t, reported_in, name));
}

int64_t trial_mapping_pages(const struct trial *t, unsigned step, unsigned process,
			    unsigned reported_in, const char *name, enum metric_id id)
{
	const struct mapping *m = trial_mapping(t, step, process, reported_in, name);

	return m ? mapping_smaps(m, id) * 1024 / t->host->page_size : -1;
}

int64_t trial_soft_dirty(const struct trial *t, unsigned step, unsigned reported_in,
			 const char *name)
{
	const struct mapping *m = trial_mapping(t, step, 0, reported_in, name);

	return m ? m->pagemap.soft_dirty : -1;
}

void trial_free(struct trial *t)
{
	for (size_t i = 0; i < t->nr_moments; i++) {
		for (unsigned p = 0; p < WORKLOAD_PROCESSES; p++) {
			if (!t->moments[i].of[p])
				continue;
			snapshot_free(t->moments[i].of[p]);
			free(t->moments[i].of[p]);
		}
		free(t->moments[i].readings);
	}
	free(t->moments);
	free(t->reported);
	*t = (struct trial) { 0 };
}

enum { KB = 1024, ENTRY_BYTES = 8 };

int64_t trial_table_bytes(const struct trial *t)
{
	int64_t bytes = t->host->huge_page_size / t->host->page_size * ENTRY_BYTES;

	return bytes < t->host->page_size ? bytes : t->host->page_size;
}

int64_t trial_tables(const struct trial *t, unsigned step, unsigned process)
{
	return trial_value(t, step, process, METRIC_STATUS_VMPTE) * KB / trial_table_bytes(t);
}

int64_t trial_tables_bound(const struct trial *t)
{
	return trial_table_bytes(t) < KB ? KB / trial_table_bytes(t) : 0;
}
