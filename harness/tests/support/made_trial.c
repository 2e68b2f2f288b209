// SPDX-License-Identifier: MIT
/* Processes and trials that no kernel has run. */
#include "made_trial.h"
#include <stdlib.h>
#include <string.h>

/* Gives this model to all modelled counters. No other number has a model. */
void made_trial_models(struct made_trial *m, enum model_kind kind, unsigned batch)
{
	for (int id = 0; id < METRIC_COUNT; id++)
		m->models.of[id] = (struct counter_model) { .kind = MODEL_ABSENT };
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++)
		m->models.of[*id] = (struct counter_model) { kind, batch };
}

struct made_trial *made_trial(void)
{
	struct made_trial *m = calloc(1, sizeof(*m));

	assert_non_null(m);
	m->host = (struct host) {
		.page_size = PAGE_BYTES, .cpus = 2, .nr_cpu_list = 2, .cpu_list = { 0, 1 }
	};
	m->models.cpus = 2;
	m->models.fault_around = 16;
	made_trial_models(m, MODEL_EXACT, 0);
	m->t = (struct trial) { .c = &m->c, .host = &m->host, .models = &m->models };
	return m;
}

void made_trial_free(struct made_trial *m)
{
	trial_free(&m->t);
	free(m);
}

void made_trial_end(struct made_trial **m)
{
	made_trial_free(*m);
}

/* Raises VmPeak to its largest value at an earlier moment. */
static void keep_peak(const struct trial *t, struct snapshot *s)
{
	for (size_t i = 0; i < t->nr_moments; i++) {
		const struct snapshot *before = t->moments[i].of[0];

		if (before &&
		    s->values.of[METRIC_STATUS_VMPEAK] < before->values.of[METRIC_STATUS_VMPEAK])
			s->values.of[METRIC_STATUS_VMPEAK] = before->values
								     .of[METRIC_STATUS_VMPEAK];
	}
}

struct moment *made_moment(struct made_trial *m, const char *name, const struct step *step,
			   const struct made_process *p)
{
	struct trial *t = &m->t;
	struct moment *at;

	t->moments = reallocarray(t->moments, t->nr_moments + 1, sizeof(*t->moments));
	assert_non_null(t->moments);
	at = &t->moments[t->nr_moments++];
	*at = (struct moment) {
		.name = name,
		.symbol = step ? step->symbol : STEP_BASELINE,
		.step = step,
		.settled = true,
		.threads = 1,
	};
	for (size_t i = 0; step && i < step->postings.nr; i++)
		at->expected[at->nr_expected++] = step->postings.list[i];
	if (p) {
		at->of[0] = made_snapshot(p);
		keep_peak(t, at->of[0]);
	}
	return at;
}

void made_also(struct made_trial *m, unsigned process, const struct made_process *p)
{
	m->t.moments[m->t.nr_moments - 1].of[process] = made_snapshot(p);
}

int64_t *made_value(struct made_trial *m, size_t moment, enum metric_id id)
{
	return &m->t.moments[moment].of[0]->values.of[id];
}

const struct discrepancy *made_find(const struct judgement *j, enum rule_id rule, const char *name)
{
	for (size_t i = 0; i < j->nr_discrepancies; i++) {
		const struct discrepancy *d = &j->discrepancies[i];

		if (d->fails && d->rule == rule &&
		    (!name || !strncmp(d->metric, name, strlen(name))))
			return d;
	}
	return NULL;
}

static void print_discrepancies(const struct judgement *j)
{
	for (size_t i = 0; i < j->nr_discrepancies; i++) {
		const struct discrepancy *d = &j->discrepancies[i];

		print_error("  %s, process %u: %s is %lld, should be %lld +- %lld%s%s (%s)\n",
			    d->step, d->process, d->metric, (long long)d->counter,
			    (long long)d->precise, (long long)d->bound, d->unit,
			    d->fails ? "" : ", allowed", d->text);
	}
}

void assert_nothing_found(const struct judgement *j)
{
	assert_true(j->nr_checks > 0);
	if (!j->failed)
		return;
	print_discrepancies(j);
	fail_msg("the numbers agree, but the judge finds an error");
}

void assert_found(const struct judgement *j, enum rule_id id, const char *name)
{
	if (j->failed && made_find(j, id, name))
		return;
	print_discrepancies(j);
	fail_msg("the judge did not find that %s is broken%s%s", rule(id)->name,
		 name ? " for " : "", name ? name : "");
}

struct made_trial *whole_process(void)
{
	struct made_trial *m = made_trial();
	struct made_process p = made_process();

	made_moment(m, "baseline", NULL, &p);
	return m;
}

struct made_trial *whole;

int whole_begin(void **state)
{
	(void)state;
	whole = whole_process();
	return 0;
}

int whole_end(void **state)
{
	(void)state;
	made_trial_free(whole);
	return 0;
}

void whole_again(void)
{
	whole_end(NULL);
	whole_begin(NULL);
}

int64_t *whole_value(enum metric_id id)
{
	return made_value(whole, 0, id);
}

bool whole_breaks(enum rule_id id, const char *name)
{
	OWNED(judgement_free) struct judgement j = { 0 };
	bool found;

	judge_invariants(&whole->t, 0, 0, &j);
	found = made_find(&j, id, name) != NULL;
	assert_true(j.failed || !found);
	return found;
}

void assert_whole_agrees(void)
{
	OWNED(judgement_free) struct judgement j = { 0 };

	judge_invariants(&whole->t, 0, 0, &j);
	assert_nothing_found(&j);
}
