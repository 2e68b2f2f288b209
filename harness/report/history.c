// SPDX-License-Identifier: MIT
/* How a verdict came about: the tries that it took, and what was seen beside. */
#include "base/print/words.h"
#include "report.h"

enum { HISTORY_SIZE = TRIES_KEPT * 280 };

void report_history(const struct result *r, const char *before, FILE *out)
{
	char words[HISTORY_SIZE];

	if (result_hesitated(r)) {
		fputs(before, out);
		line_put(tries_words(r, words, sizeof(words)), out);
		putc('\n', out);
	}
	for (size_t i = 0; i < r->nr_remarks; i++) {
		fputs(before, out);
		line_put(r->remarks[i], out);
		putc('\n', out);
	}
}
