// SPDX-License-Identifier: MIT
/* The table of the lines of meminfo, vmstat and memory.stat, with the cases that check them. */
#include "checked.h"
#include "base/list.h"
#include <fnmatch.h>
#include <stdbool.h>
#include <string.h>

#define CHECKED(file, lines, cases) { file, lines, cases, NULL },
#define UNCHECKED(file, lines, why) { file, lines, NULL, why },
static const struct checked rows[] = {
#include "checked.def"
};
#undef CHECKED
#undef UNCHECKED

enum { ROWS = sizeof(rows) / sizeof(*rows) };

static bool has_line(const char *patterns, const char *line)
{
	char one[64];

	while (list_next(&patterns, " ", one, sizeof(one)))
		if (!fnmatch(one, line, 0))
			return true;
	return false;
}

const struct checked *lines_checked(size_t *nr)
{
	*nr = ROWS;
	return rows;
}

const struct checked *line_checked(const char *file, const char *line)
{
	for (size_t i = 0; i < ROWS; i++)
		if (!strcmp(rows[i].file, file) && has_line(rows[i].lines, line))
			return &rows[i];
	return NULL;
}
