// SPDX-License-Identifier: MIT
/*
 * The engine: from a case to its result.
 */
#include "engine.h"
#include "climb.h"
#include "copy.h"
#include "log.h"
#include "need.h"
#include "place.h"
#include "trial.h"
#include <rssck/judge.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 3, CALIBRATIONS = 3, LIMIT_S = 30 };

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* A failing verdict must reproduce, and so must an odd staircase. */
static bool is_known(const struct models *m)
{
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++)
		if (m->of[*id].kind == MODEL_UNKNOWN)
			return false;
	return true;
}

int engine_open(struct engine *e, const char *directory, unsigned limit_s, char *why, size_t size)
{
	*e = (struct engine) { .log = -1, .copy = -1, .limit_s = limit_s ? limit_s : LIMIT_S };
	if (host_probe(&e->host, why, size) < 0)
		return -1;
	if (place_workload(e, why, size) < 0 || place_directory(e, directory, why, size) < 0)
		return -1;
	copy_make(e);
	e->log = log_open();
	for (int i = 0; i < CALIBRATIONS; i++) {
		if (models_measure(e, why, size) < 0) {
			engine_close(e);
			return -1;
		}
		if (is_known(&e->models))
			break;
	}
	return 0;
}

void engine_close(struct engine *e)
{
	if (e->log >= 0)
		close(e->log);
	e->log = -1;
	copy_drop(e);
	host_close(&e->host);
	curves_free(&e->curves, &e->nr_curves);
}

void engine_describe(const struct engine *e, struct results *r)
{
	snprintf(r->kernel_release, sizeof(r->kernel_release), "%s", e->host.release);
	snprintf(r->kernel_version, sizeof(r->kernel_version), "%s", e->host.version);
	snprintf(r->machine, sizeof(r->machine), "%s", e->host.machine);
	r->page_size = e->host.page_size;
	r->cpus = e->host.nr_cpu_list;
	r->models = e->models;
	curves_copy(&r->curves, &r->nr_curves, e->curves, e->nr_curves);
	r->saw_log = e->log >= 0;
	r->saw_pfns = e->host.sees_pfns;
}

/* One try of one case on some CPUs, judged. */
struct attempt {
	enum verdict verdict;
	char reason[320];
	struct judgement judgement;
};

static bool is_known_value(const char *values, const char *value)
{
	size_t len = strlen(value);

	for (const char *v = values; v; v = strchr(v, '|') ? strchr(v, '|') + 1 : NULL)
		if (!strncmp(v, value, len) && (v[len] == '|' || v[len] == '\0'))
			return true;
	return false;
}

/* A fact of an unknown value, or one that the case does not declare, is a failure. */
static bool facts_are_known(const struct testcase *c, const struct judgement *j, char *why,
			    size_t size)
{
	for (size_t i = 0; i < j->nr_facts; i++) {
		const struct fact_known *k = c->facts;

		while (k && k->name && strcmp(k->name, j->facts[i].name))
			k++;
		if (k && k->name && (!k->values || is_known_value(k->values, j->facts[i].value)))
			continue;
		snprintf(why, size, "unknown behaviour: %s = %s (known: %s)", j->facts[i].name,
			 j->facts[i].value, k && k->values ? k->values : "none");
		return false;
	}
	return true;
}

static void say_first_failure(const struct judgement *j, char *why, size_t size)
{
	size_t more = 0;
	const struct discrepancy *first = NULL;

	for (size_t i = 0; i < j->nr_discrepancies; i++) {
		if (!j->discrepancies[i].fails)
			continue;
		more += first != NULL;
		first = first ? first : &j->discrepancies[i];
	}
	if (!first)
		return;
	char who[32] = "";

	if (first->process)
		snprintf(who, sizeof(who), ", process %u", first->process);
	int n;

	if (!strcmp(first->metric, CLAIM_IN_WORDS))
		n = snprintf(why, size, "%s%s: it is not so that %s", first->step, who,
			     first->text);
	else
		n = snprintf(why, size, "%s%s: %s says %lld, should be %lld%s (%s)", first->step,
			     who, first->metric, (long long)first->counter,
			     (long long)first->precise, first->kb ? " kB" : " pages", first->text);
	if (more && n > 0 && (size_t)n < size)
		snprintf(why + n, size - (size_t)n, "; %zu more", more);
}

static void append(char *why, size_t size, const char *first, const char *second)
{
	size_t len = strlen(why);

	snprintf(why + len, size - len, "%s%s%s", len ? "; " : "not checked here: ", first, second);
}

