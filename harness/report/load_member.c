// SPDX-License-Identifier: MIT
/* Reads members of a JSON file, with an error message for each invalid one. */
#include "load_private.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/*
 * Replaces control characters, also U+0080 to U+009F, by blanks, so that they have no effect on a
 * terminal.
 */
static void make_one_line(char *text)
{
	for (char *p = text; *p; p++) {
		unsigned char c = (unsigned char)*p, next = (unsigned char)p[1];

		if (c < ' ' || c == 0x7f) {
			*p = ' ';
		} else if (c == 0xc2 && next >= 0x80 && next < 0xa0) {
			*p++ = ' ';
			*p = ' ';
		}
	}
}

int load_bad(const struct loading *l, const char *remedy, const char *format, ...)
{
	char reason[200];
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	snprintf(l->why, l->size, "%s: %s; %s", l->path, reason, remedy);
	make_one_line(l->why);
	return -1;
}

const char record_again[] = "record it again with `rssck check --format=json --output=FILE`";

json_t *load_member(const struct loading *l, const json_t *object, const char *what,
		    const char *name, json_type type)
{
	json_t *j = json_object_get(object, name);

	if (!j)
		load_bad(l, record_again, "%s has no \"%s\"", what, name);
	else if (json_typeof(j) != type)
		load_bad(l, record_again, "\"%s\" of %s has the wrong type", name, what);
	else
		return j;
	return NULL;
}

int load_string(const struct loading *l, const json_t *object, const char *what, const char *name,
		char *buf, size_t size)
{
	json_t *j = load_member(l, object, what, name, JSON_STRING);

	if (!j)
		return -1;
	load_words(json_string_value(j), buf, size);
	return 0;
}

void load_words(const char *words, char *buf, size_t size)
{
	snprintf(buf, size, "%s", words);
	make_one_line(buf);
}

int load_name(const struct loading *l, const char *what, const char *name, char *buf, size_t size)
{
	if (!name[0] || strlen(name) >= size)
		return load_bad(l, "a newer rssck may support it",
				"the name of %s is empty or too long: \"%.60s\"", what, name);
	load_words(name, buf, size);
	return 0;
}

int load_integer(const struct loading *l, const json_t *object, const char *what, const char *name,
		 int64_t *value)
{
	json_t *j = load_member(l, object, what, name, JSON_INTEGER);

	if (!j)
		return -1;
	*value = json_integer_value(j);
	return 0;
}

int64_t load_within(int64_t number, int64_t low, int64_t high)
{
	return number < low ? low : number > high ? high : number;
}
