// SPDX-License-Identifier: MIT
/*
 * The invariants that are not simple sums: proportional numbers with their rounding, counters
 * beside the page tables, impossible values, unreadable files.
 */
#include "judge/judge.h"
#include "tests/support/made_trial.h"
#include <errno.h>

static struct judgement judged(void)
{
	struct judgement j = { 0 };

	judge_invariants(&whole->t, 0, 0, &j);
	return j;
}

static bool breaks(enum metric_id id, int64_t value, enum rule_id rule)
{
	int64_t *v = whole_value(id), was = *v;
	bool found;

	*v = value;
	found = whole_breaks(rule, metric(id)->name);
	*v = was;
	return found;
}

/* Each mapping with pages may lose a fraction of a kB, which the rollup includes. */
TEST(smaps_rollup_exceeds_smaps_by_less_than_a_kilobyte_per_mapping)
{
	static const enum metric_id pairs[][2] = {
		{ METRIC_ROLLUP_PSS, METRIC_SMAPS_PSS },
		{ METRIC_ROLLUP_PSS_DIRTY, METRIC_SMAPS_PSS_DIRTY },
		{ METRIC_ROLLUP_SWAPPSS, METRIC_SMAPS_SWAPPSS },
		{ METRIC_ROLLUP_LOCKED, METRIC_SMAPS_LOCKED },
	};
	static const enum rule_id rule = RULE_ROUNDED;
	/* All mappings except VVAR, GATE, HUGETLB and RESERVED have resident or swapped pages. */
	enum { HOLDING = MADE_COUNT - 4 };

	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		int64_t smaps = *whole_value(pairs[i][1]);

		assert_false(breaks(pairs[i][0], smaps, rule));
		assert_false(breaks(pairs[i][0], smaps + HOLDING, rule));
		assert_true(breaks(pairs[i][0], smaps + HOLDING + 1, rule));
		assert_true(breaks(pairs[i][0], smaps - 1, rule));
	}
}

TEST(Pss_is_the_sum_of_its_three_classes_each_rounded_down)
{
	static const enum metric_id classes[] = { METRIC_ROLLUP_PSS_ANON, METRIC_ROLLUP_PSS_FILE,
						  METRIC_ROLLUP_PSS_SHMEM };
	static const enum rule_id rule = RULE_PSS_CLASSES;
	int64_t sum = 0;

	for (int i = 0; i < 3; i++)
		sum += *whole_value(classes[i]);
	assert_false(breaks(METRIC_ROLLUP_PSS, sum, rule));
	assert_false(breaks(METRIC_ROLLUP_PSS, sum + 2, rule));
	assert_true(breaks(METRIC_ROLLUP_PSS, sum + 3, rule));
	assert_true(breaks(METRIC_ROLLUP_PSS, sum - 1, rule));
	for (int i = 0; i < 3; i++)
		for (int pages = -1; pages <= 1; pages += 2) {
			*whole_value(classes[i]) += pages * PAGE_KB;
			assert_true(whole_breaks(rule, "smaps_rollup.Pss"));
			*whole_value(classes[i]) -= pages * PAGE_KB;
		}
}

TEST(each_settled_counter_equals_the_page_tables)
{
	/* After settling, the counters of the RSS must be exact, whatever their model. */
	made_trial_models(whole, MODEL_PER_CPU, 32);
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++) {
		int64_t right = *whole_value(*id);

		assert_false(breaks(*id, right, RULE_COUNTER));
		assert_true(breaks(*id, right + made_page(*id), RULE_COUNTER));
		assert_true(breaks(*id, right - made_page(*id), RULE_COUNTER));
	}
}

static void assert_bound(enum metric_id id, int64_t bound)
{
	static const enum rule_id rule = RULE_COUNTER;
	int64_t right = *whole_value(id), page = made_page(id);

	assert_int_equal(model_bound(&whole->models, id, whole->t.moments[0].threads), bound);
	assert_false(breaks(id, right + bound * page, rule));
	assert_false(breaks(id, right - bound * page, rule));
	assert_true(breaks(id, right + (bound + 1) * page, rule));
	assert_true(breaks(id, right - (bound + 1) * page, rule));
}

/*
 * The bounds are those of 2 CPUs with 31 pages a class, and of 3 threads with 66 faults of up to 16
 * file pages.
 */
