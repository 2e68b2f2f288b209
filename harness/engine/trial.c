// SPDX-License-Identifier: MIT
/* Runs a case once. After each step the workload waits, and the engine takes snapshots. */
#include "trial.h"
#include "base/clock.h"
#include "base/memory.h"
#include "engine/workload/session.h"
#include "engine/workload/settle_plan.h"
#include "judge/judge.h"
#include "snapshot/snapshot.h"
#include <errno.h>
#include <rssck/pages.h>
#include <rssck/source.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A preempted zap subtracts its pages in two parts, and the second may stay in a CPU's part of the
 * counter. CPUs where the process ran before may also hold back counts. So settling repeats until
 * the numbers agree; each try after the first settles on all CPUs. A difference after the last try
 * is not a lag.
 */
enum { SETTLE_TRIES = 6 };

struct run {
	struct trial *t;
	const struct engine *e;
	const struct observer *observer; /* may be NULL */
	struct session session;
	struct settle_plan plan;
	char unsettled[200]; /* why the last try did not make the counters exact */
};

static void end_trial(struct run *r, enum trial_end end, const char *step, const char *why)
{
	r->t->end = end;
	r->t->reason_at = step ? strlen(step) + strlen(": ") : 0;
	snprintf(r->t->reason, sizeof(r->t->reason), "%s%s%s", step ? step : "", step ? ": " : "",
		 why);
}

static unsigned symbol(const struct trial *t, const struct step *step)
{
	if (!step)
		return t->nr_moments > 1 ? STEP_CLOSED : STEP_BASELINE;
	return step->symbol ? step->symbol : STEP_NUMBERED + (unsigned)(step - t->c->steps);
}

static struct moment *new_moment(struct trial *t, const char *name, const struct step *step)
{
	struct moment *more;

	t->moments = memory_one_more(t->moments, t->nr_moments, sizeof(*more), "a snapshot");
	more = &t->moments[t->nr_moments++];
	memset(more, 0, sizeof(*more));
	more->name = name;
	more->step = step;
	more->symbol = symbol(t, step);
	return more;
}

static void keep_reported(struct trial *t, const struct reply *reply)
{
	for (unsigned i = 0; i < reply->nr_reported; i++) {
		struct reported_number *more;

		t->reported = memory_one_more(t->reported, t->nr_reported, sizeof(*more),
					      "a snapshot");
		more = &t->reported[t->nr_reported++];
		more->moment = t->nr_moments - 1;
		memcpy(more->name, reply->reported[i].name, sizeof(more->name));
		more->value = reply->reported[i].value;
	}
}

static bool is_settled(const struct run *r, const struct snapshot *s)
{
	return snapshot_is_settled(s, &r->e->models, r->e->host.page_size);
}

/*
 * Settles the processes that were not settled at the last check. It skips the others, because with
 * 20 processes on a busy machine some zap is nearly always preempted. If a process fails to settle,
 * r->unsettled names it. Returns 0, or -1 if a process did not answer.
 */
static int settle_all(struct run *r, const struct moment *m, bool everywhere)
{
	struct request q = { .kind = REQUEST_SETTLE, .settle = r->plan };
	struct reply reply;

	q.settle.everywhere = everywhere;
	r->unsettled[0] = '\0';
	for (unsigned i = 0; i < r->session.processes; i++) {
		if (!r->session.pid[i] || (m->of[i] && is_settled(r, m->of[i])))
			continue;
		if (session_ask(&r->session, i, &q, &reply) < 0)
			return -1;
		if (reply.kind != REPLY_DONE)
			snprintf(r->unsettled, sizeof(r->unsettled), "process %u %.*s", i,
				 (int)sizeof(r->unsettled) - 32, reply.text);
	}
	return 0;
}

/* True if the process has released its mm and was not reaped. Its statm then has only zeros. */
static bool is_zombie(const struct snapshot *s)
{
	return snapshot_value(s, METRIC_STATM_SIZE) == 0;
}

/*
 * Returns the first file that could not be read for lack of resources or permission, or because the
 * process is gone (ESRCH). Such a file is missing, not wrong. Other errors come from the file's
 * contents and are judged.
 */
static const struct source_error *unseen(const struct snapshot *s)
{
	static const int wants[] = { EMFILE, ENFILE, ENOMEM, EACCES, EPERM, EAGAIN, ESRCH };

	for (int i = 0; i < SOURCE_COUNT; i++)
		for (size_t k = 0; k < sizeof(wants) / sizeof(*wants); k++)
			if (s->error[i].text[0] && s->error[i].number == wants[k])
				return &s->error[i];
	return NULL;
}

