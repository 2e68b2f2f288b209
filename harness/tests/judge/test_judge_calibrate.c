// SPDX-License-Identifier: MIT
/* How made-up staircases become models, and models become bounds. */
#include "judge/calibrate.h"
#include "tests/support/made_up.h"
#include "tests/support/test.h"

enum { TOUCHES = 4097, THRESHOLD = 66 };

struct made_staircase {
	int64_t said[TOUCHES];
	size_t n;
};

/*
 * A counter that shows pages in batches of `batch`. At the beginning `residue` pages are pending.
 */
static struct made_staircase staircase(int64_t batch, int64_t residue, size_t jumps)
{
	struct made_staircase s = { .said = { 1000 }, .n = 1 };
	int64_t held = residue;

	while (jumps) {
		assert_true(s.n < TOUCHES);
		s.said[s.n] = s.said[s.n - 1];
		if (++held >= batch) {
			s.said[s.n] += held;
			held = 0;
			jumps--;
		}
		s.n++;
	}
	return s;
}

/* The staircase of a counter that holds back per CPU or per thread, as measure.c drives it. */
static struct staircase per_cpu(const struct made_staircase *s, int64_t batch)
{
	int64_t held = batch / 2;

	return (struct staircase) { s->said, s->n, held, batch, batch - held, batch - held, false };
}

static struct staircase per_thread(const struct made_staircase *s)
{
	return (struct staircase) { s->said,   s->n,      THRESHOLD / 2, THRESHOLD,
				    THRESHOLD, THRESHOLD, true };
}

static void assert_model(const struct staircase *c, enum model_kind kind, unsigned batch)
{
	struct counter_model m = model_from_staircase(c);

	assert_string_equal(model_kind_name(m.kind), model_kind_name(kind));
	assert_int_equal(m.batch, batch);
}

TEST(a_counter_that_shows_every_page_is_exact)
{
	struct made_staircase s = staircase(1, 0, 10);

	assert_model(&(struct staircase) { .said = s.said, .n = s.n }, MODEL_EXACT, 0);
	/*
	 * This counter is recorded together with one of the same class that lags. The further
	 * measurements belong to the lagging counter.
	 */
	struct staircase c = per_cpu(&s, 32);

	assert_model(&c, MODEL_EXACT, 0);
}

TEST(per_cpu_batches_are_measured_with_any_residue)
{
	static const int64_t batches[] = { 32, 64, 2 * 192 };

	for (size_t i = 0; i < sizeof(batches) / sizeof(*batches); i++) {
		for (int64_t residue = 0; residue < batches[i]; residue++) {
			struct made_staircase s = staircase(batches[i], residue, 4);
			struct staircase c = per_cpu(&s, batches[i]);

			assert_model(&c, MODEL_PER_CPU, (unsigned)batches[i]);
		}
	}
}

/* A fault may map several pages, so the first jump may show any number of pages. */
TEST(per_thread_batches_are_measured_with_any_residue)
{
	for (int64_t residue = 0; residue < THRESHOLD; residue++) {
		for (int64_t first = -5; first <= 500; first += 101) {
			struct made_staircase s = staircase(THRESHOLD, residue, 4);
			size_t i = 1;

			while (s.said[i] == s.said[0])
				i++;
			for (; i < s.n; i++)
				s.said[i] += first;

			struct staircase c = per_thread(&s);

			assert_model(&c, MODEL_PER_THREAD, THRESHOLD);
		}
	}
}

TEST(one_cpu_is_enough)
{
	struct made_staircase s = staircase(32, 7, 4), t = staircase(THRESHOLD, 7, 4);
	struct staircase cpu = per_cpu(&s, 32), thread = per_thread(&t);

	cpu.gap_there = cpu.after_move = 0;
	thread.gap_there = thread.after_move = 0;
	assert_model(&cpu, MODEL_PER_CPU, 32);
	assert_model(&thread, MODEL_PER_THREAD, THRESHOLD);
}

/*
 * The batch is measured and not looked up. Any batch is accepted, and counters/calibrate reports an
 * unknown one as a finding.
 */
TEST(a_batch_of_no_known_kernel_is_measured)
{
	struct made_staircase s = staircase(1024, 1023, 4);
	struct staircase c = per_cpu(&s, 1024);

	assert_model(&c, MODEL_PER_CPU, 1024);
}

TEST(two_jumps_are_no_period)
{
	struct made_staircase s = staircase(1024, 1023, 2);
	struct staircase c = per_cpu(&s, 1024);

	assert_model(&c, MODEL_UNKNOWN, 1024);
}

TEST(irregular_gaps_are_unknown)
{
	struct made_staircase s = staircase(32, 0, 5);

	/* The third jump comes one touch early, with the pages held back until then. */
	s.said[95] = s.said[94] + 31;
	s.said[96] = s.said[95];
	for (size_t i = 97; i < 128; i++)
		s.said[i] = s.said[95];
	s.said[128] = s.said[127] + 33;

	struct staircase c = per_cpu(&s, 32);

	assert_int_equal(model_from_staircase(&c).kind, MODEL_UNKNOWN);
}