TEST(an_unsettled_counter_is_off_by_at_most_its_bound)
{
	whole->t.moments[0].settled = false;
	assert_bound(METRIC_STATUS_RSSANON, 0);
	made_trial_models(whole, MODEL_PER_CPU, 32);
	assert_bound(METRIC_STATUS_RSSANON, 2 * 31);
	assert_bound(METRIC_STATM_SHARED, 2 * 31 * 2);
	assert_bound(METRIC_STAT_RSS, 2 * 31 * 3);
	made_trial_models(whole, MODEL_PER_THREAD, 66);
	whole->t.moments[0].threads = 3;
	assert_bound(METRIC_STATUS_RSSANON, 3 * 66);
}

static void assert_too_much(enum metric_id id, int64_t bound)
{
	static const enum rule_id rule = RULE_COUNTER;
	int64_t right = *whole_value(id);

	assert_false(breaks(id, right + bound * made_page(id), rule));
	assert_true(breaks(id, right + (bound + 1) * made_page(id), rule));
}

/* VmSwap lags like RssAnon. If CPUs hold it back, settling does not help. */
TEST(VmSwap_lags_like_the_RSS_counters)
{
	assert_too_much(METRIC_STATUS_VMSWAP, 0);
	made_trial_models(whole, MODEL_PER_THREAD, 66);
	assert_too_much(METRIC_STATUS_VMSWAP, 0);
	made_trial_models(whole, MODEL_PER_CPU, 32);
	assert_too_much(METRIC_STATUS_VMSWAP, 2 * 31);
	whole->t.moments[0].settled = false;
	assert_too_much(METRIC_STATUS_VMSWAP, 2 * 31);
	made_trial_models(whole, MODEL_PER_THREAD, 66);
	assert_too_much(METRIC_STATUS_VMSWAP, 66);
	made_trial_models(whole, MODEL_EXACT, 0);
	assert_too_much(METRIC_STATUS_VMSWAP, 0);
}

TEST(a_lag_within_its_bound_is_recorded_without_a_failure)
{
	OWNED(judgement_free) struct judgement j;

	whole->t.moments[0].settled = false;
	whole->models.of[METRIC_STAT_RSS] = (struct counter_model) { MODEL_PER_CPU, 32 };
	*whole_value(METRIC_STAT_RSS) -= 100;
	j = judged();
	assert_nothing_found(&j);
	assert_int_equal(j.nr_discrepancies, 1);
	assert_string_equal(j.discrepancies[0].metric, "stat.rss");
	assert_int_equal(j.discrepancies[0].precise - j.discrepancies[0].counter, 100);
	assert_int_equal(j.discrepancies[0].bound, 186);
}

TEST(an_unknown_model_turns_a_difference_into_a_note)
{
	OWNED(judgement_free) struct judgement j;

	made_trial_models(whole, MODEL_UNKNOWN, 1024);
	assert_false(breaks(METRIC_STAT_RSS, *whole_value(METRIC_STAT_RSS), RULE_COUNTER));
	whole->t.moments[0].settled = false;
	assert_false(breaks(METRIC_STAT_RSS, *whole_value(METRIC_STAT_RSS), RULE_COUNTER));
	*whole_value(METRIC_STAT_RSS) -= 1;
	j = judged();
	assert_nothing_found(&j);
	assert_says(j.unknown, ": stat.rss is ");
}

TEST(a_snapshot_is_settled_if_every_lagging_counter_agrees)
{
	const struct snapshot *s = whole->t.moments[0].of[0];

	made_trial_models(whole, MODEL_PER_CPU, 32);
	assert_true(snapshot_is_settled(s, &whole->models, PAGE_BYTES));
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++) {
		*whole_value(*id) += made_page(*id);
		assert_false(snapshot_is_settled(s, &whole->models, PAGE_BYTES));
		/*
		 * A counter with an exact model cannot lag: settling must not wait for it, and the
		 * judge must see the difference.
		 */
		whole->models.of[*id].kind = MODEL_EXACT;
		assert_true(snapshot_is_settled(s, &whole->models, PAGE_BYTES));
		whole->models.of[*id].kind = MODEL_PER_CPU;
		*whole_value(*id) -= made_page(*id);
	}
}

