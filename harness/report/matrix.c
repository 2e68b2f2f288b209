// SPDX-License-Identifier: MIT
/*
 * The page of all kernels: a row a fact, a column a kernel, in bold what
 * differs from the kernel to its left.
 */
#include "matrix_private.h"
#include "threads.h"
#include "words.h"
#include <stdlib.h>
#include <string.h>

static const char *model_cell(const struct results *r, const void *row, char *buf, size_t size)
{
	const struct counter_model *m = &r->models.of[*(const enum metric_id *)row];

	if (m->kind == MODEL_ABSENT)
		return NULL;
	if (m->kind == MODEL_EXACT)
		return "exact";
	snprintf(buf, size, "%s, %u", model_kind_name(m->kind), m->batch);
	return buf;
}

static void models(struct matrix *m)
{
	fputs("## How the counters count\n\n"
	      "Measured, not looked up: the model and its batch (faults a thread, or pages a "
	      "CPU).\n\n",
	      m->out);
	matrix_header(m, "counter", "why");
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++) {
		bool changes = matrix_row_changes(m, model_cell, id);

		fprintf(m->out, "| `%s` |", metric(*id)->name);
		matrix_row(m, model_cell, id);
		matrix_why(m, changes ? metric(*id)->name : "");
		putc('\n', m->out);
	}
}

static const char *lag_cell(const struct results *r, const void *row, char *buf, size_t size)
{
	const char *name = metric(*(const enum metric_id *)row)->name;
	const struct discrepancy *d = threads_seen(r, name);

	if (!d)
		return NULL;
	return difference_words((d->counter - d->precise) * (d->kb ? 1 : r->page_size / 1024), buf,
				size);
}

/* Lag is never twice the same: nothing is marked here. */
static void lags(const struct matrix *m)
{
	memset(m->marks, 0, m->nr * sizeof(*m->marks));
	fputs("\n## How far they are off\n\n"
	      "In kB, while 100 threads stand still that have touched 1 MiB of malloc each. The "
	      "page tables\n"
	      "are right.\n\n",
	      m->out);
	matrix_header(m, "counter", NULL);
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++) {
		fprintf(m->out, "| `%s` |", metric(*id)->name);
		matrix_row(m, lag_cell, id);
		putc('\n', m->out);
	}
}

static int by_release(const void *a, const void *b)
{
	const struct results *x = a, *y = b;
	int releases = release_compare(x->kernel_release, y->kernel_release);

	return releases ? releases : (int)x->cpus - (int)y->cpus;
}

int report_matrix(struct results *runs, size_t nr, FILE *out)
{
	struct matrix m = { .runs = runs, .nr = nr, .out = out };

	m.marks = calloc(nr + 1, sizeof(*m.marks));
	if (!m.marks)
		return -1;
	qsort(runs, nr, sizeof(*runs), by_release);
	fputs("<!-- Made by `rssck report` from the JSON files beside it; not to be edited. -->\n"
	      "# What the memory metrics do, kernel by kernel\n\n"
	      "Each column is a real run of `rssck check`. **Bold** is what differs from the "
	      "kernel to its left;\n"
	      "a dash is a case that could not run there. A fact's name leads to the case that "
	      "measures it.\n\n",
	      out);
	models(&m);
	lags(&m);
	int failed = matrix_facts(&m);

	matrix_notes(&m);
	matrix_runs(&m);
	matrix_not_passed(&m);
	free(m.marks);
	return failed ? -1 : stream_end(out);
}
