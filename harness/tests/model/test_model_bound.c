// SPDX-License-Identifier: MIT
/* The bound of each number: from its own model, or from that of a number on which it depends. */
#include "tests/support/test.h"
#include <rssck/model.h>

enum { CPUS = 2, BATCH = 32, OF_ONE_CLASS = CPUS * (BATCH - 1), OF_ALL = 3 * OF_ONE_CLASS };

/* No counter lags, and those outside the RSS family were not measured. */
static struct models all_exact(void)
{
	struct models m = { .cpus = CPUS, .fault_around = 16 };

	for (int id = 0; id < METRIC_COUNT; id++)
		m.of[id].kind = MODEL_ABSENT;
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++)
		m.of[*id].kind = MODEL_EXACT;
	return m;
}

static const struct counter_model per_cpu = { MODEL_PER_CPU, BATCH };

TEST(a_peak_lags_though_stat_is_exact)
{
	struct models m = all_exact();

	m.of[METRIC_STATUS_VMHWM] = per_cpu;
	assert_int_equal(model_bound(&m, METRIC_STAT_RSS, 1), 0);
	assert_int_equal(model_bound(&m, METRIC_STATUS_VMHWM, 1), OF_ALL);
	assert_int_equal(model_bound(&m, METRIC_RUSAGE_MAXRSS, 1), OF_ALL);
}

TEST(a_peak_is_exact_though_stat_lags)
{
	struct models m = all_exact();

	m.of[METRIC_STAT_RSS] = per_cpu;
	m.of[METRIC_STATUS_VMHWM].kind = m.of[METRIC_RUSAGE_MAXRSS].kind = MODEL_EXACT;
	assert_int_equal(model_bound(&m, METRIC_STATUS_VMHWM, 1), 0);
	assert_int_equal(model_bound(&m, METRIC_RUSAGE_MAXRSS, 1), 0);
	assert_int_equal(model_bound(&m, METRIC_STAT_RSS, 1), OF_ALL);
}

/* While memory grows, ru_maxrss is the current count; later, the stored peak. */
TEST(ru_maxrss_is_as_wrong_as_the_stored_peak)
{
	struct models m = all_exact();

	m.of[METRIC_RUSAGE_MAXRSS].kind = MODEL_EXACT;
	m.of[METRIC_STATUS_VMHWM] = per_cpu;
	assert_int_equal(model_bound(&m, METRIC_RUSAGE_MAXRSS, 1), OF_ALL);
}

TEST(an_unmeasured_number_has_the_largest_bound)
{
	struct models m = all_exact();

	assert_int_equal(model_bound(&m, METRIC_OOM_SCORE, 1), 0);
	m.of[METRIC_STATUS_RSSFILE] = per_cpu;
	assert_int_equal(model_bound(&m, METRIC_STATUS_VMHWM, 1), OF_ALL);
	assert_int_equal(model_bound(&m, METRIC_OOM_SCORE, 1), OF_ALL + OF_ONE_CLASS);
	m.of[METRIC_STATM_SHARED].kind = MODEL_UNKNOWN;
	assert_int_equal(model_bound(&m, METRIC_OOM_SCORE, 1), -1);
}

TEST(VmSwap_has_its_own_model_or_that_of_RssAnon)
{
	struct models m = all_exact();

	m.of[METRIC_STATUS_VMSWAP] = per_cpu;
	assert_int_equal(model_bound(&m, METRIC_STATUS_VMSWAP, 1), OF_ONE_CLASS);
	m.of[METRIC_STATUS_RSSANON] = per_cpu;
	m.of[METRIC_STATUS_VMSWAP].kind = MODEL_EXACT;
	assert_int_equal(model_bound(&m, METRIC_STATUS_VMSWAP, 1), 0);
	m.of[METRIC_STATUS_VMSWAP].kind = MODEL_ABSENT;
	assert_int_equal(model_bound(&m, METRIC_STATUS_VMSWAP, 1), OF_ONE_CLASS);
}

TEST(the_worse_of_two_models_is_used)
{
	/* The models are ordered from the smallest lag to the largest. */
	static const struct counter_model order[] = {
		{ MODEL_ABSENT, 0 },      { MODEL_EXACT, 0 },      { MODEL_PER_CPU, 32 },
		{ MODEL_PER_THREAD, 66 }, { MODEL_PER_CPU, 1024 }, { MODEL_UNKNOWN, 7 }
	};
	const size_t nr = sizeof(order) / sizeof(*order);

	for (size_t i = 0; i < nr; i++)
		for (size_t k = 0; k < nr; k++)
			assert_ptr_equal(model_worse(&order[i], &order[k]), &order[i > k ? i : k]);
}

TEST(a_single_unknown_model_makes_the_models_unknown)
{
	static const enum metric_id *const lists[] = { modelled, modelled_apart };
	struct models m = all_exact();

	assert_true(models_are_known(&m));
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		for (const enum metric_id *id = lists[i]; *id != METRIC_NONE; id++) {
			m = all_exact();
			m.of[*id].kind = MODEL_UNKNOWN;
			assert_false(models_are_known(&m));
		}
	}
}
