// SPDX-License-Identifier: MIT
/* Counts the skipped cases by what is missing. */
#include "skips.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count(struct skip_reasons *s, const char *what, bool is_sentence)
{
	struct skip_reason *more;

	for (size_t i = 0; i < s->nr; i++) {
		if (strcmp(s->of[i].what, what))
			continue;
		s->of[i].cases++;
		return 0;
	}
	more = reallocarray(s->of, s->nr + 1, sizeof(*more));
	if (!more)
		return -1;
	s->of = more;
	more[s->nr] = (struct skip_reason) { .is_sentence = is_sentence, .cases = 1 };
	snprintf(more[s->nr].what, sizeof(more->what), "%s", what);
	s->nr++;
	return 0;
}

static int count_case(struct skip_reasons *s, const struct result *r)
{
	for (size_t i = 0; i < r->missing.nr; i++)
		if (count(s, r->missing.of[i].what, r->missing.of[i].kind == MISSING_PROGRAM))
			return -1;
	return r->missing.nr ? 0 : count(s, r->reason, true);
}

static int by_cases(const void *a, const void *b)
{
	const struct skip_reason *x = a, *y = b;

	if (x->cases != y->cases)
		return x->cases < y->cases ? 1 : -1;
	return strcmp(x->what, y->what);
}

int skip_reasons_gather(struct skip_reasons *s, const struct results *r)
{
	*s = (struct skip_reasons) { 0 };
	for (size_t i = 0; i < r->nr; i++) {
		if (r->of[i].verdict != VERDICT_SKIP || !count_case(s, &r->of[i]))
			continue;
		skip_reasons_free(s);
		return -1;
	}
	if (s->nr)
		qsort(s->of, s->nr, sizeof(*s->of), by_cases);
	return 0;
}

void skip_reasons_free(struct skip_reasons *s)
{
	free(s->of);
	*s = (struct skip_reasons) { 0 };
}
