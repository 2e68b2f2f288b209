// SPDX-License-Identifier: MIT
/* Turns a trial into a verdict and its reason. */
#include "attempt.h"
#include "disturbed.h"
#include "judge/judge.h"
#include "trial.h"
#include <stdio.h>
#include <string.h>

static bool facts_are_known(const struct testcase *c, const struct judgement *j, char *why,
			    size_t size)
{
	for (size_t i = 0; i < j->nr_facts; i++) {
		const struct fact_known *k = c->facts;

		while (k && k->name && strcmp(k->name, j->facts[i].name))
			k++;
		if (k && k->name &&
		    (!k->values || fact_value_is_among(j->facts[i].value, k->values)))
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
		n = snprintf(why, size, "%s%s: this does not hold: %s", first->step, who,
			     first->text);
	else
		n = snprintf(why, size, "%s%s: %s says %lld, should be %lld%s%s (%s)", first->step,
			     who, first->metric, (long long)first->counter,
			     (long long)first->precise, first->unit[0] ? " " : "", first->unit,
			     first->text);
	if (more && n > 0 && (size_t)n < size)
		snprintf(why + n, size - (size_t)n, "; %zu more", more);
}

/*
 * Names all counters whose staircase fits no model, and the number that cannot be judged for that
 * reason. `disturbed`: the measurement was disturbed or not possible, so the kernel is not to
 * blame.
 */
static void say_unknown(const struct trial *t, const struct judgement *j, bool disturbed, char *why,
			size_t size)
{
	static const enum metric_id *const lists[] = { modelled, modelled_apart };
	const char *separator = "the model of ";

	*why = '\0';
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		for (const enum metric_id *id = lists[i]; *id != METRIC_NONE; id++) {
			size_t len = strlen(why);

			if (t->models->of[*id].kind != MODEL_UNKNOWN)
				continue;
			snprintf(why + len, size - len, "%s%s", separator, metric(*id)->name);
			separator = ", ";
		}
	snprintf(why + strlen(why), size - strlen(why), " %s: %s",
		 disturbed ? "could not be measured" : "is unknown on this kernel", j->unknown);
}

static void append(char *why, size_t size, const char *first, const char *second)
{
	size_t len = strlen(why);

	snprintf(why + len, size - len, "%s%s%s", len ? "; " : "not checked here: ", first, second);
}

/* Adds to a pass what was not checked: a skipped step, or numbers that need privilege. */
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
		       "the permission to see them (root); Pss was checked instead");
}

/*
 * Returns what judge() or, if no step was possible, the first step needs. Returns NULL if nothing
 * is missing.
 */
static const char *whole_case_needs(const struct trial *t, const struct judgement *j)
{
	const char *needs = NULL;

	if (j->skip[0])
		return j->skip;
	for (size_t i = 0; i < t->nr_moments; i++) {
		const struct moment *m = &t->moments[i];

		if (m->step && !m->skipped)
			return NULL;
		if (m->skipped && !needs)
			needs = m->why_skipped;
	}
	return needs;
}

static bool only_dirt_moved(const struct judgement *j)
{
	for (size_t i = 0; i < j->nr_discrepancies; i++) {
		enum metric_id id = metric_by_name(j->discrepancies[i].metric);

		if (j->discrepancies[i].fails &&
		    (id == METRIC_NONE || !((metric(id)->with | metric(id)->without) & PAGE_DIRTY)))
			return false;
	}
	return true;
}

/*
 * Turns a failure of only clean and dirty numbers into an error if the try lasted so long that the
 * kernel may have written dirty pages back. Pages that became clean then prove nothing. Returns
 * true if the verdict is now an error.
 */
static bool may_be_written_back(struct attempt *a, const struct trial *t)
{
	int64_t limit = t->host->written_back_ms;

	if (!limit || t->duration_ms < limit || !only_dirt_moved(&a->judgement))
		return false;
	a->verdict = VERDICT_ERROR;
	snprintf(
		a->reason, sizeof(a->reason),
		"the try took %lld s, and after %lld s the kernel writes dirty pages of files back "
		"(vm.dirty_expire_centisecs): clean and dirty pages cannot be judged",
		(long long)t->duration_ms / 1000, (long long)limit / 1000);
	return true;
}

