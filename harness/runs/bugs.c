// SPDX-License-Identifier: MIT
/*
 * Decides whether a recorded run shows a known bug: its case failed, or the bug's fact has a value
 * that shows it.
 */
#include "kernels.h"
#include <string.h>

enum presence bug_presence(const struct bug *b, const struct results *run)
{
	const struct result *r = b->by ? result_of(run, b->by) : NULL;

	if (!r || (r->verdict != VERDICT_PASS && r->verdict != VERDICT_FAIL))
		return NOT_SEEN;
	if (!b->fact)
		return r->verdict == VERDICT_FAIL ? PRESENT : ABSENT;
	for (size_t i = 0; i < r->nr_facts; i++)
		if (!strcmp(r->facts[i].name, b->fact))
			return fact_value_is_among(r->facts[i].value, b->value) ? PRESENT : ABSENT;
	return NOT_SEEN;
}

size_t bug_kernels(const struct kernels *k, const struct bug *b, bool *have)
{
	size_t seen = 0;

	for (size_t i = 0; i < k->nr; i++) {
		enum presence p = bug_presence(b, &k->of[i]);

		have[i] = p == PRESENT;
		seen += p != NOT_SEEN;
	}
	return seen;
}
