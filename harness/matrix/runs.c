// SPDX-License-Identifier: MIT
/* Lists the runs from which the page is made, and the cases that did not pass in them. */
#include "private.h"
#include "runs/notes.h"
#include <rssck/case.h>
#include <stdlib.h>
#include <string.h>

/* The same ending of a case on a set of kernels. */
struct ending {
	const char *id, *reason;
	enum verdict verdict;
	size_t first;  /* index of the first kernel of the set */
	bool reported; /* already listed, in the line of its reason */
};

/* The reason without the name of its step, because the step differs from case to case. */
static const char *bare_reason(const struct result *r)
{
	const struct testcase *c = testcase_by_id(r->id);

	for (const struct step *s = c ? c->steps : NULL; s && s->name; s++) {
		size_t len = strlen(s->name);

		if (!strncmp(r->reason, s->name, len) && !strncmp(r->reason + len, ": ", 2))
			return r->reason + len + 2;
	}
	return r->reason;
}

static bool ended_so(const struct results *run, const struct ending *e)
{
	const struct result *r = result_of(run, e->id);

	return r && r->verdict == e->verdict && !strcmp(bare_reason(r), e->reason);
}

/* Collects every ending except a pass. Kernels with the same ending share an entry. */
static size_t gather(const struct matrix *m, struct ending *of)
{
	size_t nr = 0;

	for (size_t i = 0; i < m->kernels.nr; i++)
		for (size_t k = 0; k < m->kernels.of[i].nr; k++) {
			const struct result *r = &m->kernels.of[i].of[k];
			struct ending e = { r->id, bare_reason(r), r->verdict, i, false };
			bool before = r->verdict == VERDICT_PASS;

			for (size_t n = 0; n < i && !before; n++)
				before = ended_so(&m->kernels.of[n], &e);
			if (!before)
				of[nr++] = e;
		}
	return nr;
}

static bool same_kernels(const struct matrix *m, const struct ending *a, const struct ending *b)
{
	for (size_t i = 0; i < m->kernels.nr; i++)
		if (ended_so(&m->kernels.of[i], a) != ended_so(&m->kernels.of[i], b))
			return false;
	return true;
}

static bool same_reason(const struct ending *a, const struct ending *b)
{
	return a->verdict == b->verdict && !strcmp(a->reason, b->reason);
}

static void put_kernels(const struct matrix *m, const struct ending *e)
{
	char words[640];

	for (size_t i = 0; i < m->kernels.nr; i++)
		m->marks[i] = ended_so(&m->kernels.of[i], e);
	fputs(" (", m->out);
	matrix_cell(kernels_words(&m->kernels, m->marks, words, sizeof(words)), m->out);
	fputs(")", m->out);
}

/* Lists the cases that have the same reason on the same kernels. */
static void put_cases(const struct matrix *m, struct ending *of, size_t at, size_t nr)
{
	const char *separator = " ";

	for (size_t i = at; i < nr; i++) {
		if (of[i].reported || !same_reason(&of[at], &of[i]) ||
		    !same_kernels(m, &of[at], &of[i]))
			continue;
		fprintf(m->out, "%s[", separator);
		matrix_cell(of[i].id, m->out);
		fprintf(m->out, "](../cases/%s.c)", of[i].id);
		of[i].reported = true;
		separator = ", ";
	}
	put_kernels(m, &of[at]);
}

static void put_reason(const struct matrix *m, struct ending *of, size_t at, size_t nr)
{
	const char *separator = ":";

	fprintf(m->out, "- %s: ", verdict_name(of[at].verdict));
	matrix_cell(of[at].reason, m->out);
	for (size_t i = at; i < nr; i++) {
		if (of[i].reported || !same_reason(&of[at], &of[i]))
			continue;
		fputs(separator, m->out);
		put_cases(m, of, i, nr);
		separator = ";";
	}
	if (note_of(of[at].id)[0]) {
		fputs(". ", m->out);
		matrix_cell(note_of(of[at].id), m->out);
	}
	putc('\n', m->out);
}

int matrix_not_passed(const struct matrix *m)
{
	size_t room = 0, nr;
	struct ending *of;

	for (size_t i = 0; i < m->kernels.nr; i++)
		room += m->kernels.of[i].nr;
	of = calloc(room + 1, sizeof(*of));
	if (!of)
		return -1;
	nr = gather(m, of);
	fputs("\n## What did not pass\n\nGrouped by reason, with the kernels in brackets.\n\n",
	      m->out);
	for (size_t i = 0; i < nr; i++)
		if (!of[i].reported)
			put_reason(m, of, i, nr);
	free(of);
	return 0;
}
