// SPDX-License-Identifier: MIT
/* Real bugs of Linux: the case that shows each of them, and the recorded kernels that have it. */
#include "matrix.h"
#include "private.h"
#include "runs/kernels.h"

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
		fputs("None of these bugs.\n", m->out);
}

int report_bug_history(struct results *runs, size_t nr, FILE *out)
{
	struct matrix m;
	struct sheet s;
	size_t nr_bugs, shown = 0;
	const struct bug *all = bugs_all(&nr_bugs);

	if (matrix_make(&m, runs, nr, out))
		return -1;
	s = matrix_sheet(&m);
	for (size_t i = 0; i < nr_bugs; i++)
		shown += all[i].by != NULL;
	fputs("<!-- Made by `rssck report` from include/rssck/history.def and the JSON files in this "
	      "folder; do not edit it. -->\n"
	      "# Real bugs of Linux in its memory numbers\n\n",
	      out);
	fprintf(out,
		"%zu bugs, fixed or not. Cases of rssck show %zu of them: on a kernel with the bug, a case "
		"fails, or one of its facts shows the bug.\n\n## Bugs that a case shows\n\n",
		nr_bugs, shown);
	sheet_bugs(&s, BUGS_SHOWN);
	if (shown < nr_bugs) {
		fputs("\n## Bugs that no case shows\n\n", out);
		sheet_bugs(&s, BUGS_NOT_SHOWN);
	}
	fputs("\n## Kernel by kernel\n\nThe numbers that each recorded kernel gets wrong.\n", out);
	for (size_t i = 0; i < nr; i++)
		kernel_bugs(&m, i);
	return matrix_end(&m);
}
