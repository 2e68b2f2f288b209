// SPDX-License-Identifier: MIT
/* Computes how much settling is needed from the measured models, for any size of machine. */
#include "settle_plan.h"

/*
 * FAULTS_ANY is more than TASK_RSS_EVENTS_THRESH. BATCH_ANY is the smallest batch of a
 * percpu_counter.
 */
enum { FAULTS_ANY = 128, BATCH_ANY = 32 };

static void want(struct settle_plan *p, const struct counter_model *m)
{
	/* A quarter more than the batch, because the kernel tests events++ > 64. */
	if (m->kind == MODEL_PER_THREAD && p->faults < m->batch + m->batch / 4)
		p->faults = m->batch + m->batch / 4;
	if (m->kind == MODEL_PER_CPU && p->batch < m->batch)
		p->batch = m->batch;
}

/* Makes the plan sufficient for any known kernel: lib/percpu_counter.c compute_batch_value(). */
static void want_any(struct settle_plan *p, unsigned cpus)
{
	if (p->faults < FAULTS_ANY)
		p->faults = FAULTS_ANY;
	if (p->batch < BATCH_ANY)
		p->batch = BATCH_ANY;
	if (p->batch < 2 * cpus)
		p->batch = 2 * cpus;
}

struct settle_plan settle_plan(const struct models *m)
{
	struct settle_plan p = { 0 };

	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++)
		want(&p, &m->of[*id]);
	/* A kernel may print exact counts, but store an approximate count as the peak. */
	want(&p, model_for(m, METRIC_STATUS_VMHWM));
	/* A guess is allowed, because the numbers show afterwards whether it was enough. */
	if (settle_plan_is_a_guess(m))
		want_any(&p, m->cpus);
	return p;
}

bool settle_plan_is_a_guess(const struct models *m)
{
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++)
		if (m->of[*id].kind == MODEL_UNKNOWN)
			return true;
	return false;
}

struct settle_plan settle_plan_any(const struct models *m, unsigned cpus)
{
	struct settle_plan p = settle_plan(m);

	want(&p, model_for(m, METRIC_RUSAGE_MAXRSS));
	want_any(&p, cpus);
	return p;
}

bool settle_plan_acts(const struct settle_plan *p)
{
	return p->faults || p->batch;
}
