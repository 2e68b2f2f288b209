// SPDX-License-Identifier: MIT
/*
 * Settings of transparent huge pages: a file lists all values, with the one that holds in brackets.
 */
#ifndef CASES_THP_SETTING_H
#define CASES_THP_SETTING_H

#include <rssck/case.h>

/* The longest value is "within_size". */
enum { THP_VALUE = 16 };

/* Reads the value that holds. Returns false, and writes "", if there is none, or no such file. */
static inline bool thp_value(const char *path, char value[THP_VALUE])
{
	char text[128];

	value[0] = '\0';
	workload_read_text(path, text, sizeof(text));
	return sscanf(text, "%*[^[][%15[^]]", value) == 1 || sscanf(text, "[%15[^]]", value) == 1;
}

#endif
