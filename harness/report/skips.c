// SPDX-License-Identifier: MIT
/* Reasons of skips: taken apart into the things that are missing, and counted. */
#include "skips.h"
#include <rssck/case.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char needs[] = "needs ";

/* What a step says is missing comes after its name; which step it was matters to nobody here. */
static const char *after_step(const struct result *r)
{
	for (const struct step *s = r->c ? r->c->steps : NULL; s && s->name; s++) {
		size_t len = strlen(s->name);

		if (!strncmp(r->reason, s->name, len) && !strncmp(r->reason + len, ": ", 2))
			return r->reason + len + 2;
	}
	return r->reason;
}

/* The end of the first thing of "swap (none, here), root": a comma in parentheses ends nothing. */
static size_t thing_length(const char *list)
{
	int depth = 0;
	size_t i;

	for (i = 0; list[i]; i++) {
		depth += (list[i] == '(') - (list[i] == ')');
		if (depth <= 0 && !strncmp(list + i, ", ", 2))
			break;
	}
	return i;
}

static int count(struct skip_reasons *s, const char *what, size_t len)
{
	struct skip_reason *more;

	for (size_t i = 0; i < s->nr; i++) {
		if (strncmp(s->of[i].what, what, len) || s->of[i].what[len])
			continue;
		s->of[i].cases++;
		return 0;
	}
	more = reallocarray(s->of, s->nr + 1, sizeof(*more));
	if (!more)
		return -1;
	s->of = more;
	more[s->nr] = (struct skip_reason) { .cases = 1 };
	snprintf(more[s->nr].what, sizeof(more->what), "%.*s", (int)len, what);
	more[s->nr].is_sentence = strstr(more[s->nr].what, " is not installed") != NULL;
	s->nr++;
	return 0;
}

static int count_case(struct skip_reasons *s, const struct result *r)
{
	const char *what = after_step(r);

	if (strncmp(what, needs, strlen(needs)))
		return count(s, what, strnlen(what, sizeof(s->of->what) - 1));
	for (what += strlen(needs); *what; what += strspn(what, ", ")) {
		size_t len = thing_length(what);

		if (count(s, what, len))
			return -1;
		what += len;
	}
	return 0;
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
