// SPDX-License-Identifier: MIT
/* Reads /proc/PID/oom_score, which contains one number. */
#include "parse.h"

static int score_parse(struct span text, int64_t *score, struct source_error *e)
{
	const char *p = text.p;
	enum number n = number_signed(&p, text.end, score);

	if (n != NUMBER_OK)
		return source_fail(e, SOURCE_OOM, 0, "oom_score %s", number_complaint(n));
	if (p == text.end)
		return source_fail(e, SOURCE_OOM, 0, "is cut off: no newline at its end");
	if (*p != '\n' || p + 1 != text.end)
		return source_fail(e, SOURCE_OOM, 0, "oom_score is not a number");
	return 0;
}

int oom_score_parse(struct span text, struct values *v, struct snapshot *s, struct source_error *e)
{
	int64_t score;

	(void)s;
	values_forget(v, METRIC_OOM_SCORE, METRIC_OOM_SCORE);
	if (score_parse(text, &score, e))
		return -1;
	return value_set(v, METRIC_OOM_SCORE, score, e);
}

int oom_score_read(const char *data, size_t len, struct values *v, struct source_error *e)
{
	return oom_score_parse((struct span) { data, data + len }, v, NULL, e);
}
