// SPDX-License-Identifier: MIT
/*
 * How tries become a verdict: two that agree decide, and a kernel warning is final. Facts must be
 * known and the same on each CPU. Missing requirements are named.
 */
#include "tests/engine/verdict.h"

TEST(a_case_that_passes_is_run_once)
{
	assert_script(*state, &once, "p", VERDICT_PASS, "");
}

TEST(two_of_three_decide)
{
	static const char said[] = "as the script says";

	assert_script(*state, &once, "ff", VERDICT_FAIL, said);
	assert_script(*state, &once, "ee", VERDICT_ERROR, said);
	assert_script(*state, &once, "fpp", VERDICT_PASS, "");
	assert_script(*state, &once, "epp", VERDICT_PASS, "");
	assert_script(*state, &once, "fpf", VERDICT_FAIL, said);
	assert_script(*state, &once, "epe", VERDICT_ERROR, said);
	assert_script(*state, &once, "fef", VERDICT_FAIL, said);
}

TEST(a_try_that_ended_in_an_error_does_not_count)
{
	static const char said[] = "as the script says";

	assert_script(*state, &once, "fepp", VERDICT_PASS, "");
	assert_script(*state, &once, "fepf", VERDICT_FAIL, said);
	assert_script(*state, &once, "fpef", VERDICT_FAIL, said);
	assert_script(*state, &once, "efpp", VERDICT_PASS, "");
	assert_script(*state, &once, "efef", VERDICT_FAIL, said);
	assert_script(*state, &once, "feef", VERDICT_FAIL, said);
	assert_script(*state, &once, "feepp", VERDICT_PASS, "");
	assert_script(*state, &once, "feepf", VERDICT_FAIL, said);
}

TEST(repeated_errors_are_one_error_that_mentions_the_failure)
{
	assert_script(
		*state, &once, "feee", VERDICT_ERROR,
		"it failed in one try, and 3 tries of 4 ended in an error: map: as the script says");
	assert_script(*state, &once, "fpeee", VERDICT_ERROR,
		      "it failed in one try, and 3 tries of 5 ended in an error");
}

/* The second try may need an object that the first one broke. */
TEST(a_failure_is_not_lost_in_a_skip)
{
	static const char
		said[] = "it failed in one try and cannot be tried again: map: as the script says";

	assert_script(*state, &once, "fs", VERDICT_ERROR, said);
	assert_script(*state, &once, "fps", VERDICT_ERROR, said);
}

/* A bug may show only in the first try ("o"), so a second try would hide the failure. */
TEST(a_case_that_fails_once_is_not_tried_again)
{
	assert_script(*state, &once, "o", VERDICT_FAIL, "as the script says");
	assert_script(*state, &once, "eo", VERDICT_FAIL, "as the script says");
}

static void assert_history(struct engine *e, const char *letters, const char *words)
{
	OWNED(result_free) struct result r = run_script(e, &once, letters);
	char buf[1000];

	assert_string_equal(tries_words(&r, buf, sizeof(buf)), words);
	assert_int_equal(r.nr_tries, strlen(letters) > 1 ? strlen(letters) : 0);
	assert_int_equal(result_retried(&r),
			 strspn(letters, (char[]) { letters[0], '\0' }) < strlen(letters));
}

TEST(a_verdict_lists_its_tries)
{
	assert_history(*state, "p", "");
	assert_history(*state, "fpp",
		       "passed, 2 of 3 tries; the first failed: map: as the script says");
	assert_history(*state, "ff", "failed, 2 of 2 tries");
	assert_history(*state, "fpf", "failed, 2 of 3 tries; the second passed");
	assert_history(*state, "epfp",
		       "passed, 2 of 4 tries; the first ended in an error: map: as the script "
		       "says; the third failed: map: as the script says");
	assert_history(
		*state, "fs",
		"ended in an error, 1 of 2 tries; the first failed: map: as the script says");
}

