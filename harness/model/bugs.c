// SPDX-License-Identifier: MIT
/* Looks up known kernel bugs, and counts those that a run found. */
#include <rssck/bug.h>
#include <rssck/verdict.h>
#include <stdio.h>
#include <string.h>

#define BUG(id, ...) { __VA_ARGS__ },
static const struct bug bugs[] = {
#include <rssck/history.def>
};
#undef BUG

const struct bug *bugs_all(size_t *nr)
{
	*nr = sizeof(bugs) / sizeof(*bugs);
	return bugs;
}

const struct bug *bug(unsigned id)
{
	return &bugs[id - 1];
}

const struct bug *bug_of_fact(const struct fact *f)
{
	for (size_t i = 0; i < sizeof(bugs) / sizeof(*bugs); i++)
		if (bugs[i].fact && !strcmp(bugs[i].fact, f->name) &&
		    fact_value_is_among(f->value, bugs[i].value))
			return &bugs[i];
	return NULL;
}

size_t results_bugs(const struct results *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->nr; i++)
		for (size_t k = 0; k < r->of[i].nr_facts; k++)
			n += bug_of_fact(&r->of[i].facts[k]) != NULL;
	return n;
}

const char *bug_words(const struct bug *b, char *buf, size_t size)
{
	char finding[32] = "";

	if (b->finding)
		snprintf(finding, sizeof(finding), "; FINDINGS %u", b->finding);
	snprintf(buf, size, "known bug here: %s (%s)%s%s%s", b->title, b->lived,
		 b->fix ? ", fixed by " : "", b->fix ? b->fix : "", finding);
	return buf;
}
