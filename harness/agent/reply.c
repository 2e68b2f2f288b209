// SPDX-License-Identifier: MIT
/* Builds the reply of a step: postings, numbers, and the reason for stopping. */
#include "agent.h"
#include "base/process/limits.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void workload_expect_postings(struct workload *w, struct postings p)
{
	struct reply *r = &w->private->reply;

	if (p.nr > POSTINGS_MAX - r->nr_postings)
		workload_die(w, "more than %d postings in one step", POSTINGS_MAX);
	memcpy(r->postings + r->nr_postings, p.list, p.nr * sizeof(*p.list));
	r->nr_postings += (uint32_t)p.nr;
}

void workload_checked(struct workload *w)
{
	w->private->reply.nr_checked++;
}

void workload_report(struct workload *w, const char *name, int64_t value)
{
	struct reply *r = &w->private->reply;

	if (r->nr_reported == REPORTED_MAX) {
		errno = 0; /* no call failed: what is left over is not the reason */
		workload_die(w, "more than %d numbers reported in one step", REPORTED_MAX);
	}
	if (strlen(name) >= sizeof(r->reported[0].name))
		workload_die(w, "a number's name is longer than %zu bytes: %s",
			     sizeof(r->reported[0].name) - 1, name);
	snprintf(r->reported[r->nr_reported].name, sizeof(r->reported[0].name), "%s", name);
	r->reported[r->nr_reported++].value = value;
}

void workload_report_of(struct workload *w, const char *when, const char *name, int64_t value)
{
	char whole[sizeof(w->private->reply.reported[0].name) + 1];

	snprintf(whole, sizeof(whole), "%s: %s", when, name);
	workload_report(w, whole, value);
}

/* If a limit may have caused the error, appends it to the reason and returns true. */
static bool name_limit(struct reply *r, int error)
{
	size_t len = strlen(r->text);
	char limit[128];

	if (!*limit_behind(error, limit, sizeof(limit)))
		return false;
	snprintf(r->text + len, sizeof(r->text) - len, "; %s", limit);
	return true;
}

/* True if the text ends with strerror(error), so errno is part of the reason. */
static bool is_about(const char *text, int error)
{
	const char *words = strerror(error);
	size_t len = strlen(text), of_words = strlen(words);

	return error && len >= of_words && !strcmp(text + len - of_words, words);
}

static bool is_missing(int error)
{
	return error == ENOSYS || error == ENOSPC || error == EDQUOT;
}

static bool name_filter(struct reply *r, int error)
{
	size_t len = strlen(r->text);

	if (!agent_may_be_filtered(error))
		return false;
	snprintf(r->text + len, sizeof(r->text) - len, "; %s may forbid the call",
		 error == EACCES ? "a security module (Landlock, AppArmor, SELinux)"
				 : "a filter of system calls (seccomp)");
	return true;
}

static _Noreturn void step_over(struct workload *w, enum reply_kind kind, const char *format,
				va_list args)
{
	struct reply *r = &w->private->reply;
	int error = errno;

	vsnprintf(r->text, sizeof(r->text), format, args);
	r->kind = kind == REPLY_DIE && (is_missing(error) || name_limit(r, error) ||
					name_filter(r, error))
			  ? REPLY_SKIP
			  : kind;
	/* EAGAIN has too many causes to name a limit here. */
	if (kind == REPLY_SKIP && error != EAGAIN && is_about(r->text, error))
		name_limit(r, error);
	r->nr_postings = 0;
	siglongjmp(w->private->step_over, 1);
}

#define STEPPED_OVER(function, kind)                                         \
	_Noreturn void function(struct workload *w, const char *format, ...) \
	{                                                                    \
		va_list args;                                                \
                                                                             \
		va_start(args, format);                                      \
		step_over(w, kind, format, args);                            \
	}

STEPPED_OVER(workload_skip, REPLY_SKIP)
STEPPED_OVER(workload_skip_step, REPLY_SKIP_STEP)
STEPPED_OVER(workload_fail, REPLY_FAIL)
STEPPED_OVER(workload_fail_once, REPLY_FAIL_ONCE)
STEPPED_OVER(workload_die, REPLY_DIE)
