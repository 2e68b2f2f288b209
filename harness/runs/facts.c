// SPDX-License-Identifier: MIT
/*
 * Makes sentences from facts, because names like "zero_page.counted_in_rss" are meant for programs.
 */
#include "facts.h"
#include <rssck/case.h>
#include <stdio.h>
#include <string.h>

static const char *of_a_case(const char *name)
{
	size_t nr;
	const struct case_registration *all = cases_all(&nr);

	for (size_t i = 0; i < nr; i++)
		for (const struct fact_known *f = all[i].c->facts; f && f->name; f++)
			if (f->sentence && !strcmp(f->name, name))
				return f->sentence;
	return NULL;
}

const char *fact_sentence(const char *name, char *buf, size_t size)
{
	const char *sentence = of_a_case(name);

	if (sentence)
		return sentence;
	snprintf(buf, size, "%s", name);
	for (char *p = buf; *p; p++)
		if (*p == '_')
			*p = ' ';
		else if (*p == '.')
			*p = ',';
	return buf;
}
