// SPDX-License-Identifier: MIT
/* The table of documents: each sentence, and the kernels on which it holds. */
#include "matrix.h"
#include "private.h"
#include "runs/sentences.h"

static void summary(const struct matrix *m)
{
	const struct results *newest = &m->kernels.of[m->kernels.nr - 1];
	size_t nr, unknown = sentences_on(newest, SENTENCE_UNKNOWN);

	sentences_all(&nr);
	fprintf(m->out, "%zu sentences, in our own words; on ", nr);
	matrix_column(m, m->kernels.nr - 1);
	fprintf(m->out, ", the newest kernel, %zu hold and %zu are false.\n",
		sentences_on(newest, SENTENCE_HOLDS), sentences_on(newest, SENTENCE_FALSE));
	if (unknown)
		fprintf(m->out,
			"This run cannot decide the other %zu, because a case did not run.\n",
			unknown);
}

void matrix_documents(const struct matrix *m)
{
	struct sheet s = matrix_sheet(m);

	if (!m->kernels.nr)
		return;
	fputs("\n## What documents say\n\n", m->out);
	summary(m);
	fputs("[DOCUMENTS.md](DOCUMENTS.md) has all sentences; these are false on the newest "
	      "kernel:\n\n",
	      m->out);
	sheet_documents(&s, true);
}

int report_documents(struct results *runs, size_t nr, FILE *out)
{
	struct matrix m;
	struct sheet s;

	if (matrix_make(&m, runs, nr, out))
		return -1;
	s = matrix_sheet(&m);
	fputs("<!-- Made by `rssck report` from harness/runs/documents.def and the JSON files "
	      "in this folder; do not edit it. -->\n"
	      "# What documents say about the memory metrics\n\n",
	      out);
	if (nr) {
		summary(&m);
		putc('\n', out);
		sheet_documents(&s, false);
	}
	return matrix_end(&m);
}
