// SPDX-License-Identifier: MIT
#include "json.h"
#include "tests/support/test.h"

json_t *json_read(const char *text)
{
	json_error_t e;
	json_t *j = json_loads(text, JSON_REJECT_DUPLICATES, &e);

	if (!j)
		fail_msg("line %d: %s in\n%.4000s", e.line, e.text, text);
	return j;
}

json_t *json_at(const json_t *j, const char *path)
{
	char part[128];

	for (; j && *path; path += *path == '/') {
		size_t length = strcspn(path, "/");

		snprintf(part, sizeof(part), "%.*s", (int)length, path);
		j = json_is_array(j) ? json_array_get(j, strtoul(part, NULL, 10))
				     : json_object_get(j, part);
		path += length;
	}
	return (json_t *)j;
}

json_int_t json_number(const json_t *j, const char *path)
{
	const json_t *member = json_at(j, path);

	if (!json_is_integer(member))
		fail_msg("no number %s", path);
	return json_integer_value(member);
}

const char *json_text(const json_t *j, const char *path)
{
	const json_t *member = json_at(j, path);

	if (!json_is_string(member))
		fail_msg("no string %s", path);
	return json_string_value(member);
}

size_t json_length(const json_t *j, const char *path)
{
	return json_array_size(json_at(j, path));
}