TEST(a_jump_that_differs_from_its_gap_is_unknown)
{
	for (int64_t off = -1; off <= 1; off += 2) {
		struct made_staircase s = staircase(32, 5, 4);

		s.said[s.n - 1] += off;

		struct staircase c = per_cpu(&s, 32);

		assert_model(&c, MODEL_UNKNOWN, (unsigned)(32 + off));
	}
}

TEST(a_different_batch_on_the_second_cpu_is_unknown)
{
	struct made_staircase s = staircase(32, 0, 4);
	struct staircase c = per_cpu(&s, 32);

	c.gap_there = 33;
	assert_model(&c, MODEL_UNKNOWN, 32);
	c.gap_there = 64;
	assert_model(&c, MODEL_UNKNOWN, 32);
	/* The batch is not a per-thread batch either. */
	c.flushed_by_faults = true;
	assert_model(&c, MODEL_UNKNOWN, 32);
}

TEST(pages_held_back_on_one_cpu_must_stay_there)
{
	struct made_staircase s = staircase(32, 0, 4);
	struct staircase c = per_cpu(&s, 32);

	c.after_move = 32; /* the held-back pages were lost, or the other CPU's jumps included them
			    */
	assert_int_equal(model_from_staircase(&c).kind, MODEL_UNKNOWN);
	c = per_cpu(&s, 32);
	c.after_other = 32; /* the other thread's pages went into a residue of that thread alone */
	assert_int_equal(model_from_staircase(&c).kind, MODEL_UNKNOWN);
}

TEST(per_thread_counts_that_faults_do_not_flush_are_unknown)
{
	struct made_staircase s = staircase(THRESHOLD, 0, 4);
	struct staircase c = per_thread(&s);

	c.flushed_by_faults = false;
	assert_int_equal(model_from_staircase(&c).kind, MODEL_UNKNOWN);
}

TEST(per_thread_counts_that_other_threads_flush_are_unknown)
{
	struct made_staircase s = staircase(THRESHOLD, 0, 4);
	struct staircase c = per_thread(&s);

	c.after_other = THRESHOLD / 2;
	assert_int_equal(model_from_staircase(&c).kind, MODEL_UNKNOWN);
	c = per_thread(&s);
	c.after_move = THRESHOLD / 2;
	assert_int_equal(model_from_staircase(&c).kind, MODEL_UNKNOWN);
}

TEST(a_counter_that_never_moves_is_unknown)
{
	static const int64_t still[TOUCHES];

	assert_model(&(struct staircase) { .said = still, .n = TOUCHES }, MODEL_UNKNOWN, 0);
	assert_model(&(struct staircase) { .said = still, .n = 1 }, MODEL_UNKNOWN, 0);
	assert_model(&(struct staircase) { .said = NULL, .n = 0 }, MODEL_UNKNOWN, 0);
}

TEST(a_counter_that_counts_each_page_twice_is_unknown)
{
	struct made_staircase s = staircase(1, 0, 10);

	for (size_t i = 0; i < s.n; i++)
		s.said[i] *= 2;
	assert_model(&(struct staircase) { .said = s.said, .n = s.n }, MODEL_UNKNOWN, 2);
}

TEST(a_counter_that_goes_down_is_unknown)
{
	struct made_staircase s = staircase(1, 0, 10);

	for (size_t i = 0; i < s.n; i++)
		s.said[i] = -s.said[i];
	assert_model(&(struct staircase) { .said = s.said, .n = s.n }, MODEL_UNKNOWN, 0);
}

static struct models all(enum model_kind kind, unsigned batch, unsigned cpus, unsigned around)
{
	struct models m = made_up_models_of(kind, batch);

	m.cpus = cpus;
	m.fault_around = around;
	return m;
}

TEST(exact_and_absent_models_have_bound_0_and_unknown_ones_none)
{
	struct models exact = all(MODEL_EXACT, 0, 4, 16), absent = all(MODEL_ABSENT, 0, 4, 16);
	struct models unknown = all(MODEL_UNKNOWN, 1024, 4, 16);

	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++) {
		assert_int_equal(model_bound(&exact, *id, 100), 0);
		assert_int_equal(model_bound(&absent, *id, 100), 0);
		assert_int_equal(model_bound(&unknown, *id, 1), -1);
		assert_int_equal(model_bound(&unknown, *id, 0), -1);
	}
}

