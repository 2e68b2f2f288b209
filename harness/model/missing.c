// SPDX-License-Identifier: MIT
/* Names missing requirements, by id and in words. */
#include <rssck/missing.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const names[MISSING_COUNT] = {
	[MISSING_OTHER] = "other",
	[MISSING_ROOT] = "root",
	[MISSING_PFN] = "pfn",
	[MISSING_SCAN] = "scan",
	[MISSING_CPUS] = "cpus",
	[MISSING_THP] = "thp",
	[MISSING_SWAP] = "swap",
	[MISSING_GUEST] = "guest",
	[MISSING_KSM] = "ksm",
	[MISSING_HUGETLB] = "hugetlb",
	[MISSING_ZERO_PAGE] = "zero_page",
	[MISSING_MEMINFO] = "meminfo",
	[MISSING_PROGRAM] = "program",
};

const char *missing_name(enum missing_kind kind)
{
	return names[kind];
}

enum missing_kind missing_by_name(const char *name)
{
	for (enum missing_kind k = MISSING_OTHER; k < MISSING_COUNT; k++)
		if (!strcmp(names[k], name))
			return k;
	return MISSING_OTHER;
}

void missing_add(struct missing *m, enum missing_kind kind, const char *format, ...)
{
	struct missing_thing *t = &m->of[m->nr];
	va_list args;

	if (m->nr == MISSING_MAX)
		return;
	m->nr++;
	t->kind = kind;
	va_start(args, format);
	vsnprintf(t->what, sizeof(t->what), format, args);
	va_end(args);
}

bool missing_has(const struct missing *m, enum missing_kind kind)
{
	for (size_t i = 0; i < m->nr; i++)
		if (m->of[i].kind == kind)
			return true;
	return false;
}

const char *missing_words(const struct missing *m, char *buf, size_t size)
{
	size_t len = 0;

	*buf = '\0';
	for (size_t i = 0; i < m->nr && len < size; i++) {
		const char *first = m->of[i].kind == MISSING_PROGRAM ? "" : "needs ";

		len += (size_t)snprintf(buf + len, size - len, "%s%s", i ? ", " : first,
					m->of[i].what);
	}
	return buf;
}
