// SPDX-License-Identifier: MIT
/*
 * Reads the memory fields of /proc/PID/status. A kernel thread or a zombie has no mm and none of
 * these fields; missing fields are not an error.
 */
#include "parse.h"
#include <string.h>

static bool begins_with(struct span s, const char *prefix)
{
	size_t len = strlen(prefix);

	return span_len(s) >= len && memcmp(s.p, prefix, len) == 0;
}

/* Most lines of status are about IDs, signals or CPUs. */
static bool is_about_memory(struct span key)
{
	return begins_with(key, "Vm") || begins_with(key, "Rss") || begins_with(key, "Huge") ||
	       begins_with(key, "THP_");
}

static int status_line(struct span line, size_t nr, enum metric_id *hint, struct values *v,
		       struct snapshot *s, struct source_error *e)
{
	struct span key, text;
	enum metric_id id;
	int64_t value;

	if (!line_split(line, &key, &text)) {
		if (is_about_memory(line))
			return source_fail(e, SOURCE_STATUS, 0, "line %zu has no colon", nr);
		return 0;
	}
	id = metric_by_key(SOURCE_STATUS, key.p, span_len(key), *hint);
	if (id == METRIC_NONE) {
		if (s && is_about_memory(key))
			unknown_note(s, SOURCE_STATUS, key, text);
		return 0;
	}
	*hint = id + 1;
	if (value_parse(text, id, &value, e))
		return -1;
	return value_set(v, id, value, e);
}

static int status_lines(struct lines l, struct values *v, struct snapshot *s,
			struct source_error *e)
{
	enum metric_id hint = METRIC_STATUS_FIRST;
	struct span line;
	int more;

	while ((more = line_next(&l, &line)) > 0)
		if (status_line(line, l.nr, &hint, v, s, e))
			return -1;
	if (more < 0)
		return source_fail(e, SOURCE_STATUS, 0, "is cut off in line %zu", l.nr);
	if (l.nr == 0)
		return source_fail(e, SOURCE_STATUS, 0, "is empty");
	return 0;
}

int status_parse(struct span text, struct values *v, struct snapshot *s, struct source_error *e)
{
	values_forget(v, METRIC_STATUS_FIRST, METRIC_STATUS_LAST);
	if (status_lines((struct lines) { text.p, text.end, 0 }, v, s, e) == 0)
		return 0;
	values_forget(v, METRIC_STATUS_FIRST, METRIC_STATUS_LAST);
	return -1;
}

int status_read(const char *data, size_t len, struct values *v, struct source_error *e)
{
	return status_parse((struct span) { data, data + len }, v, NULL, e);
}
