// SPDX-License-Identifier: MIT
/* Finds the recorded runs that show a real bug: its case failed, or one of its facts shows it. */
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
