// SPDX-License-Identifier: MIT
/* Reads /proc/PID/stat. */
#define _GNU_SOURCE
#include "parse.h"
#include <string.h>

/* do_task_stat() prints 52 columns. The first one after comm is the state, column 3. */
enum { STAT_STATE = 3, STAT_COLUMNS = 52 };

static int stat_columns(struct span text, struct values *v, struct snapshot *s,
			struct source_error *e)
{
	const char *comm_end;

	if (text.p == text.end || text.end[-1] != '\n')
		return source_fail(e, SOURCE_STAT, 0, "is cut off: no newline at its end");
	text.end--;
	/*
	 * comm may contain ')' itself, so the last ')' ends it. do_task_stat() escapes nothing in
	 * it; only status shows escapes.
	 */
	comm_end = memrchr(text.p, ')', span_len(text));
	if (!comm_end)
		return source_fail(e, SOURCE_STAT, 0, "field 2 (comm) has no closing ')'");
	text.p = comm_end + 1;
	return columns_read(text, STAT_STATE, STAT_COLUMNS, METRIC_STAT_FIRST, METRIC_STAT_LAST, v,
			    s, e);
}

int stat_parse(struct span text, struct values *v, struct snapshot *s, struct source_error *e)
{
	values_forget(v, METRIC_STAT_FIRST, METRIC_STAT_LAST);
	if (stat_columns(text, v, s, e) == 0)
		return 0;
	values_forget(v, METRIC_STAT_FIRST, METRIC_STAT_LAST);
	return -1;
}

int stat_read(const char *data, size_t len, struct values *v, struct source_error *e)
{
	return stat_parse((struct span) { data, data + len }, v, NULL, e);
}
