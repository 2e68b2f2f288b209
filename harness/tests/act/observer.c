// SPDX-License-Identifier: MIT
/*
 * The observer's side: a case that passes is run again without each of its acts, and must then not
 * pass. exceptions.def lists the acts that a case does not need; to list one that it needs is an
 * error, unless the row is DEPENDS or covers all acts of a step ("*").
 */
#include "act.h"
#include "base/clock.h"
#include "engine/attempt.h"
#include "engine/workload/session.h"
#include <rssck/step.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { ACTS_MAX = 16, NR_ALL = STEPS_MAX * ACTS_MAX };

/* A row of exceptions.def. As an act, "*" means all acts of the step; as a step, every step. */
struct exception {
	const char *id, *step, *act, *why;
	bool depends; /* the case may need the act on another machine or kernel */
};

static const struct exception exceptions[] = {
#define EXCEPTION(id, step, act, why) { id, step, act, why, false },
#define DEPENDS(id, step, act, why)   { id, step, act, why, true },
#include "exceptions.def"
#undef EXCEPTION
#undef DEPENDS
	{ NULL, NULL, NULL, NULL, false },
};

/* The acts of the case, as seen in the run that leaves nothing out. */
static struct {
	bool recording;
	const struct testcase *c;
	size_t nr[STEPS_MAX]; /* acts of each step; 0: the step was not done */
	char name[STEPS_MAX][ACTS_MAX][ACT_NAME];
	struct reply claims[STEPS_MAX]; /* numbers that the step moves, as the workload reported */
	int64_t slowest_ms;
	bool moved[FACTS_MAX]; /* without one of the acts the fact differs, or is not reported */
} acts;

/* The step that is left out completely, or -1. */
static int left_out = -1;

static struct {
	size_t cases, steps, acts, passed_steps, passed_acts, excepted, stale, facts, same_facts;
} count;

/* Returns true for a precaution against rare events: no number shows whether it was taken. */
static bool is_precaution(const char *name)
{
	static const char *const known[] = {
		"madvise:15" /* MADV_NOHUGEPAGE: khugepaged */,
		"prctl:1" /* PR_SET_PDEATHSIG */,
		"prctl:4" /* PR_SET_DUMPABLE */,
		"prctl:36" /* PR_SET_CHILD_SUBREAPER */,
		"prctl:1499557217" /* PR_SET_PTRACER: Yama */,
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strncmp(name, known[i], strcspn(name, "/")) && !known[i][strcspn(name, "/")])
			return true;
	return false;
}

static void add_act(uint32_t step, const char *name)
{
	size_t nr = acts.nr[step];

	if (is_precaution(name))
		return;
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(acts.name[step][i], name))
			return;
	if (nr < ACTS_MAX)
		snprintf(acts.name[step][acts.nr[step]++], ACT_NAME, "%s", name);
}

static bool claims_something(const struct step *step, const struct reply *r)
{
	return step->postings.nr || r->nr_postings || r->nr_reported ||
	       step->flags & STEP_ANY_PAGES;
}

/*
 * Records the step, and its calls if the step claims something. If a step claims nothing, leaving
 * out one of its calls need not change the verdict.
 */
static void record(const struct request *q, struct reply *r, int64_t ms)
{
	char *rest = NULL;

	if (ms > acts.slowest_ms)
		acts.slowest_ms = ms;
	acts.claims[q->step] = *r;
	add_act(q->step, ACT_STEP);
	if (!claims_something(&acts.c->steps[q->step], r))
		return;
	for (char *s = strtok_r(r->text, " ", &rest); s; s = strtok_r(NULL, " ", &rest))
		add_act(q->step, s);
}

int __real_session_ask(struct session *s, unsigned process, const struct request *q,
		       struct reply *r);
int __wrap_session_ask(struct session *s, unsigned process, const struct request *q,
		       struct reply *r)
{
	int64_t start = now_ms();
	int status;

	/*
	 * This process was never started. A wait for its reply would never end, because the leader
	 * keeps its channel open.
	 */
	if (process && !s->pid[process]) {
		snprintf(s->why, sizeof(s->why), "process %u was never started", process);
		return -1;
	}
	if (getenv(ACT_LEAVE_OUT) && !acts.recording)
		s->limit_s = (unsigned)(3 + 10 * acts.slowest_ms / 1000);
	status = __real_session_ask(s, process, q, r);
	if (acts.recording && status == 0 && q->kind == REQUEST_STEP && r->kind == REPLY_DONE)
		record(q, r, now_ms() - start);
	/* The whole step is left out, but the case still claims its effect. */
	if (status == 0 && q->kind == REQUEST_STEP && (int)q->step == left_out) {
		r->nr_postings = acts.claims[q->step].nr_postings;
		memcpy(r->postings, acts.claims[q->step].postings, sizeof(r->postings));
	}
	return status;
}

static bool same_facts(const struct result *r, const struct judgement *j)
{
	if (r->nr_facts != j->nr_facts)
		return false;
	for (size_t i = 0; i < j->nr_facts; i++)
		if (strcmp(r->facts[i].name, j->facts[i].name) ||
		    strcmp(r->facts[i].value, j->facts[i].value))
			return false;
	return true;
}

/*
 * A fact that has the same value whichever act is left out proves nothing about the acts. A fact
 * that is not reported without an act needs that act.
 */
static void look_at_facts(const struct result *r, const struct judgement *j)
{
	for (size_t i = 0; i < r->nr_facts; i++) {
		const struct fact *f = NULL;

		for (size_t k = 0; k < j->nr_facts && !f; k++)
			if (!strcmp(j->facts[k].name, r->facts[i].name))
				f = &j->facts[k];
		if (!f || strcmp(f->value, r->facts[i].value))
			acts.moved[i] = true;
	}
}

