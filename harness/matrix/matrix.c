// SPDX-License-Identifier: MIT
/*
 * The page of all kernels: each row is a fact and each column is a kernel. A cell is bold if it
 * differs from the cell to its left.
 */
#include "private.h"
#include "runs/notes.h"
#include <string.h>

static bool same_cells(const struct matrix *m, cell_fn *cell, const void *a, const void *b)
{
	char x[CELL_SIZE], y[CELL_SIZE];

	for (size_t i = 0; i < m->kernels.nr; i++) {
		const char *one = cell(&m->kernels.of[i], a, x, sizeof(x));
		const char *other = cell(&m->kernels.of[i], b, y, sizeof(y));

		if (!one != !other || (one && strcmp(one, other)))
			return false;
	}
	return true;
}

/*
 * Prints the names of all counters that have the same values for the same reason, because they
 * share a row. Returns false if the row was printed already.
 */
static bool put_names(const struct matrix *m, cell_fn *cell, const enum metric_id *id)
{
	for (const enum metric_id *other = modelled; *other != METRIC_NONE; other++) {
		if (!same_cells(m, cell, id, other) ||
		    strcmp(note_of(metric(*id)->name), note_of(metric(*other)->name)))
			continue;
		if (other < id)
			return false;
		fprintf(m->out, "%s`%s`", other == id ? "| " : ", ", metric(*other)->name);
	}
	fputs(" |", m->out);
	return true;
}

static void models(struct matrix *m)
{
	fputs("## Counter models\n\nThe measured model of each counter and its batch (faults for "
	      "each thread, or pages for each CPU).\n\n",
	      m->out);
	matrix_header(m, "counter", "why");
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++) {
		bool changes = matrix_row_changes(m, model_cell, id);

		if (!put_names(m, model_cell, id))
			continue;
		matrix_row(m, model_cell, id);
		matrix_why(m, changes ? metric(*id)->name : "");
		putc('\n', m->out);
	}
}

/* Nothing is bold in this table, because the lag differs in each run. */
static void lags(const struct matrix *m)
{
	memset(m->marks, 0, m->kernels.nr * sizeof(*m->marks));
	fputs("\n## Error of each counter\n\nHow many kB each counter lacks after each of 100 threads has written 1 MiB from malloc(3). "
	      "The page tables\nare exact.\n\n",
	      m->out);
	matrix_header(m, "counter", NULL);
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++) {
		if (!put_names(m, lag_cell, id))
			continue;
		matrix_row(m, lag_cell, id);
		putc('\n', m->out);
	}
}

static void not_run(const struct matrix *m)
{
	struct sheet s = matrix_sheet(m);

	fputs("\n## Cases that ran nowhere\n\n", m->out);
	if (!sheet_not_run(&s))
		fputs("None. Each case ran on at least one of these kernels.\n", m->out);
}

int report_matrix(struct results *runs, size_t nr, FILE *out)
{
	struct matrix m;
	struct sheet s;
	int failed;

	if (matrix_make(&m, runs, nr, out))
		return -1;
	s = matrix_sheet(&m);
	fputs("<!-- Made by `rssck report` from the JSON files in this folder; do not edit it. -->\n# "
	      "What the memory metrics do, kernel by kernel\n\nEach column is a recorded run of "
	      "`rssck check`. A value in **bold** differs from the kernel to its left.\nA dash means "
	      "that the case could not run. A fact's name is a link to the case that measures "
	      "it.\n\n",
	      out);
	models(&m);
	lags(&m);
	matrix_facts(&m);
	matrix_notes(&m);
	matrix_documents(&m);
	fputs("\n## The runs\n\n", out);
	sheet_runs(&s);
	failed = matrix_not_passed(&m);
	not_run(&m);
	return matrix_end(&m) || failed ? -1 : 0;
}
