// SPDX-License-Identifier: MIT
/* Reads /proc/PID/statm. */
#include "parse.h"

/* proc_pid_statm() prints seven columns. */
enum { STATM_COLUMNS = 7 };

static int columns_of_line(struct span text, unsigned known, enum metric_id first,
			   enum metric_id last, struct values *v, struct snapshot *s,
			   struct source_error *e)
{
	values_forget(v, first, last);
	if (text.p == text.end || text.end[-1] != '\n')
		return source_fail(e, metric(first)->source, 0,
				   "is cut off: no newline at its end");
	text.end--;
	if (columns_read(text, 1, known, first, last, v, s, e) == 0)
		return 0;
	values_forget(v, first, last);
	return -1;
}

int statm_parse(struct span text, struct values *v, struct snapshot *s, struct source_error *e)
{
	return columns_of_line(text, STATM_COLUMNS, METRIC_STATM_FIRST, METRIC_STATM_LAST, v, s, e);
}

int statm_read(const char *data, size_t len, struct values *v, struct source_error *e)
{
	return statm_parse((struct span) { data, data + len }, v, NULL, e);
}