static bool is_size(const struct metric *m)
{
	return m->kind != KIND_EVENT && m->kind != KIND_PEAK;
}

TEST(no_size_is_negative)
{
	for (int id = 0; id < METRIC_COUNT; id++)
		if (is_size(metric(id)) && id != METRIC_STATM_SIZE)
			assert_true(breaks(id, -1, RULE_NEGATIVE));
	/*
	 * judge_absurd() checks nothing if statm.size, its limit, is negative. The identity with
	 * VmSize finds this error.
	 */
	assert_true(breaks(METRIC_STATM_SIZE, -1, RULE_STATM_SIZE));
}

TEST(no_size_exceeds_the_address_space)
{
	int64_t most = *whole_value(METRIC_STATM_SIZE);

	for (int id = 0; id < METRIC_COUNT; id++) {
		const struct metric *row = metric(id);

		if (!is_size(row) || row->source == SOURCE_PAGEMAP || row->source == SOURCE_SCAN ||
		    id == METRIC_STATM_SIZE)
			continue;
		assert_false(breaks(id, most * made_page(id), RULE_EXCEEDS));
		assert_true(breaks(id, (most + 1) * made_page(id), RULE_EXCEEDS));
	}
}

/*
 * Pages that were unmapped on one CPU may still be counted on another, but no more than it may hold
 * back.
 */
TEST(a_counter_may_exceed_the_address_space_by_its_lag)
{
	static const enum rule_id rule = RULE_EXCEEDS;
	int64_t most = *whole_value(METRIC_STATM_SIZE);

	made_trial_models(whole, MODEL_PER_CPU, 32);
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++) {
		int64_t bound;

		whole->t.moments[0].settled = true;
		assert_true(breaks(*id, (most + 1) * made_page(*id), rule));
		whole->t.moments[0].settled = false;
		bound = model_bound(&whole->models, *id, whole->t.moments[0].threads);
		assert_true(bound > 0);
		assert_false(breaks(*id, (most + bound) * made_page(*id), rule));
		assert_true(breaks(*id, (most + bound + 1) * made_page(*id), rule));
	}
	/* Numbers from page tables do not lag. */
	assert_true(breaks(METRIC_SMAPS_RSS, (most + 1) * PAGE_KB, rule));
}

/* Peaks are from the past, events are not sizes, and walks are judged mapping by mapping. */
TEST(peaks_events_and_walks_may_exceed_the_address_space)
{
	static const enum rule_id rule = RULE_EXCEEDS;
	int64_t most = *whole_value(METRIC_STATM_SIZE);

	for (int id = 0; id < METRIC_COUNT; id++) {
		enum source source = metric(id)->source;

		if (!is_size(metric(id)) || source == SOURCE_PAGEMAP || source == SOURCE_SCAN)
			assert_false(breaks(id, (most + 1) * made_page(id), rule));
	}
	whole->t.moments[0].of[0]->values.have[METRIC_STATM_SIZE] = false;
	assert_false(breaks(METRIC_STATUS_VMRSS, (most + 1) * PAGE_KB, rule));
}

TEST(an_unreadable_file_fails_and_is_named)
{
	for (int source = 0; source < SOURCE_COUNT; source++) {
		struct source_error *e = &whole->t.moments[0].of[0]->error[source];
		struct judgement j;

		*e = (struct source_error) { .source = source, .number = EACCES };
		snprintf(e->text, sizeof(e->text), "cannot be read: Permission denied");
		j = judged();
		assert_true(j.failed);
		assert_int_equal(j.nr_discrepancies, 1);
		assert_string_equal(j.discrepancies[0].metric, source_name(source));
		assert_says(j.discrepancies[0].text, "Permission denied");
		judgement_free(&j);
		whole_again();
	}
}

TEST(a_file_that_this_kernel_lacks_is_no_failure)
{
	static const int absent[] = { ENOENT, ENOTTY };

	for (int i = 0; i < 2; i++) {
		struct source_error *e = &whole->t.moments[0].of[0]->error[SOURCE_SCAN];

		*e = (struct source_error) { .source = SOURCE_SCAN,
					     .number = absent[i],
					     .text = "no" };
		assert_whole_agrees();
		whole_again();
	}
}

TESTS_EACH(whole_begin, whole_end);