static int look_at(struct run *r, unsigned i, struct snapshot *s)
{
	const struct source_error *e;

	if (snapshot_take(s, r->session.pid[i], &r->e->host) < 0 || is_zombie(s))
		session_lost(&r->session, i, "had ended before its numbers were read");
	else if (s->moved[0])
		snprintf(r->session.why, sizeof(r->session.why),
			 "process %u of the workload ran or changed while its numbers were "
			 "read: %s",
			 i, s->moved);
	else if ((e = unseen(s)))
		snprintf(r->session.why, sizeof(r->session.why), "process %u: %s %s", i,
			 source_name(e->source), e->text);
	else
		return 0;
	return -1;
}

static int look_at_all(struct run *r, struct moment *m)
{
	for (unsigned i = 0; i < r->session.processes; i++) {
		if (!r->session.pid[i])
			continue;
		if (!m->of[i])
			m->of[i] = calloc(1, sizeof(*m->of[i]));
		if (!m->of[i])
			memory_gone("a snapshot");
		snapshot_free(m->of[i]);
		if (look_at(r, i, m->of[i]) < 0)
			return -1;
		queries_take(m->of[i]);
		if (r->t->c->flags & CASE_PAGES && r->e->host.sees_pfns)
			pages_collect(m->of[i], &r->e->host);
	}
	return 0;
}

static bool all_settled(const struct run *r, const struct moment *m)
{
	for (unsigned i = 0; i < r->session.processes; i++)
		if (m->of[i] && !is_settled(r, m->of[i]))
			return false;
	return true;
}

static int observe(struct run *r, struct moment *m, bool settle)
{
	m->threads = r->session.threads;
	m->settled = settle;
	if (!settle)
		return look_at_all(r, m);
	for (int i = 0; i < SETTLE_TRIES; i++) {
		if (settle_plan_acts(&r->plan) && settle_all(r, m, i > 0) < 0)
			return -1;
		if (look_at_all(r, m) < 0)
			return -1;
		if (all_settled(r, m))
			return 0;
	}
	/*
	 * A remaining difference is not a lag, because everything was tried. That is also assumed
	 * if the plan was a guess.
	 */
	if (!r->unsettled[0] || settle_plan_is_a_guess(&r->e->models))
		return 0;
	snprintf(r->session.why, sizeof(r->session.why), "%.*s", (int)sizeof(r->session.why) - 1,
		 r->unsettled);
	return -1;
}

/* Where the kernel forbids the zero page, memory that is only read has anonymous pages. */
static struct posting posting_here(struct posting p, const struct host *host)
{
	if (p.attributes & PAGE_ONLY_READ && host->reads_own_pages) {
		p.account = ACCOUNT_ANON;
		if (!((p.attributes | p.also) & PAGE_UNWRITABLE))
			p.attributes |= PAGE_DIRTY;
	}
	return p;
}

/*
 * Adds expected postings. A posting of 0 pages is left out, because it must not mark its account as
 * named by the step.
 */
static void expect(struct moment *m, const struct posting *p, size_t nr, const struct host *host)
{
	for (size_t i = 0; i < nr; i++)
		if (p[i].pages && m->nr_expected < 2 * POSTINGS_MAX)
			m->expected[m->nr_expected++] = posting_here(p[i], host);
}

static void expect_of_step(struct moment *m, const struct step *step, const struct host *host)
{
	for (size_t i = 0; i < step->postings.nr; i++) {
		struct posting p = step->postings.list[i];

		p.pages = pages_of(p.pages, host->huge_page_size / host->page_size);
		expect(m, &p, 1, host);
	}
}

/* Returns 0 to continue, or -1 if the observer ends the trial. */
static int show(struct run *r)
{
	if (!r->observer || r->observer->look(r->t, r->session.pid, r->observer->data))
		return 0;
	end_trial(r, TRIAL_STOPPED, NULL, "stopped");
	return -1;
}

static const char *left_undone(const struct step *step, const struct session *s)
{
	if (step->run == step_fork && !s->pid[step->child])
		return "no process was forked";
	if (step->run == step_reap && s->pid[step->child])
		return "the process has not ended";
	if (step->run == step_end_threads && s->threads > 1)
		return "the threads have not ended";
	return NULL;
}