TEST(a_try_records_its_cpu)
{
	const struct engine *e = *state;
	struct testcase c = once;
	OWNED(result_free) struct result r;

	require_two_cpus(e);
	c.flags = CASE_KEEPS_MEMORY;
	r = run_script(*state, &c, "pfpp");
	assert_int_equal(r.nr_tries, 3);
	assert_int_equal(r.tries[0].cpu, e->host.cpu_list[e->host.nr_cpu_list - 1]);
	result_free(&r);
	r = run_script(*state, &once, "ff");
	assert_int_equal(r.tries[0].cpu, -1);
}

TEST(a_missing_requirement_skips_at_the_first_try)
{
	assert_script(*state, &once, "s", VERDICT_SKIP, "map: as the script says");
	assert_script(*state, &once, "es", VERDICT_SKIP, "map: as the script says");
}

TEST(a_case_is_run_on_the_last_cpu_as_well)
{
	struct testcase c = once;

	require_two_cpus(*state);
	c.flags = CASE_KEEPS_MEMORY;
	assert_script(*state, &c, "pp", VERDICT_PASS, "");
	assert_script(*state, &c, "pff", VERDICT_FAIL, "as the script says");
	assert_script(*state, &c, "pfpp", VERDICT_PASS, "");
	assert_script(*state, &c, "pee", VERDICT_ERROR, "as the script says");
	assert_script(*state, &c, "ps", VERDICT_SKIP, "as the script says");
	/* A case that fails on the first CPU is not tried on the last one. */
	assert_script(*state, &c, "ff", VERDICT_FAIL, "as the script says");
}

static void assert_judged(struct engine *e,
			  void (*judge)(const struct trial *t, struct judgement *j),
			  enum verdict verdict, const char *reason)
{
	struct testcase c = once;

	c.judge = judge;
	assert_run(e, &c, verdict, reason);
}

static void judge_first_time_only(const struct trial *t, struct judgement *j)
{
	(void)t;
	judge_true(j, MAP, nr_judged++ != 0, "this holds but the first time");
}

TEST(a_disagreement_in_one_try_is_no_finding)
{
	struct testcase c = once;
	OWNED(result_free) struct result r;

	c.judge = judge_first_time_only;
	nr_judged = 0;
	r = run(*state, &c);
	assert_verdict(&r, VERDICT_PASS, "");
	assert_int_equal(nr_judged, 3);
	for (size_t i = 0; i < r.nr_discrepancies; i++)
		assert_false(r.discrepancies[i].fails);
}

static void judge_never(const struct trial *t, struct judgement *j)
{
	(void)t;
	judge_equal(j, MAP, "a number", 7, 8, "seven is eight");
	judge_equal(j, MAP, "another", 1, 2, "one is two");
	judge_skip(j, "nothing can be said");
}

TEST(the_first_discrepancy_is_the_reason_and_the_rest_are_counted)
{
	assert_judged(*state, judge_never, VERDICT_FAIL,
		      "map: a number says 7, should be 8 pages (seven is eight); 1 more");
}

static void judge_other_step(const struct trial *t, struct judgement *j)
{
	judge_true(j, trial_moved(t, MAP, STEP_CLOSED, 0, METRIC_STATM_SIZE) == 0, true, "");
}

/* MAP is the case's only step, but its judge() names another step. */
TEST(a_judge_that_names_an_unknown_step_is_an_error)
{
	assert_judged(*state, judge_other_step, VERDICT_ERROR,
		      "the case is wrong, report this: its judge() reads");
}

/* Sanitizers would report the access before the kernel does. */
__attribute__((no_sanitize("address", "undefined"))) static void
judge_nowhere(const struct trial *t, struct judgement *j)
{
	const volatile int *nowhere = (const volatile int *)trial_snapshot(t, MAP, 7);

	judge_true(j, MAP, false, "this does not hold");
	judge_true(j, MAP, *nowhere, "there is no eighth process");
}

