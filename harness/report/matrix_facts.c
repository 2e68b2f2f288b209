// SPDX-License-Identifier: MIT
/* The rows of facts: those that differ first, with their reasons. */
#include "matrix_private.h"
#include <stdlib.h>
#include <string.h>

struct fact_row {
	const char *id, *name; /* of the case, of the fact; in some run */
};

struct fact_rows {
	struct fact_row *of;
	size_t nr;
};

static const char *fact_cell(const struct results *r, const void *row, char *buf, size_t size)
{
	const struct fact_row *f = row;

	for (size_t i = 0; i < r->nr; i++) {
		if (strcmp(r->of[i].id, f->id))
			continue;
		for (size_t k = 0; k < r->of[i].nr_facts; k++) {
			if (strcmp(r->of[i].facts[k].name, f->name))
				continue;
			snprintf(buf, size, "%s", r->of[i].facts[k].value);
			return buf;
		}
	}
	return NULL;
}

/* counters/calibrate's facts are the table of models. */
static bool is_model(const char *name)
{
	const char *dot = strrchr(name, '.');

	for (const enum metric_id *id = modelled; dot && *id != METRIC_NONE; id++)
		if (!strncmp(metric(*id)->name, name, (size_t)(dot - name)) &&
		    !metric(*id)->name[dot - name] &&
		    (!strcmp(dot, ".model") || !strcmp(dot, ".batch")))
			return true;
	return false;
}

static int add_row(struct fact_rows *rows, const char *id, const char *name)
{
	struct fact_row *more;

	if (is_model(name))
		return 0;
	for (size_t i = 0; i < rows->nr; i++)
		if (!strcmp(rows->of[i].id, id) && !strcmp(rows->of[i].name, name))
			return 0;
	more = reallocarray(rows->of, rows->nr + 1, sizeof(*more));
	if (!more)
		return -1;
	more[rows->nr++] = (struct fact_row) { id, name };
	rows->of = more;
	return 0;
}

static int by_case(const void *a, const void *b)
{
	const struct fact_row *x = a, *y = b;
	int cases = strcmp(x->id, y->id);

	return cases ? cases : strcmp(x->name, y->name);
}

static int gather_rows(const struct matrix *m, struct fact_rows *rows)
{
	for (size_t i = 0; i < m->nr; i++)
		for (size_t k = 0; k < m->runs[i].nr; k++) {
			const struct result *r = &m->runs[i].of[k];

			for (size_t f = 0; f < r->nr_facts; f++)
				if (add_row(rows, r->id, r->facts[f].name))
					return -1;
		}
	if (rows->nr)
		qsort(rows->of, rows->nr, sizeof(*rows->of), by_case);
	return 0;
}

static void fact_table(struct matrix *m, const struct fact_rows *rows, bool changing)
{
	matrix_header(m, "fact", changing ? "why" : NULL);
	for (size_t i = 0; i < rows->nr; i++) {
		const struct fact_row *f = &rows->of[i];

		if (matrix_row_changes(m, fact_cell, f) != changing)
			continue;
		fputs("| [", m->out);
		matrix_cell(f->name, m->out);
		fprintf(m->out, "](../cases/%s.c) |", f->id);
		matrix_row(m, fact_cell, f);
		if (changing)
			matrix_why(m, f->name);
		putc('\n', m->out);
	}
}

int matrix_facts(struct matrix *m)
{
	struct fact_rows rows = { NULL, 0 };
	size_t nr_changing = 0;

	if (gather_rows(m, &rows)) {
		free(rows.of);
		return -1;
	}
	for (size_t i = 0; i < rows.nr; i++)
		nr_changing += matrix_row_changes(m, fact_cell, &rows.of[i]);
	fprintf(m->out, "\n## Facts that differ: %zu\n\n", nr_changing);
	if (nr_changing)
		fact_table(m, &rows, true);
	fprintf(m->out, "\n## Facts that are the same on all: %zu\n\n", rows.nr - nr_changing);
	if (rows.nr > nr_changing)
		fact_table(m, &rows, false);
	free(rows.of);
	return 0;
}
