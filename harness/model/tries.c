// SPDX-License-Identifier: MIT
/* Describes the tries of a case. */
#include <rssck/verdict.h>
#include <stdarg.h>
#include <stdio.h>

bool result_retried(const struct result *r)
{
	for (size_t i = 0; i < r->nr_tries; i++)
		if (r->tries[i].verdict != r->verdict)
			return true;
	return false;
}

size_t results_retried(const struct results *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->nr; i++)
		n += result_retried(&r->of[i]);
	return n;
}

static const char *past(enum verdict v)
{
	static const char *const words[VERDICT_COUNT] = {
		[VERDICT_PASS] = "passed",
		[VERDICT_FAIL] = "failed",
		[VERDICT_SKIP] = "was skipped",
		[VERDICT_ERROR] = "ended in an error",
	};

	return words[v];
}

static const char *ordinal(size_t i)
{
	static const char *const words[TRIES_KEPT] = { "first", "second", "third",   "fourth",
						       "fifth", "sixth",  "seventh", "eighth",
						       "ninth", "tenth" };

	return words[i];
}

const char *tries_words(const struct result *r, char *buf, size_t size)
{
	size_t same = 0, len;

	buf[0] = '\0';
	if (!r->nr_tries)
		return buf;
	for (size_t i = 0; i < r->nr_tries; i++)
		same += r->tries[i].verdict == r->verdict;
	len = (size_t)snprintf(buf, size, "%s, %zu of %zu tries", past(r->verdict), same,
			       r->nr_tries);
	for (size_t i = 0; i < r->nr_tries && len < size; i++) {
		const struct try *t = &r->tries[i];

		if (t->verdict == r->verdict)
			continue;
		len += (size_t)snprintf(buf + len, size - len, "; the %s %s%s%s", ordinal(i),
					past(t->verdict), t->reason[0] ? ": " : "", t->reason);
	}
	return buf;
}

void result_remark(struct result *r, const char *format, ...)
{
	va_list args;

	if (r->nr_remarks == REMARKS_MAX)
		return;
	va_start(args, format);
	vsnprintf(r->remarks[r->nr_remarks++], REMARK_SIZE, format, args);
	va_end(args);
}
