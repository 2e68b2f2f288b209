// SPDX-License-Identifier: MIT
/* The table of documents: each sentence, and the kernels on which it holds. */
#include "base/print/words.h"
#include "matrix.h"
#include "private.h"
#include "runs/sentences.h"
#include <stdlib.h>
#include <string.h>

static void kernels_cell(const struct matrix *m, const struct sentence *s,
			 enum sentence_holds which)
{
	char words[640];

	if (sentence_kernels(&m->kernels, s, which, m->marks))
		matrix_cell(kernels_words(&m->kernels, m->marks, words, sizeof(words)), m->out);
	else
		fputs("–", m->out);
	fputs(" | ", m->out);
}

static void cases_cell(const struct matrix *m, const struct sentence *s,
		       const struct fact_rows *facts)
{
	const char *separator = "";
	char id[80];

	for (size_t n = 0; sentence_case(s, n, facts, id, sizeof(id)); n++) {
		if (!*id || sentence_repeats_case(s, n, facts))
			continue;
		fprintf(m->out, "%s[", separator);
		matrix_cell(id, m->out);
		fprintf(m->out, "](../cases/%s.c)", id);
		separator = ", ";
	}
}

static void sentence(const struct matrix *m, const struct sentence *s,
		     const struct fact_rows *facts)
{
	fputs("| ", m->out);
	matrix_cell(s->document, m->out);
	fputs(" | ", m->out);
	matrix_cell(s->says, m->out);
	fputs(" | ", m->out);
	kernels_cell(m, s, SENTENCE_HOLDS);
	kernels_cell(m, s, SENTENCE_FALSE);
	cases_cell(m, s, facts);
	fputs(" | ", m->out);
	matrix_cell(s->truth ? s->truth : "", m->out);
	fputs(" |\n", m->out);
}

static void table(const struct matrix *m, const struct fact_rows *facts, bool wrong_alone)
{
	const struct results *newest = &m->kernels.of[m->kernels.nr - 1];
	size_t nr;
	const struct sentence *all = sentences_all(&nr);

	fputs("\n| document | says | holds on | false on | case | what is true instead |\n"
	      "| --- | --- | --- | --- | --- | --- |\n",
	      m->out);
	for (size_t i = 0; i < nr; i++)
		if (!wrong_alone || sentence_judge(&all[i], newest) == SENTENCE_FALSE)
			sentence(m, &all[i], facts);
}

/* How many sentences there are, and how many of them hold. */
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
			"The other %zu cannot be decided by this run, because a case did not run.\n",
			unknown);
}

void matrix_documents(const struct matrix *m, const struct fact_rows *facts)
{
	if (!m->kernels.nr)
		return;
	fputs("\n## What documents say\n\n", m->out);
	summary(m);
	fputs("[DOCUMENTS.md](DOCUMENTS.md) has all of them; false on the newest kernel:\n",
	      m->out);
	table(m, facts, true);
}

int report_documents(struct results *runs, size_t nr, FILE *out)
{
	struct matrix m = { .kernels = { runs, nr }, .out = out };
	struct fact_rows facts = { NULL, 0 };
	int failed;

	kernels_sort(runs, nr);
	m.marks = calloc(nr + 1, sizeof(*m.marks));
	failed = !m.marks || fact_rows_gather(&facts, &m.kernels);
	if (!failed) {
		fputs("<!-- Made by `rssck report` from harness/runs/documents.def and the JSON files "
		      "beside it; not to be edited. -->\n"
		      "# What documents say of the memory metrics\n\n",
		      out);
		if (nr) {
			summary(&m);
			table(&m, &facts, false);
		}
	}
	free(m.marks);
	free(facts.of);
	return failed ? -1 : stream_end(out);
}
