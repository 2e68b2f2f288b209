// SPDX-License-Identifier: MIT
/* Facts as sentences, for people: "zero_page.counted_in_rss" is a name for programs. */
#include "facts.h"
#include <stdio.h>
#include <string.h>

static const struct {
	const char *name, *sentence;
} facts[] = {
#define FACT(name, sentence) { name, sentence },
#include "facts.def"
#undef FACT
};

bool fact_has_sentence(const char *name)
{
	for (size_t i = 0; i < sizeof(facts) / sizeof(*facts); i++)
		if (!strcmp(facts[i].name, name))
			return true;
	return false;
}

const char *fact_sentence(const char *name, char *buf, size_t size)
{
	for (size_t i = 0; i < sizeof(facts) / sizeof(*facts); i++)
		if (!strcmp(facts[i].name, name))
			return facts[i].sentence;
	snprintf(buf, size, "%s", name);
	for (char *p = buf; *p; p++)
		if (*p == '_')
			*p = ' ';
		else if (*p == '.')
			*p = ',';
	return buf;
}
