// SPDX-License-Identifier: MIT
/* The rows of facts: those that differ first, with their reasons. */
#include "runs/facts.h"
#include "private.h"

/* The sentence, which leads to the case that measures it. */
static void fact_cell_name(const struct matrix *m, const struct fact_row *f)
{
	char buf[CELL_SIZE];

	fputs("| [", m->out);
	matrix_cell(fact_sentence(f->name, buf, sizeof(buf)), m->out);
	fprintf(m->out, "](../cases/%s.c) |", f->id);
}

static void differing(struct matrix *m, const struct fact_rows *rows)
{
	matrix_header(m, "fact", "why");
	for (size_t i = 0; i < rows->nr; i++) {
		if (!matrix_row_changes(m, fact_cell, &rows->of[i]))
			continue;
		fact_cell_name(m, &rows->of[i]);
		matrix_row(m, fact_cell, &rows->of[i]);
		matrix_why(m, rows->of[i].name);
		putc('\n', m->out);
	}
}

/* The value of the first kernel that has one. */
static const char *common_value(const struct matrix *m, const struct fact_row *f, char *buf,
				size_t size)
{
	const char *said = NULL;

	for (size_t i = 0; i < m->kernels.nr && !said; i++)
		said = fact_cell(&m->kernels.of[i], f, buf, size);
	return said ? said : "–";
}

static void common(const struct matrix *m, const struct fact_rows *rows)
{
	char buf[CELL_SIZE];

	fputs("| fact | on all that ran its case |\n| --- | --- |\n", m->out);
	for (size_t i = 0; i < rows->nr; i++) {
		if (matrix_row_changes(m, fact_cell, &rows->of[i]))
			continue;
		fact_cell_name(m, &rows->of[i]);
		putc(' ', m->out);
		matrix_cell(common_value(m, &rows->of[i], buf, sizeof(buf)), m->out);
		fputs(" |\n", m->out);
	}
}

void matrix_facts(struct matrix *m, const struct fact_rows *facts)
{
	size_t nr_changing = 0;

	for (size_t i = 0; i < facts->nr; i++)
		nr_changing += matrix_row_changes(m, fact_cell, &facts->of[i]);
	fprintf(m->out, "\n## Facts that differ: %zu\n\n", nr_changing);
	if (nr_changing)
		differing(m, facts);
	fprintf(m->out, "\n## Facts that are the same on all: %zu\n\n", facts->nr - nr_changing);
	if (facts->nr > nr_changing)
		common(m, facts);
}
