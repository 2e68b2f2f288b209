// SPDX-License-Identifier: MIT
/*
 * The curves that a run on this kernel records: the page tables rise page by page, and counters
 * follow their models.
 */
#include "tests/engine/opened.h"

/* Checks that the counter changes every `batch` pages, and only there. */
static void assert_steps(const struct curve *c, const struct series *s, unsigned batch)
{
	int64_t last = -1;

	for (size_t i = 1; i < c->nr; i++) {
		if (s->of[i] == s->of[i - 1])
			continue;
		assert_int_equal(c->at[i] - c->at[i - 1], 1);
		if (last >= 0)
			assert_int_equal(c->at[i] - last, batch);
		last = c->at[i];
	}
	assert_true(last > 0);
}

TEST(the_staircase_agrees_with_the_models)
{
	static const enum metric_id ids[] = { METRIC_STAT_RSS, METRIC_STATM_RESIDENT,
					      METRIC_STATUS_VMRSS };
	const struct curve *c = curve_by_name(engine.curves, engine.nr_curves, "staircase");
	const struct series *truth = c ? curve_series(c, CURVE_TRUTH) : NULL;

	assert_non_null(truth);
	assert_true(c->nr >= 2 && c->nr < 300);
	for (size_t i = 0; i < c->nr; i++)
		assert_int_equal(truth->of[i] - truth->of[0], c->at[i] - c->at[0]);
	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++) {
		const struct counter_model *m = &engine.models.of[ids[i]];
		const struct series *s = curve_series(c, metric(ids[i])->name);

		assert_non_null(s);
		if (m->kind == MODEL_EXACT)
			assert_memory_equal(s->of, truth->of, c->nr * sizeof(*s->of));
		else
			assert_steps(c, s, m->batch);
	}
}

static const struct case_registration *case_of(const char *id)
{
	const struct case_registration *c = case_by_id(id);

	if (!c)
		fail_msg("there is no case %s", id);
	return c;
}

static void assert_lags(const char *id, const char *name, int64_t last)
{
	const struct curve *c;
	OWNED(result_free) struct result r;

	engine_run(&engine, case_of(id), &r);
	if (r.verdict != VERDICT_PASS)
		fail_msg("%s: %s: %s", id, verdict_name(r.verdict), r.reason);
	assert_int_equal(r.nr_curves, 1);
	c = curve_by_name(r.curves, r.nr_curves, name);
	assert_non_null(c);
	assert_int_equal(c->at[0], 1);
	assert_int_equal(c->at[c->nr - 1], last);
	for (size_t i = 0; i < c->nr_series; i++) {
		char bound[64];

		if (!strncmp(c->series[i].name, CURVE_BOUND, strlen(CURVE_BOUND)))
			continue;
		snprintf(bound, sizeof(bound), CURVE_BOUND "%s", c->series[i].name);

		const struct series *most = curve_series(c, bound);

		assert_non_null(most);
		for (size_t k = 0; k < c->nr; k++)
			assert_true(c->series[i].of[k] >= 0 && c->series[i].of[k] <= most->of[k]);
	}
}

TEST(lags_stay_below_their_bounds)
{
	unsigned cpus = engine.host.nr_cpu_list;

	assert_lags("counters/lag_by_threads", "lag by threads", 100);
	assert_lags("counters/lag_by_cpus", "lag by CPUs", cpus < 64 ? cpus : 64);
}

TEST(results_own_their_curves)
{
	OWNED(results_free) struct results r = { 0 };

	engine_describe(&engine, &r);
	assert_int_equal(r.nr_curves, engine.nr_curves);
	r.curves[0].at[0] = -7;
	assert_int_equal(engine.curves[0].at[0], 0);
}

TESTS_SHARE(open_engine, close_engine);