/* A pass that left something out says what: a step, or what only privilege shows. */
static void remark(struct attempt *a, const struct trial *t)
{
	for (size_t i = 0; i < t->nr_moments; i++) {
		char step[80];

		if (!t->moments[i].skipped)
			continue;
		snprintf(step, sizeof(step), "step '%s' needs ", t->moments[i].name);
		append(a->reason, sizeof(a->reason), step, t->moments[i].why_skipped);
	}
	if (t->c->flags & CASE_PAGES && !t->host->sees_pfns)
		append(a->reason, sizeof(a->reason), "unique page frames need ",
		       "the right to see them (root); counted by Pss");
}

static void conclude(struct attempt *a, const struct trial *t)
{
	const char *unmoved;

	switch (t->end) {
	case TRIAL_SKIPPED:
		a->verdict = VERDICT_SKIP;
		snprintf(a->reason, sizeof(a->reason), "%s", t->reason);
		return;
	case TRIAL_STOPPED:
	case TRIAL_BROKEN:
		a->verdict = VERDICT_ERROR;
		snprintf(a->reason, sizeof(a->reason), "%s", t->reason);
		return;
	case TRIAL_FAILED:
		a->verdict = VERDICT_FAIL;
		snprintf(a->reason, sizeof(a->reason), "%s", t->reason);
		return;
	case TRIAL_DONE:
		break;
	}
	judge_trial(t, &a->judgement);
	if (a->judgement.left[0]) {
		a->verdict = VERDICT_ERROR;
		snprintf(a->reason, sizeof(a->reason),
			 "a step that could not be done left something behind, report this: %s",
			 a->judgement.left);
	} else if (a->judgement.failed) {
		a->verdict = VERDICT_FAIL;
		say_first_failure(&a->judgement, a->reason, sizeof(a->reason));
	} else if (!facts_are_known(t->c, &a->judgement, a->reason, sizeof(a->reason))) {
		a->verdict = VERDICT_FAIL;
	} else if (a->judgement.skip[0]) {
		a->verdict = VERDICT_SKIP;
		snprintf(a->reason, sizeof(a->reason), "%s", a->judgement.skip);
	} else if ((unmoved = judgement_unmoved(t, &a->judgement))) {
		a->verdict = VERDICT_ERROR;
		snprintf(a->reason, sizeof(a->reason),
			 "the case is counted among those that check how %s moves, and did not; "
			 "see README.md, \"How to write a case\"",
			 unmoved);
	} else {
		remark(a, t);
	}
}

/* True if the kernel itself complained: that is final, it may say so only once. */
static bool try_once(struct engine *e, const struct case_registration *c, const int *cpus,
		     unsigned nr_cpus, struct attempt *a)
{
	struct trial t;
	char line[200];

	*a = (struct attempt) { .verdict = VERDICT_PASS };
	trial_run(&t, e, c, cpus, nr_cpus);
	conclude(a, &t);
	trial_free(&t);
	log_make_cpus_drop_mm(e->host.cpu_list, e->host.nr_cpu_list);
	if (!log_find_trouble(e->log, line, sizeof(line)))
		return false;
	/* The numbers say what is wrong, so they come first. */
	size_t len = a->verdict == VERDICT_FAIL ? strlen(a->reason) : 0;

	a->verdict = VERDICT_FAIL;
	snprintf(a->reason + len, sizeof(a->reason) - len, "%sthe kernel log: %s", len ? "; " : "",
		 line);
	return true;
}

/*
 * A case that does not pass is tried again: two of three decide. So a process
 * of somebody else's that shared a page for a moment makes no finding.
 */
static void try_until_sure(struct engine *e, const struct case_registration *c, const int *cpus,
			   unsigned nr_cpus, struct attempt *best)
{
	unsigned times[VERDICT_COUNT] = { 0 };
	char last[sizeof(best->reason) - 32] = "";

	*best = (struct attempt) { .verdict = VERDICT_PASS };
	for (unsigned i = 0; i < TRIES; i++) {
		struct attempt a;
		bool final = try_once(e, c, cpus, nr_cpus, &a);

		judgement_free(&best->judgement);
		*best = a;
		times[a.verdict]++;
		if (final || a.verdict == VERDICT_SKIP || times[a.verdict] == 2 ||
		    (i == 0 && a.verdict == VERDICT_PASS))
			return;
		if (a.reason[0])
			snprintf(last, sizeof(last), "%.280s", a.reason);
	}
	/* A pass, a failure and an error: nothing has reproduced. */
	best->verdict = VERDICT_ERROR;
	snprintf(best->reason, sizeof(best->reason), "no two of %d tries agree; %s", TRIES, last);
}

