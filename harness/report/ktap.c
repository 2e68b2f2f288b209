// SPDX-License-Identifier: MIT
/*
 * Writes KTAP version 1, as in the kernel's documentation (dev-tools/ktap.rst). cmocka's own output
 * is not used, because cmocka 1.1.5 prints a skip as "not ok".
 */
#include "base/print/words.h"
#include "report.h"
#include <rssck/bug.h>

/* Writes a test's name. '#' is replaced, because it begins a directive. */
static void description_put(const char *s, FILE *out)
{
	uint32_t code;

	while ((code = utf8_next(&s)))
		utf8_put(code <= 0x20 || code == 0x7f || code == '#' ? '_' : code, out);
}

static void diagnostics(const struct result *r, FILE *out)
{
	char buf[320];

	if (r->reason[0]) {
		fputs("# ", out);
		line_put(r->reason, out);
		putc('\n', out);
	}
	for (size_t i = 0; i < r->nr_discrepancies; i++) {
		const struct discrepancy *d = &r->discrepancies[i];

		if (!d->fails)
			continue;
		fputs("# ", out);
		line_put(d->step, out);
		fputs(": ", out);
		line_put(discrepancy_words(d, buf, sizeof(buf)), out);
		putc('\n', out);
	}
}

int report_ktap(const struct results *r, FILE *out)
{
	fprintf(out, "KTAP version 1\n1..%zu\n", r->nr);
	for (size_t i = 0; i < r->nr; i++) {
		const struct result *c = &r->of[i];
		bool ok = c->verdict == VERDICT_PASS || c->verdict == VERDICT_SKIP;

		/* Diagnostics precede the result line that they explain. */
		if (!ok)
			diagnostics(c, out);
		report_history(c, "# ", out);
		fprintf(out, "%s %zu ", ok ? "ok" : "not ok", i + 1);
		description_put(c->id, out);
		if (c->verdict == VERDICT_SKIP) {
			fputs(" # SKIP ", out);
			line_put(c->reason, out);
		}
		putc('\n', out);
	}
	if (results_retried(r))
		fprintf(out, "# %zu needed a second try\n", results_retried(r));
	if (results_bugs(r))
		fprintf(out, "# %zu known bugs here\n", results_bugs(r));
	if (r->ended[0]) {
		fputs("# ended early: ", out);
		line_put(r->ended, out);
		putc('\n', out);
	}
	fprintf(out, "# Totals: pass:%zu fail:%zu xfail:0 xpass:0 skip:%zu error:%zu\n",
		r->count[VERDICT_PASS], r->count[VERDICT_FAIL], r->count[VERDICT_SKIP],
		r->count[VERDICT_ERROR]);
	return stream_end(out);
}
