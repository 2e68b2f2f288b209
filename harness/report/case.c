// SPDX-License-Identifier: MIT
/* Describes one case for people: the reason, and both numbers of each discrepancy. */
#include "base/print/style.h"
#include "base/print/words.h"
#include "report.h"
#include <rssck/case.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_MAX = 16 };

static int64_t excess(const struct discrepancy *d)
{
	return llabs(d->counter - d->precise) - d->bound;
}

static int by_excess(const void *a, const void *b)
{
	const struct discrepancy *const *x = a, *const *y = b;

	if ((*x)->fails != (*y)->fails)
		return (*y)->fails - (*x)->fails;
	if (excess(*x) != excess(*y))
		return excess(*x) < excess(*y) ? 1 : -1;
	return *x < *y ? -1 : *x > *y; /* equal ones stay in the order in which they were found */
}

static void number_row(const struct discrepancy *d, FILE *out, bool colour)
{
	char n[4][32], step[96];

	if (d->process)
		snprintf(step, sizeof(step), "%s (process %u)", d->step, d->process);
	else
		snprintf(step, sizeof(step), "%s", d->step);
	fputs("    ", out);
	line_put(step, out);
	fputs(": ", out);
	if (!strcmp(d->metric, CLAIM_IN_WORDS)) {
		fputs("this does not hold: ", out);
		line_put(d->text, out);
		putc('\n', out);
		return;
	}
	line_put(d->metric, out);
	fprintf(out, " says %s, should be %s", number_words(d->counter, n[0], sizeof(n[0])),
		number_words(d->precise, n[1], sizeof(n[1])));
	if (d->unit[0])
		putc(' ', out), line_put(d->unit, out);
	fputs(": ", out);
	style_begin(d->fails ? STYLE_BAD : STYLE_NOTED, out, colour);
	fprintf(out, "off by %s", difference_words(d->counter - d->precise, n[2], sizeof(n[2])));
	style_end(out, colour);
	if (d->bound < 0)
		fputs(", but its possible lag is unknown", out);
	else if (d->bound)
		fprintf(out, " of %s allowed", number_words(d->bound, n[3], sizeof(n[3])));
	if (d->text[0]) {
		fputs(" (", out);
		line_put(d->text, out);
		putc(')', out);
	}
	putc('\n', out);
}

static int put_numbers(const struct result *r, FILE *out, bool colour)
{
	const struct discrepancy **sorted = calloc(r->nr_discrepancies + 1, sizeof(*sorted));
	size_t nr = 0;

	if (!sorted)
		return -1;
	for (size_t i = 0; i < r->nr_discrepancies; i++)
		if (r->discrepancies[i].fails || r->discrepancies[i].bound < 0 ||
		    r->verdict == VERDICT_PASS)
			sorted[nr++] = &r->discrepancies[i];
	if (nr)
		qsort(sorted, nr, sizeof(*sorted), by_excess);
	for (size_t i = 0; i < nr && i < SHOWN_MAX; i++)
		number_row(sorted[i], out, colour);
	if (nr > SHOWN_MAX)
		fprintf(out, "    and %zu more; --format=json has them all\n", nr - SHOWN_MAX);
	free(sorted);
	return 0;
}

static enum style style_of_verdict(enum verdict v)
{
	switch (v) {
	case VERDICT_PASS:
		return STYLE_GOOD;
	case VERDICT_SKIP:
		return STYLE_NOTED;
	default:
		return STYLE_BAD;
	}
}

void report_verdict(const struct result *r, FILE *out, bool colour)
{
	style_begin(style_of_verdict(r->verdict), out, colour);
	fputs(verdict_name(r->verdict), out);
	style_end(out, colour);
	putc(' ', out);
	line_put(r->id, out);
	if (r->reason[0]) {
		fputs(": ", out);
		line_put(r->reason, out);
	}
	putc('\n', out);
}

int report_case(const struct result *r, const struct results *all, FILE *out, bool colour)
{
	char checks[32];

	(void)all;
	report_verdict(r, out, colour);
	report_history(r, "    ", out);
	if (r->verdict == VERDICT_FAIL && r->c && r->c->claim)
		fprintf(out, "    claim: %s\n", r->c->claim);
	if (r->verdict == VERDICT_PASS)
		fprintf(out, "    %s numbers compared\n",
			number_words((int64_t)r->nr_checks, checks, sizeof(checks)));
	if (r->verdict != VERDICT_SKIP && put_numbers(r, out, colour))
		return -1;
	return stream_end(out);
}