static void add_fact(struct result *r, const struct fact *f)
{
	for (size_t i = 0; i < r->nr_facts; i++) {
		if (strcmp(r->facts[i].name, f->name))
			continue;
		if (!strcmp(r->facts[i].value, f->value))
			return;
		r->verdict = VERDICT_FAIL;
		snprintf(r->reason, sizeof(r->reason),
			 "%s = %s on the first CPU and %s on the last", f->name, r->facts[i].value,
			 f->value);
		return;
	}
	if (r->nr_facts < FACTS_MAX)
		r->facts[r->nr_facts++] = *f;
}

/* What one pass found becomes part of the result; a second pass adds only what is worse. */
static void fold(struct result *r, struct attempt *a, bool first)
{
	static const int severity[VERDICT_COUNT] = {
		[VERDICT_PASS] = 0, [VERDICT_SKIP] = 1, [VERDICT_ERROR] = 2, [VERDICT_FAIL] = 3
	};
	bool worse = severity[a->verdict] > severity[r->verdict];

	r->nr_checks += a->judgement.nr_checks;
	if (first || worse) {
		r->verdict = a->verdict;
		snprintf(r->reason, sizeof(r->reason), "%s", a->reason);
		free(r->discrepancies);
		r->discrepancies = a->judgement.discrepancies;
		r->nr_discrepancies = a->judgement.nr_discrepancies;
		a->judgement.discrepancies = NULL;
		curves_free(&r->curves, &r->nr_curves);
		curves_move(&r->curves, &r->nr_curves, &a->judgement.curves,
			    &a->judgement.nr_curves);
	}
	for (size_t i = 0; i < a->judgement.nr_facts; i++)
		add_fact(r, &a->judgement.facts[i]);
	judgement_free(&a->judgement);
}

void engine_run(struct engine *e, const struct case_registration *c, struct result *r)
{
	int64_t start = now_ms();
	const struct host *h = &e->host;
	struct attempt a;

	*r = (struct result) { .c = c->c, .verdict = VERDICT_SKIP };
	case_id(c, r->id, sizeof(r->id));
	if (!needs_are_met(e, c->c, r->reason, sizeof(r->reason)))
		return;
	if (c->c->flags & CASE_ALL_CPUS) {
		try_until_sure(e, c, h->cpu_list, h->nr_cpu_list, &a);
		fold(r, &a, true);
	} else if (c->c->flags & CASE_ONE_CPU) {
		try_until_sure(e, c, &h->cpu_list[h->nr_cpu_list - 1], 1, &a);
		fold(r, &a, true);
	} else {
		try_until_sure(e, c, h->cpu_list, 1, &a);
		fold(r, &a, true);
	}
	/* An accounting bug may live on one CPU. */
	if (!(c->c->flags & (CASE_ALL_CPUS | CASE_ONE_CPU)) && h->nr_cpu_list > 1 &&
	    r->verdict == VERDICT_PASS) {
		try_until_sure(e, c, &h->cpu_list[h->nr_cpu_list - 1], 1, &a);
		fold(r, &a, false);
	}
	r->duration_ms = now_ms() - start;
}

/*
 * Late words: an mm can be dropped seconds after its process, by whichever CPU
 * still held it.
 */
size_t engine_last_words(struct engine *e, struct results *r)
{
	enum { QUIET_MS = 200, ROUNDS = 3 };
	char line[200];

	for (int i = 0; i < ROUNDS; i++) {
		log_make_cpus_drop_mm(e->host.cpu_list, e->host.nr_cpu_list);
		if (log_find_trouble(e->log, line, sizeof(line)) && r->nr) {
			struct result *last = &r->of[r->nr - 1];

			if (last->verdict == VERDICT_FAIL)
				return 0;
			r->count[last->verdict]--;
			last->verdict = VERDICT_FAIL;
			r->count[VERDICT_FAIL]++;
			snprintf(last->reason, sizeof(last->reason),
				 "the kernel log, after the last case: %s", line);
			return 1;
		}
		nanosleep(&(struct timespec) { .tv_nsec = QUIET_MS / ROUNDS * 1000000L }, NULL);
	}
	return 0;
}
