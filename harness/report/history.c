// SPDX-License-Identifier: MIT
/* Writes how a verdict was reached: the tries and the remarks. */
#include "base/print/words.h"
#include "report.h"
#include <rssck/bug.h>

enum { HISTORY_SIZE = TRIES_KEPT * 280 };

void report_bugs(const struct result *r, const char *before, FILE *out)
{
	char words[320];

	for (size_t i = 0; i < r->nr_facts; i++) {
		const struct bug *b = bug_of_fact(&r->facts[i]);

		if (b)
			fprintf(out, "%s%s\n", before, bug_words(b, words, sizeof(words)));
	}
}

void report_history(const struct result *r, const char *before, FILE *out)
{
	char words[HISTORY_SIZE];

	if (result_retried(r)) {
		fputs(before, out);
		line_put(tries_words(r, words, sizeof(words)), out);
		putc('\n', out);
	}
	for (size_t i = 0; i < r->nr_remarks; i++) {
		fputs(before, out);
		line_put(r->remarks[i], out);
		putc('\n', out);
	}
	report_bugs(r, before, out);
}