TEST(after_a_judge_crashes_the_next_case_is_judged)
{
	/* valgrind would report the deliberate crash. */
	if (getenv("VALGRIND"))
		skip();
	assert_judged(*state, judge_nowhere, VERDICT_ERROR,
		      "the case is wrong, report this: its judge() crashed (Segmentation fault)");
	assert_judged(*state, judge_never, VERDICT_FAIL, "map: a number says 7");
}

static void judge_dirt(const struct trial *t, struct judgement *j)
{
	(void)t;
	judge_equal(j, MAP, "smaps.Private_Dirty", 0, 25, "moved by what the step did");
	judge_equal(j, MAP, "smaps.Private_Clean", 25, 0, "moved by what the step did");
}

static void judge_dirt_and_more(const struct trial *t, struct judgement *j)
{
	judge_dirt(t, j);
	judge_equal(j, MAP, "smaps.Rss", 25, 0, "moved by what the step did");
}

/* A try takes longer than 1 ms, so in two of the rows writeback may have cleaned the pages. */
TEST(pages_that_writeback_cleaned_are_no_failure)
{
	static const struct {
		void (*judge)(const struct trial *t, struct judgement *j);
		int64_t written_back_ms;
		enum verdict verdict;
	} rows[] = {
		{ judge_dirt, 1, VERDICT_ERROR },
		{ judge_dirt, 1000000, VERDICT_FAIL },
		{ judge_dirt, 0, VERDICT_FAIL },
		{ judge_dirt_and_more, 1, VERDICT_FAIL },
	};
	struct engine *e = *state;
	int64_t before = e->host.written_back_ms;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		e->host.written_back_ms = rows[i].written_back_ms;
		assert_judged(e, rows[i].judge, rows[i].verdict,
			      rows[i].verdict == VERDICT_ERROR ? "writes dirty pages of files back"
							       : "smaps.Private_Dirty says 0");
	}
	e->host.written_back_ms = before;
}

static void judge_cannot_tell(const struct trial *t, struct judgement *j)
{
	(void)t;
	judge_skip(j, "there is no %s", "swap");
}

TEST(a_judge_that_cannot_decide_skips)
{
	assert_judged(*state, judge_cannot_tell, VERDICT_SKIP, "there is no swap");
}

/* A future kernel might count per CPU, in steps of 1024. */
TEST(a_batch_of_1024_is_a_finding)
{
	struct engine *e = *state;
	const struct testcase *calibrate = testcase_by_id("counters/calibrate");
	struct models measured = e->models;
	struct testcase c;

	assert_non_null(calibrate);
	c = *calibrate;
	c.flags = once.flags;
	c.steps = once.steps;
	assert_run(e, &c, VERDICT_PASS, "");
	e->models.of[METRIC_STAT_RSS] = (struct counter_model) { MODEL_PER_CPU, 1024 };
	assert_run(e, &c, VERDICT_FAIL, "unknown behaviour: stat.rss.batch = 1024 pages");
	/*
	 * With an unknown model only this case fails, because it claims a known model. The
	 * unsettled lag is not the reason.
	 */
	e->models.of[METRIC_STAT_RSS] = (struct counter_model) { MODEL_UNKNOWN, 7 };
	assert_run(e, &c, VERDICT_FAIL,
		   "this does not hold: stat.rss lags in one of the known ways");
	e->models = measured;
}

static void judge_five(const struct trial *t, struct judgement *j)
{
	judge_within(j, MAP, 0, "status.VmHWM", 5, 5 - nr_judged,
		     model_bound(t->models, METRIC_STATUS_VMHWM, 1), "it is five");
	judge_fact(j, "made.up", "%s", nr_judged ? "not five" : "five");
}

static void judge_five_and_two(const struct trial *t, struct judgement *j)
{
	judge_five(t, j);
	judge_true(j, MAP, false, "two is five");
}

static void judge_by_bound(const struct trial *t, struct judgement *j)
{
	int64_t bound = judge_bound(t, j, METRIC_STATUS_VMHWM, 1);

	judge_true(j, MAP, 5 >= 100 - bound && 5 <= bound, "five is enough");
}

