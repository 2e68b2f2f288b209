// SPDX-License-Identifier: MIT
/* Writes the parts of a Markdown table whose columns are kernels. */
#include "base/print/words.h"
#include "compare/compare.h"
#include "private.h"
#include "runs/notes.h"
#include <stdlib.h>
#include <string.h>

void matrix_column(const struct matrix *m, size_t i)
{
	char name[128];

	matrix_cell(kernel_name(&m->kernels, i, name, sizeof(name)), m->out);
}

void matrix_header(const struct matrix *m, const char *first, const char *last)
{
	fprintf(m->out, "| %s |", first);
	for (size_t i = 0; i < m->kernels.nr; i++) {
		putc(' ', m->out);
		matrix_column(m, i);
		fputs(" |", m->out);
	}
	if (last)
		fprintf(m->out, " %s |", last);
	fputs("\n|", m->out);
	for (size_t i = 0; i < m->kernels.nr + 1 + (last ? 1 : 0); i++)
		fputs(" --- |", m->out);
	putc('\n', m->out);
}

/*
 * True if some kernel's cell differs from the cell to its left, and the number of CPUs does not
 * explain it.
 */
bool matrix_row_changes(const struct matrix *m, cell_fn *cell, const void *row)
{
	char buf[CELL_SIZE], left_value[CELL_SIZE];
	const struct results *left = NULL;
	bool any = false;

	for (size_t i = 0; i < m->kernels.nr; i++) {
		const char *value = cell(&m->kernels.of[i], row, buf, sizeof(buf));

		m->marks[i] = false;
		if (!value)
			continue;
		if (left &&
		    !same_but_for_cpus(left_value, left->cpus, value, m->kernels.of[i].cpus))
			any = m->marks[i] = true;
		left = &m->kernels.of[i];
		snprintf(left_value, sizeof(left_value), "%s", value);
	}
	return any;
}

void matrix_row(const struct matrix *m, cell_fn *cell, const void *row)
{
	for (size_t i = 0; i < m->kernels.nr; i++) {
		char buf[CELL_SIZE];
		const char *value = cell(&m->kernels.of[i], row, buf, sizeof(buf));

		fputs(m->marks[i] ? " **" : " ", m->out);
		matrix_cell(value ? value : "–", m->out);
		fputs(m->marks[i] ? "** |" : " |", m->out);
	}
}

void matrix_why(struct matrix *m, const char *name)
{
	const char *note = note_of(name);
	size_t i;

	for (i = 0; i < m->nr_notes && strcmp(m->notes[i], note); i++)
		;
	if (!*note || i == NOTES_MAX) {
		fputs("  |", m->out);
		return;
	}
	if (i == m->nr_notes)
		m->notes[m->nr_notes++] = note;
	fprintf(m->out, " [%zu](#why-%zu) |", i + 1, i + 1);
}

void matrix_notes(const struct matrix *m)
{
	if (m->nr_notes)
		fputs("\n## Why\n\n", m->out);
	for (size_t i = 0; i < m->nr_notes; i++) {
		fprintf(m->out, "%zu. <a id=\"why-%zu\"></a>", i + 1, i + 1);
		matrix_cell(m->notes[i], m->out);
		putc('\n', m->out);
	}
}

int matrix_make(struct matrix *m, struct results *runs, size_t nr, FILE *out)
{
	*m = (struct matrix) { .kernels = { runs, nr }, .out = out };
	kernels_sort(runs, nr);
	m->marks = calloc(nr + 1, sizeof(*m->marks));
	if (m->marks && !fact_rows_gather(&m->facts, &m->kernels))
		return 0;
	free(m->marks);
	return -1;
}

int matrix_end(struct matrix *m)
{
	free(m->marks);
	free(m->facts.of);
	return stream_end(m->out);
}
