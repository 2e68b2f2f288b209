// SPDX-License-Identifier: MIT
/*
 * The lag as a claim, and as a point of a curve: a counter may lag by its bound, and by no page
 * more.
 */
#include "judge/judge.h"
#include "tests/support/made_trial.h"

static const struct curve_axes axes = { "lag by threads", "threads", "pages off" };
STEP_SYMBOLS(TOUCH);
static const struct step touch = { .name = "touch", .symbol = TOUCH };

static const enum metric_id counters[] = { METRIC_STAT_RSS, METRIC_STATM_RESIDENT,
					   METRIC_STATUS_VMRSS };

/* A trial with one moment, in which every counter of the whole RSS is off by `pages`. */
static struct made_trial *off_by(int64_t pages, enum model_kind kind, unsigned batch)
{
	struct made_trial *m = made_trial();
	struct made_process p = made_process();

	made_trial_models(m, kind, batch);
	made_moment(m, touch.name, &touch, &p);
	for (size_t i = 0; i < sizeof(counters) / sizeof(*counters); i++)
		*made_value(m, 0, counters[i]) += pages * made_page(counters[i]);
	return m;
}

static struct judgement judged(const struct made_trial *m, const struct holders *h)
{
	struct judgement j = { 0 };

	judge_lag_point(&m->t, 0, &j, &axes, 7, h);
	return j;
}

static void assert_judged(int64_t off, enum model_kind kind, unsigned batch,
			  const struct holders *h, bool fails)
{
	OWNED(made_trial_end) struct made_trial *m = off_by(off, kind, batch);
	OWNED(judgement_free) struct judgement j = judged(m, h);
	const struct curve *c = curve_by_name(j.curves, j.nr_curves, axes.name);

	assert_int_equal(j.failed, fails);
	assert_int_equal(j.nr_checks, 3);
	assert_int_equal(j.nr_discrepancies, fails ? 3 : 0);
	assert_non_null(c);
	assert_int_equal(c->nr, 1);
	assert_int_equal(c->at[0], 7);
	assert_int_equal(curve_series(c, "stat.rss")->of[0], llabs(off));
	assert_int_equal(curve_series(c, "status.VmRSS")->of[0], llabs(off));
}

TEST(each_thread_holds_back_at_most_a_batch)
{
	const struct holders h = { .threads = 3, .cpus = 2, .classes = 1 };

	assert_judged(-3 * 66, MODEL_PER_THREAD, 66, &h, false);
	assert_judged(-3 * 66 - 1, MODEL_PER_THREAD, 66, &h, true);
	assert_judged(3 * 66, MODEL_PER_THREAD, 66, &h, false);
	assert_judged(3 * 66 + 1, MODEL_PER_THREAD, 66, &h, true);
}

TEST(each_cpu_holds_back_less_than_a_batch_of_each_class)
{
	const struct holders h = { .threads = 100, .cpus = 2, .classes = 3 };

	assert_judged(-2 * 31 * 3, MODEL_PER_CPU, 32, &h, false);
	assert_judged(-2 * 31 * 3 - 1, MODEL_PER_CPU, 32, &h, true);
}

TEST(an_exact_counter_has_no_lag)
{
	const struct holders h = { .threads = 100, .cpus = 64, .classes = 3 };

	assert_judged(0, MODEL_EXACT, 0, &h, false);
	assert_judged(-1, MODEL_EXACT, 0, &h, true);
}

TEST(the_curve_contains_the_bound_beside_the_lag)
{
	const struct holders h = { .threads = 3, .cpus = 2, .classes = 1 };
	OWNED(made_trial_end) struct made_trial *m = off_by(-20, MODEL_PER_THREAD, 66);
	OWNED(judgement_free) struct judgement j = judged(m, &h);

	assert_int_equal(curve_series(&j.curves[0], CURVE_BOUND "statm.resident")->of[0], 198);
	judgement_free(&j);
	made_trial_models(m, MODEL_UNKNOWN, 0);
	j = judged(m, &h);
	assert_false(j.failed);
	assert_says(j.unknown, "touch: stat.rss, one page per fault is ");
	assert_true(curve_series(&j.curves[0], CURVE_BOUND "stat.rss")->of[0] == CURVE_NO_POINT);
}

/*
 * The process touched `pages` since it settled, and the counter lacks `lag` of them. Returns true
 * if the claim holds.
 */
static bool held_back(int64_t lag, int64_t pages, enum model_kind kind, unsigned batch)
{
	OWNED(made_trial_end) struct made_trial *m = off_by(-lag, kind, batch);
	OWNED(judgement_free) struct judgement j = { 0 };
	bool holds;

	judge_held_back(&m->t, &j, touch.symbol, 0, METRIC_STATUS_VMRSS, pages);
	holds = !j.failed;
	return holds;
}

TEST(the_held_back_pages_follow_the_model)
{
	assert_true(held_back(0, 20, MODEL_EXACT, 0));
	assert_false(held_back(1, 20, MODEL_EXACT, 0));
	assert_true(held_back(20, 20, MODEL_PER_CPU, 32));
	assert_false(held_back(19, 20, MODEL_PER_CPU, 32));
	assert_false(held_back(21, 20, MODEL_PER_CPU, 32));
	assert_false(held_back(0, 20, MODEL_PER_CPU, 32));
	assert_true(held_back(1, 20, MODEL_PER_THREAD, 64));
	assert_true(held_back(20, 20, MODEL_PER_THREAD, 64));
	assert_false(held_back(0, 20, MODEL_PER_THREAD, 64));
	assert_false(held_back(21, 20, MODEL_PER_THREAD, 64));
}

/* The lag cannot be judged if the pages fill a batch, or if the model is unknown. */
TEST(a_full_batch_may_be_held_back_or_not)
{
	for (int64_t lag = 0; lag <= 32; lag += 16) {
		assert_true(held_back(lag, 32, MODEL_PER_CPU, 32));
		assert_true(held_back(lag, 32, MODEL_PER_THREAD, 32));
		assert_true(held_back(lag, 20, MODEL_UNKNOWN, 32));
	}
	assert_false(held_back(16, 31, MODEL_PER_CPU, 32));
	assert_false(held_back(0, 31, MODEL_PER_THREAD, 32));
}

/* Two claims in one step are about one number: that it rises, and that it falls. */
TEST(a_second_claim_about_one_number_can_fail)
{
	OWNED(judgement_free) struct judgement j = { 0 };

	judge_within(&j, 0, 0, "memory.stat shmem", 512, 512, 64, "it rises");
	assert_int_equal(j.failed, 0);
	assert_int_equal(j.nr_discrepancies, 1);
	judge_within(&j, 0, 0, "memory.stat shmem", 20, 0, 64, "it falls");
	assert_int_equal(j.failed, 0);
	assert_int_equal(j.nr_discrepancies, 1);
	judge_within(&j, 0, 0, "memory.stat shmem", 512, 0, 64, "it falls");
	assert_int_equal(j.failed, 1);
	assert_int_equal(j.nr_discrepancies, 2);
}
