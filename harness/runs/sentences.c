// SPDX-License-Identifier: MIT
/* Decides the sentences of documents for many runs. */
#include "sentences.h"
#include <stdio.h>
#include <string.h>

size_t sentence_kernels(const struct kernels *k, const struct sentence *s,
			enum sentence_holds which, bool *set)
{
	size_t nr = 0;

	for (size_t i = 0; i < k->nr; i++) {
		set[i] = sentence_judge(s, &k->of[i]) == which;
		nr += set[i];
	}
	return nr;
}

size_t sentences_on(const struct results *r, enum sentence_holds which)
{
	size_t nr, count = 0;
	const struct sentence *s = sentences_all(&nr);

	for (size_t i = 0; i < nr; i++)
		count += sentence_judge(&s[i], r) == which;
	return count;
}

static const char *case_of_fact(const struct fact_rows *facts, const char *name)
{
	for (size_t i = 0; i < facts->nr; i++)
		if (!strcmp(facts->of[i].name, name))
			return facts->of[i].id;
	return "";
}

const char *sentence_case(const struct sentence *s, size_t n, const struct fact_rows *facts,
			  char *buf, size_t size)
{
	const char *rest = s->rule, *id;
	struct condition c;

	for (size_t i = 0; i <= n; i++)
		if (condition_next(&rest, &c) <= 0)
			return NULL;
	if (c.kind == CONDITION_SINCE)
		id = "";
	else if (c.kind == CONDITION_FACT)
		id = case_of_fact(facts, c.name);
	else
		id = c.kind == CONDITION_MODEL ? "counters/calibrate" : c.name;
	snprintf(buf, size, "%s", id);
	return buf;
}

bool sentence_repeats_case(const struct sentence *s, size_t n, const struct fact_rows *facts)
{
	char id[80], other[80];

	sentence_case(s, n, facts, id, sizeof(id));
	for (size_t i = 0; i < n; i++)
		if (!strcmp(sentence_case(s, i, facts, other, sizeof(other)), id))
			return true;
	return false;
}