static void conclude(struct attempt *a, const struct engine *e, const struct trial *t)
{
	const char *unmoved, *needs;

	switch (t->end) {
	case TRIAL_SKIPPED:
		a->verdict = VERDICT_SKIP;
		snprintf(a->reason, sizeof(a->reason), "%s", t->reason);
		missing_add(&a->missing, MISSING_OTHER, "%s", t->reason + t->reason_at);
		return;
	case TRIAL_STOPPED:
	case TRIAL_ERROR:
		a->verdict = VERDICT_ERROR;
		snprintf(a->reason, sizeof(a->reason), "%s", t->reason);
		return;
	case TRIAL_FAILED:
		a->verdict = VERDICT_FAIL;
		a->final = t->final;
		snprintf(a->reason, sizeof(a->reason), "%s", t->reason);
		return;
	case TRIAL_DONE:
		break;
	}
	judge_trial(t, &a->judgement);
	if (a->judgement.error[0]) {
		a->verdict = VERDICT_ERROR;
		snprintf(a->reason, sizeof(a->reason), "the case is wrong, report this: %s",
			 a->judgement.error);
	} else if (a->judgement.left[0]) {
		a->verdict = VERDICT_ERROR;
		snprintf(a->reason, sizeof(a->reason),
			 "a skipped step left something behind, report this: %s",
			 a->judgement.left);
	} else if (a->judgement.failed && may_be_written_back(a, t)) {
		return;
	} else if (a->judgement.failed) {
		a->verdict = VERDICT_FAIL;
		say_first_failure(&a->judgement, a->reason, sizeof(a->reason));
	} else if (a->judgement.unknown[0]) {
		a->verdict = VERDICT_ERROR;
		say_unknown(t, &a->judgement, e->unmeasured[0], a->reason, sizeof(a->reason));
	} else if (!facts_are_known(t->c, &a->judgement, a->reason, sizeof(a->reason))) {
		a->verdict = VERDICT_FAIL;
	} else if ((needs = whole_case_needs(t, &a->judgement))) {
		a->verdict = VERDICT_SKIP;
		snprintf(a->reason, sizeof(a->reason), "%s", needs);
		missing_add(&a->missing, MISSING_OTHER, "%s", needs);
	} else if ((unmoved = judgement_unmoved(t, &a->judgement))) {
		a->verdict = VERDICT_ERROR;
		snprintf(a->reason, sizeof(a->reason),
			 "the case declares a check of how %s moves, but made no such check; see "
			 "harness/doc/cases.md",
			 unmoved);
	} else {
		remark(a, t);
	}
}

/*
 * Turns a failure into an error if other processes disturbed memory meanwhile (disturbed.h), or if
 * a counter model could not be measured (a disturbance, a limit, a refused call), because the
 * numbers prove nothing then. An error gets the same explanation.
 */
static void consider_others(struct attempt *a, const struct engine *e, const struct testcase *c,
			    const struct disturbances *before)
{
	char why[200], reason[sizeof(a->reason)];

	if (a->verdict != VERDICT_FAIL && a->verdict != VERDICT_ERROR)
		return;
	/* The hidden cases keep their result: they test how labs handle each kind of result. */
	if (c->flags & CASE_HIDDEN)
		return;
	if (e->alone || !disturbed_since(before, c->flags, why, sizeof(why)))
		snprintf(why, sizeof(why), "%s", e->unmeasured);
	if (!*why)
		return;
	snprintf(reason, sizeof(reason), "%s; %.*s", why,
		 (int)(sizeof(reason) - sizeof("; ") - strlen(why)), a->reason);
	memcpy(a->reason, reason, sizeof(reason));
	a->verdict = VERDICT_ERROR;
}

void attempt_make(struct attempt *a, struct engine *e, const struct case_registration *c,
		  const int *cpus, unsigned nr_cpus)
{
	struct disturbances before;
	struct trial t;
	pid_t leader;
	size_t len;

	*a = (struct attempt) { .verdict = VERDICT_PASS };
	disturbances_read(&before);
	trial_run(&t, e, c, cpus, nr_cpus);
	leader = t.leader;
	conclude(a, e, &t);
	trial_free(&t);
	consider_others(a, e, c->c, &before);
	log_make_cpus_drop_mm(e->host.cpu_list, e->host.nr_cpu_list);
	log_read(e->log, leader, &a->news);
	if (!a->news.complaint[0])
		return;
	/* If the numbers are wrong, too, they come first in the reason. */
	len = a->verdict == VERDICT_FAIL ? strlen(a->reason) : 0;
	a->final = true;
	a->verdict = VERDICT_FAIL;
	snprintf(a->reason + len, sizeof(a->reason) - len, "%sthe kernel log: %s", len ? "; " : "",
		 a->news.complaint);
}
