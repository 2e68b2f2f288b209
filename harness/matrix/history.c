// SPDX-License-Identifier: MIT
/*
 * Real bugs of Linux: which case shows each of them, and which of the recorded
 * kernels have it.
 */
#include "base/print/words.h"
#include "matrix.h"
#include "private.h"
#include "runs/bugs.h"
#include <stdlib.h>

/* The commit, as a link that a reader can follow, and its subject. */
static void fix_cell(const struct matrix *m, const struct bug *b)
{
	if (b->fix)
		fprintf(m->out, "[%s](https://git.kernel.org/linus/%s) ", b->fix, b->fix);
	matrix_cell(b->subject ? b->subject : b->fix ? "" : "none is known", m->out);
	if (b->finding)
		fprintf(m->out, " ([finding %u](FINDINGS.md#%u))", b->finding, b->finding);
}

static void kernels_cell(const struct matrix *m, const struct bug *b)
{
	bool *have = calloc(m->kernels.nr + 1, sizeof(*have));
	char words[512];

	if (!have || !bug_kernels(&m->kernels, b, have))
		fputs("–", m->out);
	else
		matrix_cell(kernels_words(&m->kernels, have, words, sizeof(words)), m->out);
	free(have);
}

static void bug_row(const struct matrix *m, const struct bug *b)
{
	fputs("| ", m->out);
	matrix_cell(b->title, m->out);
	fputs(" | ", m->out);
	fix_cell(m, b);
	fputs(" | ", m->out);
	matrix_cell(b->lived, m->out);
	fputs(" | ", m->out);
	matrix_cell(b->number, m->out);
	fputs(" | ", m->out);
	if (b->by) {
		fputs("[", m->out);
		matrix_cell(b->by, m->out);
		fprintf(m->out, "](../cases/%s.c) | ", b->by);
		kernels_cell(m, b);
	} else {
		matrix_cell(b->unseen, m->out);
	}
	fputs(" |\n", m->out);
}

static void bug_table(const struct matrix *m, bool shown)
{
	size_t nr;
	const struct bug *all = bugs_all(&nr);

	fprintf(m->out,
		"| bug | fixed by | versions | number | %s |\n| --- | --- | --- | --- | %s |\n",
		shown ? "case | on these recorded kernels" : "why no case shows it",
		shown ? "--- | ---" : "---");
	for (size_t i = 0; i < nr; i++)
		if (!all[i].by != shown)
			bug_row(m, &all[i]);
}

/* What a reader of that kernel's numbers has to know. */
static void kernel_bugs(const struct matrix *m, size_t k)
{
	size_t nr, found = 0;
	const struct bug *all = bugs_all(&nr);

	fputs("\n### ", m->out);
	matrix_column(m, k);
	fputs("\n\n", m->out);
	for (size_t i = 0; i < nr; i++) {
		if (bug_presence(&all[i], &m->kernels.of[k]) != PRESENT)
			continue;
		found++;
		fputs("- ", m->out);
		matrix_cell(all[i].title, m->out);
		fputs("\n", m->out);
	}
	if (!found)
		fputs("None of these.\n", m->out);
}

int report_bug_history(struct results *runs, size_t nr, FILE *out)
{
	struct matrix m = { .kernels = { runs, nr }, .out = out };
	size_t nr_bugs, shown = 0;
	const struct bug *all = bugs_all(&nr_bugs);

	kernels_sort(runs, nr);
	for (size_t i = 0; i < nr_bugs; i++)
		shown += all[i].by != NULL;
	fputs("<!-- Made by `rssck report` from include/rssck/history.def and the JSON files beside "
	      "it; not to be edited. -->\n"
	      "# Real bugs of Linux in its memory numbers\n\n",
	      out);
	fprintf(out,
		"%zu bugs, fixed or not; a case of rssck shows %zu of them: it fails where the bug "
		"is, or a fact shows it.\n\n## Bugs that a case shows\n\n",
		nr_bugs, shown);
	bug_table(&m, true);
	if (shown < nr_bugs) {
		fputs("\n## Bugs that no case shows\n\n", out);
		bug_table(&m, false);
	}
	fputs("\n## Kernel by kernel\n\nWhich of its numbers a recorded kernel gets wrong.\n", out);
	for (size_t i = 0; i < nr; i++)
		kernel_bugs(&m, i);
	return stream_end(out);
}