/* The bound is batch - 1 pages on each CPU for each class that is summed; threads do not matter. */
TEST(the_bound_by_cpu_grows_with_cpus_and_classes)
{
	static const struct {
		enum metric_id id;
		int classes;
	} rows[] = {
		{ METRIC_STAT_RSS, 3 },        { METRIC_STATM_RESIDENT, 3 },
		{ METRIC_STATUS_VMRSS, 3 },    { METRIC_STATM_SHARED, 2 },
		{ METRIC_STATUS_RSSANON, 1 },  { METRIC_STATUS_RSSFILE, 1 },
		{ METRIC_STATUS_RSSSHMEM, 1 },
	};
	struct models m = all(MODEL_PER_CPU, 32, 2, 16);

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		m.cpus = 1;
		assert_int_equal(model_bound(&m, rows[i].id, 1), 31 * rows[i].classes);
		m.cpus = 2;
		assert_int_equal(model_bound(&m, rows[i].id, 1), 62 * rows[i].classes);
		assert_int_equal(model_bound(&m, rows[i].id, 100), 62 * rows[i].classes);
	}
}

/*
 * In this model a fault on cached file pages maps fault_around pages; an anonymous fault maps one.
 */
TEST(the_bound_by_thread_grows_with_threads_and_fault_around)
{
	struct models m = all(MODEL_PER_THREAD, 66, 2, 16);

	assert_int_equal(model_bound(&m, METRIC_STATUS_RSSANON, 1), 66);
	assert_int_equal(model_bound(&m, METRIC_STATUS_RSSANON, 101), 101 * 66);
	assert_int_equal(model_bound(&m, METRIC_STATUS_RSSFILE, 1), 16 * 66);
	assert_int_equal(model_bound(&m, METRIC_STATM_RESIDENT, 2), 2 * 16 * 66);
	m.fault_around = 0;
	assert_int_equal(model_bound(&m, METRIC_STATM_RESIDENT, 2), 2 * 66);
}

TEST(bounds_of_the_largest_machines_do_not_overflow)
{
	struct models cpu = all(MODEL_PER_CPU, 2 * 8192, 8192, 16);
	struct models thread = all(MODEL_PER_THREAD, 66, 8192, 1U << 20);

	assert_int_equal(model_bound(&cpu, METRIC_STAT_RSS, 1), 8192LL * 16383 * 3);
	cpu = all(MODEL_PER_CPU, UINT32_MAX, 1U << 20, 16);
	assert_true(model_bound(&cpu, METRIC_STAT_RSS, 1) ==
		    (int64_t)(1 << 20) * (UINT32_MAX - 1LL) * 3);
	/* pid_max is at most 2^22. */
	assert_true(model_bound(&thread, METRIC_STAT_RSS, 1U << 22) ==
		    (int64_t)(1 << 22) * 66 * (1 << 20));
}

static void assert_words(const struct models *m, const char *words)
{
	char buf[80];

	assert_string_equal(model_describe(m, METRIC_STAT_RSS, buf, sizeof(buf)), words);
}

TEST(each_model_has_its_text)
{
	struct models m = all(MODEL_PER_CPU, 32, 2, 16);

	assert_words(&m, "per-CPU, batch 32, 2 CPUs");
	m.cpus = 1;
	assert_words(&m, "per-CPU, batch 32, 1 CPU");
	m = all(MODEL_PER_THREAD, 66, 2, 16);
	assert_words(&m, "per-thread, batch 66 faults");
	m = all(MODEL_EXACT, 0, 2, 16);
	assert_words(&m, "exact");
	m = all(MODEL_UNKNOWN, 1024, 2, 16);
	assert_words(&m, "unknown: steps of 1024");
	m = all(MODEL_ABSENT, 0, 2, 16);
	assert_words(&m, "not printed by this kernel");
}

TEST(a_stored_peak_is_exact)
{
	struct fall f = { .guess = 32, .fewest = 1, .seen_of_few = FALL_FEW };

	assert_int_equal(model_from_fall(&f).kind, MODEL_EXACT);
	/* Only the first page was included, by chance: a thread was about to flush its count. */
	f.seen_of_few = 1;
	assert_int_equal(model_from_fall(&f).kind, MODEL_UNKNOWN);
}

TEST(a_stored_peak_lags_by_cpu)
{
	static const unsigned batches[] = { 32, 256, 320, 512, 2048, 16384 };

	for (size_t i = 0; i < sizeof(batches) / sizeof(*batches); i++) {
		struct fall f = { .fewest = batches[i], .seen_of_fewest = batches[i] };
		struct counter_model m = model_from_fall(&f);

		assert_int_equal(m.kind, MODEL_PER_CPU);
		assert_int_equal(m.batch, batches[i]);
		/*
		 * If settling did not work, the peak also includes pages that were held back
		 * before.
		 */
		f.seen_of_fewest++;
		assert_int_equal(model_from_fall(&f).kind, MODEL_UNKNOWN);
	}
}

TEST(a_stored_peak_lags_by_thread)
{
	const struct fall f = {
		.guess = 66, .fewest = 50, .seen_of_fewest = 50, .seen_of_half_after_faults = 25
	};
	struct counter_model m = model_from_fall(&f);

	assert_int_equal(m.kind, MODEL_PER_THREAD);
	assert_int_equal(m.batch, 66);
}

TEST(a_stored_peak_that_never_rises_is_unknown)
{
	const struct fall f = { .guess = 32 };

	assert_int_equal(model_from_fall(&f).kind, MODEL_UNKNOWN);
}
