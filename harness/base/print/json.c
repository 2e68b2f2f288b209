// SPDX-License-Identifier: MIT
/* Helpers for jansson. */
#include "json.h"
#include "words.h"
#include <stdlib.h>

json_t *json_words(const char *s)
{
	char *clean = utf8_clean(s ? s : "");
	json_t *j = clean ? json_string(clean) : NULL;

	free(clean);
	return j;
}

json_t *json_row(json_t *list)
{
	json_t *j = json_object();

	return json_array_append_new(list, j) ? NULL : j;
}

void json_set_words(json_t *object, const char *name, const char *words)
{
	json_object_set_new(object, name, json_words(words));
}

void json_set_number(json_t *object, const char *name, int64_t number)
{
	json_object_set_new(object, name, json_integer(number));
}

int json_write(json_t *root, FILE *out)
{
	int failed = json_dumpf(root, out, JSON_INDENT(2) | JSON_ENSURE_ASCII) ||
		     putc('\n', out) == EOF;

	json_decref(root);
	return failed ? -1 : stream_end(out);
}
