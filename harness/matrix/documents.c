// SPDX-License-Identifier: MIT
/* The table of documents: each sentence, and the kernels on which it holds. */
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

static void false_now(const struct matrix *m, const struct results *newest)
{
	size_t nr;
	const struct sentence *all = sentences_all(&nr);

	fputs("\nFalse on ", m->out);
	matrix_column(m, m->kernels.nr - 1);
	fputs(":\n\n", m->out);
	for (size_t i = 0; i < nr; i++) {
		if (sentence_judge(&all[i], newest) != SENTENCE_FALSE)
			continue;
		fputs("- ", m->out);
		matrix_cell(all[i].document, m->out);
		fputs(": ", m->out);
		matrix_cell(all[i].says, m->out);
		fputs(all[i].truth ? ". Instead: " : "", m->out);
		matrix_cell(all[i].truth ? all[i].truth : "", m->out);
		putc('\n', m->out);
	}
}

void matrix_documents(const struct matrix *m, const struct fact_rows *facts)
{
	const struct results *newest = m->kernels.nr ? &m->kernels.of[m->kernels.nr - 1] : NULL;
	size_t nr;
	const struct sentence *all = sentences_all(&nr);

	if (!newest)
		return;
	fprintf(m->out,
		"\n## What documents say\n\n%zu sentences, in our own words; on the newest kernel "
		"%zu hold and %zu are false.\n",
		nr, sentences_on(newest, SENTENCE_HOLDS), sentences_on(newest, SENTENCE_FALSE));
	if (sentences_on(newest, SENTENCE_UNKNOWN))
		fprintf(m->out,
			"About the other %zu this run says nothing, because a case did not run.\n",
			sentences_on(newest, SENTENCE_UNKNOWN));
	if (sentences_on(newest, SENTENCE_FALSE))
		false_now(m, newest);
	fputs("\n| document | says | holds on | false on | case | what is so instead |\n"
	      "| --- | --- | --- | --- | --- | --- |\n",
	      m->out);
	for (size_t i = 0; i < nr; i++)
		sentence(m, &all[i], facts);
}
