// SPDX-License-Identifier: MIT
/*
 * The workload's loop: a request, an act, a reply; then stand still.
 */
#include "agent.h"
#include "base/process/limits.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void answer(struct workload *w)
{
	struct workload_private *p = w->private;

	p->reply.nr_threads = 1 + p->nr_threads;
	memcpy(p->reply.pid, p->pid, sizeof(p->pid));
	if (send(p->channel, &p->reply, sizeof(p->reply), MSG_NOSIGNAL) < 0)
		_exit(0);
}

static void begin(struct workload *w)
{
	struct workload_private *p = w->private;
	struct reply *r = &p->reply;

	p->request++;
	p->nr_files_before = p->nr_files;
	r->kind = REPLY_DONE;
	r->nr_postings = 0;
	r->nr_reported = 0;
	r->nr_checked = 0;
	r->text[0] = '\0';
	errno = 0;
}

_Noreturn void agent_serve(struct workload *w)
{
	struct workload_private *p = w->private;
	struct request request;

	for (;;) {
		ssize_t n = recv(p->channel, &request, sizeof(request), 0);

		if (n < 0 && errno == EINTR)
			continue;
		if (n != sizeof(request))
			_exit(0);
		begin(w);
		if (sigsetjmp(p->step_over, 0) == 0) {
			if (request.kind == REQUEST_STEP) {
				w->step = &p->c->steps[request.step];
				w->argument = request.argument;
				p->nr_acts = request.nr_acts;
				memcpy(p->acts, request.acts, sizeof(p->acts));
				w->step->run(w);
			} else if (request.kind == REQUEST_SETTLE) {
				agent_settle(w, &request.settle);
			} else {
				agent_release_all(w);
			}
		}
		answer(w);
	}
}

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

	if (r->nr_reported == REPORTED_MAX)
		workload_die(w, "more than %d numbers reported in one step", REPORTED_MAX);
	snprintf(r->reported[r->nr_reported].name, sizeof(r->reported[0].name), "%s", name);
	r->reported[r->nr_reported++].value = value;
}

/* What a limit of the machine has refused cannot be done here. */
static bool name_limit(struct reply *r, int error)
{
	size_t len = strlen(r->text);
	char limit[128];

	if (!*limit_behind(error, limit, sizeof(limit)))
		return false;
	snprintf(r->text + len, sizeof(r->text) - len, "; %s", limit);
	return true;
}

static _Noreturn void step_over(struct workload *w, enum reply_kind kind, const char *format,
				va_list args)
{
	struct reply *r = &w->private->reply;

	/* At first, while errno is still that of what went wrong. */
	int error = errno;

	vsnprintf(r->text, sizeof(r->text), format, args);
	r->kind = kind == REPLY_DIE && name_limit(r, error) ? REPLY_SKIP : kind;
	r->nr_postings = 0;
	if (w->private->cgroup[0])
		workload_cgroup_leave(w);
	if (kind == REPLY_SKIP_STEP)
		agent_undo_step(w);
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
STEPPED_OVER(workload_die, REPLY_DIE)
