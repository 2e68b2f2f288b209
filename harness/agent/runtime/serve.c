// SPDX-License-Identifier: MIT
/* Runs the workload's loop: receive a request, act, reply, and wait. */
#include "runtime.h"
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
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
	p->cgroup_wrong[0] = '\0';
	agent_refused_forget();
	errno = 0;
}

static void release_all(struct workload *w)
{
	struct workload_private *p = w->private;

	for (unsigned i = 1; i < WORKLOAD_PROCESSES; i++)
		if (p->pid[i])
			workload_reap(w, i);
	if (!p->keeps_threads)
		workload_threads_end(w);
	for (unsigned i = p->nr_ranges; i-- > 0;)
		munmap(p->ranges[i].start, p->ranges[i].bytes);
	p->nr_ranges = 0;
	for (unsigned i = 0; i < p->nr_files; i++)
		close(p->files[i]);
	p->nr_files = 0;
}

static void act(struct workload *w, const struct request *q)
{
	struct workload_private *p = w->private;

	switch (q->kind) {
	case REQUEST_STEP:
		w->step = &p->c->steps[q->step];
		w->argument = q->argument;
		p->nr_acts = q->nr_acts;
		memcpy(p->acts, q->acts, sizeof(p->acts));
		w->step->run(w);
		if (*p->cgroup_wrong)
			workload_fail(w, "%s", p->cgroup_wrong);
		return;
	case REQUEST_SETTLE:
		return settle(w, &q->settle);
	default:
		return release_all(w);
	}
}

static void step_is_over(struct workload *w)
{
	if (w->private->cgroup[0])
		workload_cgroup_leave(w);
	if (w->private->reply.kind == REPLY_SKIP_STEP)
		agent_undo_step(w);
}

_Noreturn void serve(struct workload *w)
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
		if (sigsetjmp(p->step_over, 0) == 0)
			act(w, &request);
		else
			step_is_over(w);
		if (request.kind == REQUEST_STEP)
			agent_refused_skips(&p->reply);
		answer(w);
	}
}
