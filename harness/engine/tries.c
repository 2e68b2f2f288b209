// SPDX-License-Identifier: MIT
/* Repeats a case until its verdict is certain, and merges the tries into one result. */
#include "attempt.h"
#include "judge/judge.h"
#include "trial.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ENOUGH = 2, ERRORS_MAX = 3, PAUSE_MS = 50 };

/* Pauses before the next try, because the machine may be short of resources for a moment. */
static void pause_after(unsigned tries)
{
	long ms = (long)PAUSE_MS << tries;

	nanosleep(&(struct timespec) { ms / 1000, ms % 1000 * 1000000 }, NULL);
}

/*
 * True if the verdict is certain: a pass in the first try, two passes, two failures, a skip, or two
 * errors (three after a failure).
 */
static bool is_sure(const unsigned times[VERDICT_COUNT], unsigned tries)
{
	if (tries == 1 && times[VERDICT_PASS])
		return true;
	if (times[VERDICT_PASS] == ENOUGH || times[VERDICT_FAIL] == ENOUGH || times[VERDICT_SKIP])
		return true;
	return times[VERDICT_ERROR] >= (times[VERDICT_FAIL] ? ERRORS_MAX : ENOUGH);
}

static void keep_tries(struct result *r, const struct try *tries, unsigned nr)
{
	for (unsigned i = 0; nr > 1 && i < nr && r->nr_tries < TRIES_KEPT; i++)
		r->tries[r->nr_tries++] = tries[i];
}

static void keep_remarks(struct result *r, const struct log_news *news)
{
	if (news->nr_others > 1)
		result_remark(r, "the kernel log, unrelated: %s (and %u more)", news->others,
			      news->nr_others - 1);
	else if (news->nr_others)
		result_remark(r, "the kernel log, unrelated: %s", news->others);
}

/* Turns a failure into an error, never into a skip, if no later try confirms or refutes it. */
static void keep_failure(struct attempt *last, const unsigned times[VERDICT_COUNT], unsigned nr)
{
	char reason[sizeof(last->reason)];

	if (last->verdict == VERDICT_SKIP)
		snprintf(reason, sizeof(reason),
			 "it failed in one try and cannot be tried again: %.240s", last->reason);
	else if (last->verdict == VERDICT_ERROR)
		snprintf(reason, sizeof(reason),
			 "it failed in one try, and %u tries of %u ended in an error: %.240s",
			 times[VERDICT_ERROR], nr, last->reason);
	else
		return;
	last->verdict = VERDICT_ERROR;
	memcpy(last->reason, reason, sizeof(reason));
}

static void try_until_sure(struct engine *e, const struct case_registration *c, const int *cpus,
			   unsigned nr_cpus, struct result *r, struct attempt *last)
{
	unsigned times[VERDICT_COUNT] = { 0 }, nr = 0;
	struct try tries[TRIES_MAX];

	*last = (struct attempt) { .verdict = VERDICT_ERROR };
	for (;;) {
		judgement_free(&last->judgement);
		attempt_make(last, e, c, cpus, nr_cpus);
		keep_remarks(r, &last->news);
		tries[nr] = (struct try) { last->verdict, nr_cpus == 1 ? cpus[0] : -1, "" };
		snprintf(tries[nr].reason, sizeof(tries[nr].reason), "%.239s", last->reason);
		times[last->verdict]++;
		nr++;
		if (last->final || is_sure(times, nr) || nr == TRIES_MAX)
			break;
		pause_after(nr);
	}
	if (times[VERDICT_FAIL])
		keep_failure(last, times, nr);
	tries[nr - 1].verdict = last->verdict;
	keep_tries(r, tries, nr);
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

static void add_attempt(struct result *r, struct attempt *a, bool first)
{
	static const int severity[VERDICT_COUNT] = {
		[VERDICT_PASS] = 0, [VERDICT_SKIP] = 1, [VERDICT_ERROR] = 2, [VERDICT_FAIL] = 3
	};
	bool worse = severity[a->verdict] > severity[r->verdict];

	r->nr_checks += a->judgement.nr_checks;
	if (first || worse) {
		r->verdict = a->verdict;
		snprintf(r->reason, sizeof(r->reason), "%s", a->reason);
		r->missing = a->missing;
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

void tries_make(struct engine *e, const struct case_registration *c, const int *cpus,
		unsigned nr_cpus, struct result *r, bool first)
{
	struct attempt last;

	try_until_sure(e, c, cpus, nr_cpus, r, &last);
	add_attempt(r, &last, first);
}
