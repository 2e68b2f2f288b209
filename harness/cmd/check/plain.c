// SPDX-License-Identifier: MIT
/*
 * Runs the cases in a loop without cmocka: for formats that programs read, for --quiet, and for a
 * terminal.
 */
#include "check.h"

/* Shows progress like "34 of 260, 1 failed: swap/fork_swapped". */
static void say_what_runs(struct check *c, const char *id)
{
	size_t bad = 0;
	char failed[32] = "";

	for (size_t i = 0; i < c->results.nr; i++)
		bad += c->results.of[i].verdict == VERDICT_FAIL ||
		       c->results.of[i].verdict == VERDICT_ERROR;
	if (bad)
		snprintf(failed, sizeof(failed), ", %zu failed", bad);
	ticker_show(&c->ticker, "%zu of %zu%s: %s", c->results.nr + 1, c->selection->nr, failed,
		    id);
}

int check_plain(struct check *c, FILE *out, bool colour)
{
	const struct selection *s = c->selection;

	for (size_t i = 0; i < s->nr; i++) {
		char id[64];

		say_what_runs(c, case_id(s->of[i], id, sizeof(id)));
		check_case(c, s->of[i]);
	}
	check_end(c);
	ticker_clear(&c->ticker);
	/* Differences between runs are printed for people, but usually a program reads `out`. */
	repeat_runs(c, c->is_brief ? out : stderr);
	return check_write(c, out, colour);
}
