// SPDX-License-Identifier: MIT
/* The rows of facts: those that differ first, with their reasons. */
#include "private.h"

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

void matrix_facts(struct matrix *m, const struct fact_rows *facts)
{
	size_t nr_changing = 0;

	for (size_t i = 0; i < facts->nr; i++)
		nr_changing += matrix_row_changes(m, fact_cell, &facts->of[i]);
	fprintf(m->out, "\n## Facts that differ: %zu\n\n", nr_changing);
	if (nr_changing)
		fact_table(m, facts, true);
	fprintf(m->out, "\n## Facts that are the same on all: %zu\n\n", facts->nr - nr_changing);
	if (facts->nr > nr_changing)
		fact_table(m, facts, false);
}
