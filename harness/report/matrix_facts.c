// SPDX-License-Identifier: MIT
/* The rows of facts: those that differ first, with their reasons. */
#include "matrix_private.h"
#include <stdlib.h>

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
	struct fact_rows rows;
	size_t nr_changing = 0;

	if (fact_rows_gather(&rows, &m->kernels)) {
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
