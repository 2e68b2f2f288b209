// SPDX-License-Identifier: MIT
/* Changes values in a JSON text so that it remains valid JSON. */
#include "readers.h"
#include <jansson.h>
#include <string.h>

static unsigned state;

static unsigned any(unsigned below)
{
	state = state * 1103515245u + 12345u;
	return (state >> 8) % below;
}

static json_t *any_value(const json_t *old)
{
	static const json_int_t numbers[] = {
		0,         1,          -1,        2,         64,        4096,         INT32_MAX,
		INT32_MIN, UINT32_MAX, INT64_MAX, INT64_MIN, 1LL << 62, -(1LL << 53), 1 << 20,
	};
	static const char *const words[] = {
		"",        "pass",        "skip",         "error",
		"exact",   "per-cpu",     "per-thread",   "unknown",
		"absent",  "kB",          "pages",        "%s%n",
		"\x1b[2J", "a|b<c>&\"'`", "status.VmRSS", "statm.resident",
	};

	switch (any(8)) {
	case 0:
		return json_null();
	case 1:
		return json_boolean(any(2));
	case 2:
		return json_array();
	case 3:
		return json_object();
	case 4:
		return json_string(words[any(sizeof(words) / sizeof(*words))]);
	case 5:
		return json_is_integer(old) ? json_integer(json_integer_value(old) ^ 1LL << any(63))
					    : json_integer(numbers[any(14)]);
	case 6:
		return json_real(1e300);
	default:
		return json_integer(numbers[any(14)]);
	}
}

static void change_object(json_t *j)
{
	unsigned at = any((unsigned)json_object_size(j));
	void *i = json_object_iter(j);

	while (at--)
		i = json_object_iter_next(j, i);
	if (any(6) == 0)
		json_object_del(j, json_object_iter_key(i));
	else
		json_object_iter_set_new(j, i, any_value(json_object_iter_value(i)));
}

static void change_array(json_t *j)
{
	size_t at = any((unsigned)json_array_size(j));

	switch (any(4)) {
	case 0:
		json_array_remove(j, at);
		break;
	case 1:
		json_array_append_new(j, json_deep_copy(json_array_get(j, at)));
		break;
	case 2:
		json_array_set_new(j, at, any_value(json_array_get(j, at)));
		break;
	default:
		/* Removes the rest of the array, because short inputs are read faster. */
		while (json_array_size(j) > at + 1)
			json_array_remove(j, json_array_size(j) - 1);
	}
}

static json_t *child(json_t *j)
{
	unsigned at;
	void *i;

	if (json_is_array(j))
		return json_array_get(j, any((unsigned)json_array_size(j)));
	at = any((unsigned)json_object_size(j));
	for (i = json_object_iter(j); at--;)
		i = json_object_iter_next(j, i);
	return json_object_iter_value(i);
}

static size_t size_of(const json_t *j)
{
	return json_is_array(j) ? json_array_size(j) : json_object_size(j);
}

/* Recomputes the summary. If it did not match the cases, the reader would stop there. */
static void mend_summary(json_t *root)
{
	json_t *cases = json_object_get(root, "cases"), *summary;
	static const char *const verdicts[] = { "pass", "fail", "skip", "error" };

	if (!json_is_array(cases) || any(10) == 0)
		return;
	summary = json_object();
	for (int v = 0; v < 4; v++) {
		json_int_t nr = 0;

		for (size_t i = 0; i < json_array_size(cases); i++) {
			const char *said = json_string_value(
				json_object_get(json_array_get(cases, i), "verdict"));

			nr += said && !strcmp(said, verdicts[v]);
		}
		json_object_set_new(summary, verdicts[v], json_integer(nr));
	}
	json_object_set_new(root, "summary", summary);
}

size_t json_mutate(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	json_t *root = json_loadb((const char *)data, size, 0, NULL);
	char *text;
	size_t length;

	state = seed;
	if (!root)
		return 0;
	for (unsigned changes = 1 + any(3); changes--;) {
		json_t *at = root;

		while (size_of(at) && any(5) && size_of(child(at))) {
			json_t *next = child(at);

			if (size_of(next))
				at = next;
		}
		if (size_of(at))
			(json_is_array(at) ? change_array : change_object)(at);
	}
	mend_summary(root);
	text = json_dumps(root, JSON_COMPACT);
	json_decref(root);
	length = text ? strlen(text) : 0;
	if (length > max_size)
		length = 0;
	if (length)
		memcpy(data, text, length);
	free(text);
	return length;
}