/* Returns 0 to continue, or -1 if the trial has ended. */
static int take_step(struct run *r, size_t index)
{
	const struct step *step = &r->t->c->steps[index];
	struct request q = { .kind = REQUEST_STEP,
			     .step = (uint32_t)index,
			     .argument = step->argument };
	struct moment *m = new_moment(r->t, step->name, step);
	struct reply reply;
	enum trial_end end;

	if (session_ask(&r->session, step->process, &q, &reply) < 0) {
		end_trial(r, TRIAL_ERROR, step->name, r->session.why);
		return -1;
	}
	switch (reply.kind) {
	case REPLY_DONE:
		break;
	case REPLY_SKIP_STEP:
		m->skipped = true;
		snprintf(m->why_skipped, sizeof(m->why_skipped), "%.*s",
			 (int)sizeof(m->why_skipped) - 1, reply.text);
		break;
	case REPLY_FAIL_ONCE:
		r->t->final = true;
		/* fall through */
	case REPLY_FAIL:
		end_trial(r, TRIAL_FAILED, step->name, reply.text);
		return -1;
	default:
		end_trial(r, reply.kind == REPLY_SKIP ? TRIAL_SKIPPED : TRIAL_ERROR, step->name,
			  reply.text);
		return -1;
	}
	keep_reported(r->t, &reply);
	if (!m->skipped && left_undone(step, &r->session)) {
		end_trial(r, TRIAL_ERROR, step->name, left_undone(step, &r->session));
		return -1;
	}
	m->checked = reply.nr_checked;
	if (!m->skipped) {
		expect_of_step(m, step, &r->e->host);
		expect(m, reply.postings, reply.nr_postings, &r->e->host);
	}
	if (observe(r, m, !(step->flags & STEP_UNSETTLED)) < 0) {
		end_trial(r, TRIAL_ERROR, step->name, r->session.why);
		return -1;
	}
	end = tools_look(r->t->c, &r->e->host, m, r->session.why, sizeof(r->session.why));
	if (end != TRIAL_DONE) {
		end_trial(r, end, end == TRIAL_SKIPPED ? NULL : step->name, r->session.why);
		return -1;
	}
	return show(r);
}

/* Unmaps everything that the steps mapped. All numbers must then equal the baseline. */
static void close_trial(struct run *r)
{
	struct request q = { .kind = REQUEST_CLOSE };
	struct moment *m = new_moment(r->t, "read the numbers", NULL);
	struct reply reply;

	if (session_ask(&r->session, 0, &q, &reply) < 0 || observe(r, m, true) < 0)
		end_trial(r, TRIAL_ERROR, m->name, r->session.why);
	else
		show(r);
}

static void run_steps(struct run *r)
{
	const struct testcase *c = r->t->c;
	struct moment *m = new_moment(r->t, "baseline", NULL);

	if (observe(r, m, !(c->flags & CASE_UNSETTLED)) < 0) {
		end_trial(r, TRIAL_ERROR, "baseline", r->session.why);
		return;
	}
	if (show(r) < 0)
		return;
	for (size_t i = 0; c->steps && c->steps[i].name; i++)
		if (take_step(r, i) < 0)
			return;
	if (!(c->flags & CASE_KEEPS_MEMORY))
		close_trial(r);
}

void trial_run(struct trial *t, const struct engine *e, const struct case_registration *c,
	       const int *cpus, unsigned nr_cpus)
{
	trial_run_before(t, e, c, cpus, nr_cpus, NULL);
}

void trial_run_before(struct trial *t, const struct engine *e, const struct case_registration *c,
		      const int *cpus, unsigned nr_cpus, const struct observer *w)
{
	struct run r = { .t = t, .e = e, .observer = w };
	int64_t start = now_ms();

	*t = (struct trial) { .c = c->c, .host = &e->host, .models = &e->models };
	r.plan = settle_plan(&e->models);
	if (session_start(&r.session, e, c, cpus, nr_cpus) < 0)
		end_trial(&r, r.session.limited ? TRIAL_SKIPPED : TRIAL_ERROR, NULL, r.session.why);
	else
		run_steps(&r);
	t->leader = r.session.leader;
	session_end(&r.session);
	t->maxrss_kb = r.session.maxrss_kb;
	t->duration_ms = now_ms() - start;
}

void trial_observe(struct trial *t, const struct engine *e, const struct case_registration *c,
		   const struct observer *w)
{
	const struct host *h = &e->host;
	bool all = c->c->flags & CASE_ALL_CPUS;

	trial_run_before(t, e, c, all ? h->cpu_list : &h->cpu_list[h->nr_cpu_list - 1],
			 all ? h->nr_cpu_list : 1, w);
}
