// SPDX-License-Identifier: MIT
/* The cases in a plain loop: for the formats that machines read, and for --quiet. */
#include "check.h"

static int write_quiet(const struct results *r, FILE *out, bool colour)
{
	for (size_t i = 0; i < r->nr; i++)
		if (r->of[i].verdict == VERDICT_FAIL || r->of[i].verdict == VERDICT_ERROR)
			if (report_case(&r->of[i], r, out, colour))
				return -1;
	return fflush(out);
}

int check_write(const struct check *c, FILE *out, bool colour)
{
	switch (c->options->format) {
	case FORMAT_KTAP:
		return report_ktap(&c->results, out);
	case FORMAT_JUNIT:
		return report_junit(&c->results, out);
	case FORMAT_JSON:
		return report_json(&c->results, out);
	default:
		return write_quiet(&c->results, out, colour);
	}
}

int check_plain(struct check *c, FILE *out, bool colour)
{
	const struct selection *s = c->selection;

	for (size_t i = 0; i < s->nr; i++) {
		char id[64];

		ticker_show(&c->ticker, "%zu of %zu: %s", i + 1, s->nr,
			    case_id(s->of[i], id, sizeof(id)));
		check_case(c, s->of[i]);
	}
	check_end(c);
	ticker_clear(&c->ticker);
	/* A machine reads `out`; what differs between runs is for a person. */
	repeat_runs(c, stderr);
	return check_write(c, out, colour);
}
