// SPDX-License-Identifier: MIT
/* Which runs the page is made from, and what did not pass in them. */
#include "matrix.h"
#include "private.h"
#include "runs/notes.h"
#include <rssck/case.h>
#include <string.h>

void matrix_runs(const struct matrix *m)
{
	fputs("\n## The runs\n\n| kernel | machine | CPUs | pass | fail | skip | error |\n"
	      "| --- | --- | --- | --- | --- | --- | --- |\n",
	      m->out);
	for (size_t i = 0; i < m->kernels.nr; i++) {
		const struct results *r = &m->kernels.of[i];

		fputs("| ", m->out);
		matrix_cell(r->kernel_release, m->out);
		fputs(" | ", m->out);
		matrix_cell(r->machine, m->out);
		fprintf(m->out, " | %u | %zu | %zu | %zu | %zu |\n", r->cpus,
			r->count[VERDICT_PASS], r->count[VERDICT_FAIL], r->count[VERDICT_SKIP],
			r->count[VERDICT_ERROR]);
	}
}

static const struct result *same_result(const struct results *r, const struct result *wanted)
{
	for (size_t i = 0; i < r->nr; i++)
		if (!strcmp(r->of[i].id, wanted->id) && r->of[i].verdict == wanted->verdict &&
		    !strcmp(r->of[i].reason, wanted->reason))
			return &r->of[i];
	return NULL;
}

/* One line for all kernels on which a case ended in the same way; printed at the first of them. */
static void ending(const struct matrix *m, size_t first, const struct result *r)
{
	for (size_t i = 0; i < first; i++)
		if (same_result(&m->kernels.of[i], r))
			return;
	fprintf(m->out, "- %s [", verdict_name(r->verdict));
	matrix_cell(r->id, m->out);
	fprintf(m->out, "](../cases/%s.c): ", r->id);
	matrix_cell(r->reason, m->out);
	fputs(" (on ", m->out);
	for (size_t i = first; i < m->kernels.nr; i++) {
		if (!same_result(&m->kernels.of[i], r))
			continue;
		fputs(i > first ? ", " : "", m->out);
		matrix_column(m, i);
	}
	fputs(")", m->out);
	if (note_of(r->id)[0]) {
		fputs(". ", m->out);
		matrix_cell(note_of(r->id), m->out);
	}
	fputs("\n", m->out);
}

void matrix_not_passed(const struct matrix *m)
{
	fputs("\n## What did not pass\n\n", m->out);
	for (size_t i = 0; i < m->kernels.nr; i++)
		for (size_t k = 0; k < m->kernels.of[i].nr; k++)
			if (m->kernels.of[i].of[k].verdict != VERDICT_PASS)
				ending(m, i, &m->kernels.of[i].of[k]);
}

void matrix_not_run(const struct matrix *m)
{
	size_t nr, found = 0;
	const struct case_registration *all = cases_all(&nr);
	char id[64];

	fputs("\n## Cases that ran nowhere\n\n", m->out);
	for (size_t i = 0; i < nr; i++) {
		if (all[i].c->flags & CASE_HIDDEN ||
		    case_ran(&m->kernels, case_id(&all[i], id, sizeof(id))))
			continue;
		fputs(found++ ? "" : "| case | why |\n| --- | --- |\n", m->out);
		fprintf(m->out, "| [%s](../%s) | ", id, all[i].file);
		matrix_cell(case_why_not(&m->kernels, id), m->out);
		fputs(" |\n", m->out);
	}
	if (!found)
		fputs("None: each case ran on one of these kernels at least.\n", m->out);
}
