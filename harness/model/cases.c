// SPDX-License-Identifier: MIT
/*
 * Finds cases. The linker gathers the pointers to all cases in one section, so no list names them.
 */
#include <rssck/case.h>
#include <stdio.h>
#include <string.h>

extern const struct case_registration __start_rssck_cases[], __stop_rssck_cases[];

const struct case_registration *cases_all(size_t *nr)
{
	*nr = (size_t)(__stop_rssck_cases - __start_rssck_cases);
	return __start_rssck_cases;
}

const char *case_id(const struct case_registration *r, char *buf, size_t size)
{
	const char *file = strstr(r->file, "cases/");

	snprintf(buf, size, "%s", file ? file + strlen("cases/") : r->file);
	char *dot = strrchr(buf, '.');

	if (dot)
		*dot = '\0';
	return buf;
}

const struct case_registration *case_by_id(const char *id)
{
	size_t nr;
	const struct case_registration *all = cases_all(&nr);
	char name[64];

	for (size_t i = 0; i < nr; i++)
		if (!strcmp(case_id(&all[i], name, sizeof(name)), id))
			return &all[i];
	return NULL;
}

const struct testcase *testcase_by_id(const char *id)
{
	const struct case_registration *r = case_by_id(id);

	return r ? r->c : NULL;
}
