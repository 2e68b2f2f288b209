// SPDX-License-Identifier: MIT
/* Writes the text report of a run that ended early. */
#include "base/print/words.h"
#include "report.h"

int report_ended(const struct results *r, FILE *out, bool colour)
{
	static const char *const words[VERDICT_COUNT] = {
		[VERDICT_PASS] = "passed",
		[VERDICT_FAIL] = "failed",
		[VERDICT_SKIP] = "skipped",
		[VERDICT_ERROR] = "in error",
	};

	fputs("\nThe run ended early", out);
	if (r->ended_in[0]) {
		fputs(", in ", out);
		line_put(r->ended_in, out);
	}
	fputs(": ", out);
	line_put(r->ended, out);
	fputs("\n\n", out);
	for (size_t i = 0; i < r->nr; i++)
		if (r->of[i].verdict != VERDICT_PASS)
			report_verdict(&r->of[i], out, colour);
	fprintf(out, "\n%zu of %zu cases have run:", r->nr, r->nr_selected);
	for (enum verdict v = 0; v < VERDICT_COUNT; v++)
		fprintf(out, "%s %zu %s", v ? "," : "", r->count[v], words[v]);
	putc('\n', out);
	return stream_end(out);
}
