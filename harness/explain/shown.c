// SPDX-License-Identifier: MIT
/* Finds the number that a tool or an exporter shows by a name of its own. */
#include "shown.h"
#include "machine/numbers.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define SHOWN(tool, name, of, as) { tool, name, of, SHOWN_##as },
static const struct shown rows[] = {
#include "shown.def"
};
#undef SHOWN

const struct shown *shown_all(size_t *nr)
{
	*nr = sizeof(rows) / sizeof(*rows);
	return rows;
}

const char *shown_words(enum shown_as as)
{
	static const char *const words[] = {
		[SHOWN_KB] = "in kB",
		[SHOWN_BYTES] = "in bytes",
		[SHOWN_PAGES] = "in pages",
		[SHOWN_PAGES_HUGE] = "in pages of Hugepagesize",
		[SHOWN_AS_IS] = "as it is there",
		[SHOWN_TOTAL] = "a count that only grows",
		[SHOWN_SECONDS] = "its total since boot, or since the cgroup was made, in seconds",
		[SHOWN_GROWTH] = "what it grew by since the last sample",
		[SHOWN_RATE] =
			"what it grew by since the last sample, divided by the seconds between",
		[SHOWN_KB_RATE] =
			"what it grew by since the last sample, in kB, divided by the seconds between",
	};

	return words[as];
}

/* "Active_file", the form that exporters use, is the line "Active(file)" of /proc/meminfo. */
static bool is_line(const char *key, const char *typed, size_t len)
{
	size_t i = 0;

	for (; *key; key++) {
		if (*key == ')')
			continue;
		if (i == len || tolower((unsigned char)typed[i++]) !=
					(*key == '(' ? '_' : tolower((unsigned char)*key)))
			return false;
	}
	return i == len;
}

/* Writes the topic of the line that "*" stands for. Returns false if /proc/meminfo has none. */
static bool put_line(const struct shown *s, const char *line, size_t len, char *topic, size_t size)
{
	if (strcmp(s->of, "meminfo.*") != 0) {
		snprintf(topic, size, "%.*s%.*s", (int)strcspn(s->of, "*"), s->of, (int)len, line);
		return len > 0;
	}
	for (int n = 1; n < MACHINE_NUMBERS; n++) {
		if (machine_row(n)->source != MACHINE_MEMINFO ||
		    !is_line(machine_key(n), line, len))
			continue;
		snprintf(topic, size, "%s", machine_row(n)->name);
		return true;
	}
	return false;
}

static bool is_named(const struct shown *s, const char *name, char *topic, size_t size)
{
	const char *star = strchr(s->name, '*');
	size_t len = strlen(name), before = strcspn(s->name, "*"), after;

	if (!star) {
		if (strcasecmp(name, s->name))
			return false;
		snprintf(topic, size, "%s", s->of);
		return true;
	}
	after = strlen(star + 1);
	return len > before + after && !strncasecmp(name, s->name, before) &&
	       !strcasecmp(name + len - after, star + 1) &&
	       put_line(s, name + before, len - before - after, topic, size);
}

/* Skips the tool's name before the number's: "sar", "sar -r" or "sar -r ALL". */
static const char *without_tool(const struct shown *s, const char *name)
{
	const char *p = name, *tool = s->tool, *last = name;

	while (*tool) {
		size_t len = strcspn(tool, " ");

		if (!strncasecmp(p, tool, len) && p[len] == ' ')
			last = p = p + len + 1;
		tool += len + (tool[len] == ' ');
	}
	return last;
}

const struct shown *shown_in(const char *text, char *name, char *topic, size_t size)
{
	const struct shown *s = shown_find(text, topic, size);

	snprintf(name, size, "%s", text);
	for (const char *p = text; !s && *p; p += strspn(p, " ?")) {
		size_t len = strcspn(p, " ?");

		snprintf(name, size, "%.*s", (int)len, p);
		s = shown_find(name, topic, size);
		p += len;
	}
	return s;
}

const struct shown *shown_find(const char *name, char *topic, size_t size)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (is_named(&rows[i], without_tool(&rows[i], name), topic, size))
			return &rows[i];
	return NULL;
}