static bool passes_without(struct engine *e, const struct case_registration *c,
			   const struct result *r, size_t step, const char *act)
{
	const struct host *h = &e->host;
	const int *cpus = h->cpu_list + (c->c->flags & CASE_ONE_CPU ? h->nr_cpu_list - 1 : 0);
	struct attempt a;
	char what[64];
	bool passes;

	snprintf(what, sizeof(what), "%zu %s", step, act);
	setenv(ACT_LEAVE_OUT, what, 1);
	left_out = strcmp(act, ACT_STEP) ? -1 : (int)step;
	attempt_make(&a, e, c, cpus, c->c->flags & CASE_ALL_CPUS ? h->nr_cpu_list : 1);
	left_out = -1;
	unsetenv(ACT_LEAVE_OUT);
	/* A different reason names a check that was not possible without the act. */
	passes = a.verdict == VERDICT_PASS && !strcmp(a.reason, r->reason) &&
		 same_facts(r, &a.judgement);
	look_at_facts(r, &a.judgement);
	if (getenv("ACTS_VERBOSE"))
		fprintf(stderr, "%s\t%s\t%s\t%s: %s\n", r->id, c->c->steps[step].name, act,
			verdict_name(a.verdict), a.reason);
	judgement_free(&a.judgement);
	return passes;
}

static const struct exception *exception_of(const char *id, const char *step, const char *act)
{
	for (const struct exception *x = exceptions; x->id; x++)
		if (!strcmp(x->id, id) && (!strcmp(x->step, "*") || !strcmp(x->step, step)) &&
		    (!strcmp(x->act, "*") || !strcmp(x->act, act)))
			return x;
	return NULL;
}

/*
 * Returns false, with a message, if the case passes without the act and no exception says why, or
 * if an exception is stale.
 */
static bool try_without(struct engine *e, const struct case_registration *c, const struct result *r,
			size_t step, const char *act)
{
	const char *name = c->c->steps[step].name;
	bool passes = passes_without(e, c, r, step, act), whole = !strcmp(act, ACT_STEP);
	const struct exception *x = exception_of(r->id, name, act);

	*(whole ? &count.steps : &count.acts) += 1;
	*(whole ? &count.passed_steps : &count.passed_acts) += passes;
	if (passes && x)
		count.excepted++;
	/* An exception for all acts of a step may include acts that the case needs. */
	if (passes == (x != NULL) || (x && (x->depends || (!whole && !strcmp(x->act, "*")))))
		return true;
	count.stale += !passes;
	fprintf(stderr, "%s\t%s\t%s\t%s\n", r->id, name, act,
		passes ? "passes without it" : "a stale exception: it does not pass without it");
	return false;
}

/*
 * Returns the number of facts that no act changes and no exception names. Appends the name of the
 * first to `first`.
 */
static size_t unproved_facts(const struct result *r, char *first, size_t size)
{
	size_t bad = 0;

	for (size_t i = 0; i < r->nr_facts; i++) {
		const char *name = r->facts[i].name;

		count.facts++;
		if (acts.moved[i])
			continue;
		count.same_facts++;
		if (exception_of(r->id, ACT_FACT, name))
			continue;
		fprintf(stderr, "%s\t%s\t%s\tis the same whatever is left out\n", r->id, ACT_FACT,
			name);
		if (!bad++)
			snprintf(first, size, "fact %.60s", name);
	}
	return bad;
}

static void try_all(struct engine *e, const struct case_registration *c, struct result *r)
{
	char first[96] = "";
	size_t bad = 0;

	count.cases++;
	for (size_t i = 0; i < STEPS_MAX && c->c->steps[i].name; i++)
		for (size_t k = 0; k < acts.nr[i]; k++) {
			if (!strcmp(acts.name[i][k], ACT_STEP) &&
			    c->c->steps[i].run == step_nothing)
				continue;
			/*
			 * A random program claims nothing about a single act: only the identities
			 * are checked.
			 */
			if (c->c->steps[i].run == step_act)
				continue;
			if (try_without(e, c, r, i, acts.name[i][k]))
				continue;
			if (!bad++)
				snprintf(first, sizeof(first), "'%.40s' %s", c->c->steps[i].name,
					 acts.name[i][k]);
		}
	if (!bad)
		bad = unproved_facts(r, first, sizeof(first));
	if (!bad)
		return;
	r->verdict = VERDICT_FAIL;
	snprintf(r->reason, sizeof(r->reason), "%zu acts or facts are not proved; the first: %s",
		 bad, first);
}

void __real_engine_run(struct engine *e, const struct case_registration *c, struct result *r);
void __wrap_engine_run(struct engine *e, const struct case_registration *c, struct result *r)
{
	setrlimit(RLIMIT_CORE, &(struct rlimit) { 0, 0 });
	memset(&acts, 0, sizeof(acts));
	acts.recording = true;
	acts.c = c->c;
	setenv(ACT_LEAVE_OUT, ACT_NOTHING, 1);
	__real_engine_run(e, c, r);
	unsetenv(ACT_LEAVE_OUT);
	acts.recording = false;
	if (r->verdict == VERDICT_PASS && c->c->steps)
		try_all(e, c, r);
}

void __real_engine_close(struct engine *e);
void __wrap_engine_close(struct engine *e)
{
	if (count.cases)
		fprintf(stderr,
			"acts: %zu cases, %zu steps, %zu calls of them left out; passed: %zu "
			"steps, %zu calls, of which %zu are exceptions; %zu stale exceptions; "
			"%zu of %zu facts are the same whatever is left out\n",
			count.cases, count.steps, count.acts, count.passed_steps, count.passed_acts,
			count.excepted, count.stale, count.same_facts, count.facts);
	__real_engine_close(e);
}
