// SPDX-License-Identifier: MIT
/* Writes the rows of facts. Facts that differ come first, with the reasons. */
#include "runs/facts.h"
#include "private.h"

static void fact_cell_name(const struct matrix *m, const struct fact_row *f)
{
	char buf[CELL_SIZE];

	fputs("| [", m->out);
	matrix_cell(fact_sentence(f->name, buf, sizeof(buf)), m->out);
	fprintf(m->out, "](../cases/%s.c) |", f->id);
}

static void differing(struct matrix *m)
{
	matrix_header(m, "fact", "why");
	for (size_t i = 0; i < m->facts.nr; i++) {
		if (!matrix_row_changes(m, fact_cell, &m->facts.of[i]))
			continue;
		fact_cell_name(m, &m->facts.of[i]);
		matrix_row(m, fact_cell, &m->facts.of[i]);
		matrix_why(m, m->facts.of[i].name);
		putc('\n', m->out);
	}
}

void matrix_facts(struct matrix *m)
{
	size_t nr = facts_that_differ(&m->kernels, &m->facts);
	struct sheet s = matrix_sheet(m);

	fprintf(m->out, "\n## Facts that differ: %zu\n\n", nr);
	if (nr)
		differing(m);
	fprintf(m->out, "\n## Facts that are the same on all: %zu\n\n", m->facts.nr - nr);
	sheet_same_facts(&s);
}