/*
 * The kernel is not to blame, so the case does not fail. The number could not be judged, so it does
 * not pass either.
 */
TEST(a_claim_that_needs_an_unknown_model_is_an_error)
{
	static const char because[] = "the model of status.VmHWM is unknown on this "
				      "kernel: map: status.VmHWM is 5, expected 4";
	static const struct fact_known facts[] = { FACT("made.up", NULL, "five"),
						   { .name = NULL } };
	struct engine *e = *state;
	struct models measured = e->models;
	struct testcase c = once;
	struct result r;

	e->models.of[METRIC_STATUS_VMHWM] = (struct counter_model) { MODEL_UNKNOWN, 7 };
	c.facts = facts;
	c.judge = judge_five;
	nr_judged = 1;
	r = run(e, &c);
	assert_verdict(&r, VERDICT_ERROR, because);
	assert_int_equal(r.discrepancies[r.nr_discrepancies - 1].bound, -1);
	assert_false(r.discrepancies[r.nr_discrepancies - 1].fails);
	result_free(&r);
	/* Equal numbers pass with any model. */
	nr_judged = 0;
	assert_run(e, &c, VERDICT_PASS, "");
	/* A claim that needs no model can still fail. */
	nr_judged = 1;
	c.judge = judge_five_and_two;
	assert_run(e, &c, VERDICT_FAIL, "two is five");
	c.facts = NULL;
	c.judge = judge_by_bound;
	assert_run(e, &c, VERDICT_ERROR, "the model of status.VmHWM is unknown on this kernel: ");
	e->models = measured;
	nr_judged = 0;
}

TEST(all_missing_requirements_are_named)
{
	static const char *const needs[] = { "pfn", "scan", "cpus", "thp", "moonlight", NULL };
	const struct testcase c = { .needs = needs };
	struct engine bare = { .host = { .nr_cpu_list = 1 } };
	struct missing m;
	char why[320];

	assert_false(needs_are_met(&bare, &c, &m));
	assert_true(missing_has(&m, MISSING_CPUS));
	assert_false(missing_has(&m, MISSING_SWAP));
	assert_string_equal(
		missing_words(&m, why, sizeof(why)),
		"needs page frame numbers (CAP_SYS_ADMIN, /proc/kpageflags), "
		"PAGEMAP_SCAN (Linux 6.7), a second CPU, transparent huge pages, moonlight");
	bare.host = (struct host) {
		.nr_cpu_list = 2, .sees_pfns = true, .has_scan = true, .huge_page_size = 1
	};
	assert_false(needs_are_met(&bare, &c, &m));
	assert_string_equal(missing_words(&m, why, sizeof(why)), "needs moonlight");
	assert_true(needs_are_met(&bare, &once, &m));
	assert_string_equal(missing_words(&m, why, sizeof(why)), "");
}

TEST(a_list_of_missing_requirements_is_truncated_to_its_buffer)
{
	static const char *const needs[] = { "pfn", "scan", "cpus", NULL };
	const struct testcase c = { .needs = needs };
	struct engine bare = { .log = -1 };
	struct missing m;
	char why[16];

	assert_false(needs_are_met(&bare, &c, &m));
	assert_string_equal(missing_words(&m, why, sizeof(why)), "needs page fram");
}

TEST(a_case_with_a_missing_requirement_does_not_run)
{
	static const char *const needs[] = { "moonlight", NULL };
	struct testcase c = once;

	c.needs = needs;
	/* The case is skipped before it reads a letter of the script. */
	assert_script(*state, &c, "", VERDICT_SKIP, "needs moonlight");
}

TEST(ten_runs_leave_no_descriptor_open)
{
	unsigned before = open_descriptors();

	for (int i = 0; i < 10; i++)
		assert_script(*state, &once, i % 2 ? "fepp" : "ff",
			      i % 2 ? VERDICT_PASS : VERDICT_FAIL, "");
	assert_int_equal(open_descriptors(), before);
}
