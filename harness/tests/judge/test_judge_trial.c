// SPDX-License-Identifier: MIT
/*
 * A trial as a whole: the moments that are compared, the changes that a process makes itself, and
 * the numbers that a step may leave open.
 */
#include "judge/judge.h"
#include "tests/support/made_trial.h"

enum { N = 16 };

static const enum rule_id moved = RULE_MOVED;

static const struct step map = { .name = "map", .flags = STEP_ANY_PAGES };
static const struct step write_pages = STEP("write", NULL, MOVES(ANON_WRITE(N)));
static const struct step idle = { .name = "idle" };

/* Each test begins with the baseline and the mappings of a case; p is the process from then on. */
static struct made_trial *m;
static struct made_process p;

static struct moment *then(const struct step *step)
{
	return made_moment(m, step->name, step, &p);
}

static void start(size_t mappings)
{
	struct made_process base = made_baseline();

	m = made_trial();
	p = made_process();
	p.nr = mappings;
	made_moment(m, "baseline", NULL, &base);
	then(&map);
}

FIXTURE(begin)
{
	start(MADE_COUNT);
	return 0;
}

FIXTURE(end)
{
	made_trial_free(m);
	return 0;
}

static void again(size_t mappings)
{
	end(NULL);
	start(mappings);
}

static void put(enum made_name where, enum account account, int64_t pages, unsigned attributes,
		unsigned sharers)
{
	made_put(&p, where, (struct made_pages) { account, pages, attributes, sharers });
}

static void put_anon(int64_t pages)
{
	put(MADE_ANON, ACCOUNT_ANON, pages, PAGE_DIRTY, 1);
}

static struct judgement judged(void)
{
	struct judgement j = { 0 };

	judge_trial(&m->t, &j);
	return j;
}

static void assert_passes(void)
{
	OWNED(judgement_free) struct judgement j = judged();

	assert_nothing_found(&j);
}

static void assert_fails(enum rule_id rule, const char *metric_name)
{
	OWNED(judgement_free) struct judgement j = judged();

	assert_found(&j, rule, metric_name);
}

TEST(at_the_end_all_numbers_must_return_to_the_baseline)
{
	struct made_process base = made_baseline();

	made_moment(m, "read the numbers", NULL, &base);
	assert_passes();
	again(MADE_COUNT);
	made_put(&base, MADE_HEAP, (struct made_pages) { ACCOUNT_ANON, 1, PAGE_DIRTY, 1 });
	made_moment(m, "read the numbers", NULL, &base);
	assert_fails(moved, "status.RssAnon");
	assert_fails(moved, "smaps.Private_Dirty");
}

TEST(without_an_end_the_baseline_is_not_compared)
{
	put_anon(N);
	then(&write_pages);
	assert_passes();
}

TEST(a_step_is_compared_with_the_previous_step)
{
	for (int i = 0; i < 3; i++) {
		put_anon(N);
		then(&write_pages);
	}
	then(&idle);
	assert_passes();
	put_anon(1);
	then(&idle);
	assert_fails(moved, "statm.resident");
}

TEST(a_skipped_step_posts_nothing_and_is_not_judged)
{
	struct made_process before = p;

	put_anon(50); /* the numbers of this moment make no sense */
	then(&write_pages)->skipped = true;
	*made_value(m, 2, METRIC_STATUS_VMRSS) = -5;
	p = before;
	put_anon(N);
	then(&write_pages);
	assert_passes();
}

TEST(STEP_ANY_PAGES_leaves_only_the_invariants)
{
	assert_passes();
	*made_value(m, 1, METRIC_STATM_RESIDENT) += 1;
	assert_fails(RULE_STATM_RESIDENT, NULL);
}

TEST(exec_begins_a_new_baseline)
{
	static const struct step replaced = { .name = "exec", .flags = STEP_REPLACES };
	struct made_process other = made_baseline();

	made_put(&other, MADE_HEAP, (struct made_pages) { ACCOUNT_ANON, 30, PAGE_DIRTY, 1 });
	made_moment(m, replaced.name, &replaced, &other);
	made_moment(m, idle.name, &idle, &other);
	assert_passes();
	made_put(&other, MADE_HEAP, (struct made_pages) { ACCOUNT_ANON, 1, PAGE_DIRTY, 1 });
	made_moment(m, idle.name, &idle, &other);
	assert_fails(moved, "status.RssAnon");
}

/*
 * Another process maps this process's library, so its pages become shared without an act of the
 * step.
 */
TEST(sharing_of_background_pages_may_change)
{
	put_anon(N);
	put(MADE_TEXT, ACCOUNT_FILE, -60, 0, 1);
	put(MADE_TEXT, ACCOUNT_FILE, 60, 0, 2);
	put(MADE_VDSO, ACCOUNT_FILE, -1, 0, 100);
	put(MADE_VDSO, ACCOUNT_FILE, 1, 0, 99);
	then(&write_pages);
	assert_passes();
}

TEST(sharing_of_the_cases_own_pages_may_not_change)
{
	put_anon(N);
	put(MADE_FILE, ACCOUNT_FILE, -1, 0, 1);
	put(MADE_FILE, ACCOUNT_FILE, 1, 0, 2);
	then(&write_pages);
	assert_fails(moved, "smaps.Shared_Clean");
	assert_fails(moved, "smaps.Pss");
	assert_fails(moved, "pagemap.exclusive");
}

/* The number of background pages depends on this process alone. */
TEST(a_page_more_in_the_background_is_found)
{
	put_anon(N);
	put(MADE_TEXT, ACCOUNT_FILE, 1, 0, 2);
	then(&write_pages);
	assert_fails(moved, "smaps.Rss");
	assert_fails(moved, "status.RssFile");
}

/* A child inherits the whole heap, so in cases with children the heap is background, too. */
TEST(in_a_case_with_children_the_heap_is_background)
{
	for (unsigned children = 0; children <= 1; children++) {
		m->c.processes = children;
		put_anon(N);
		put(MADE_HEAP, ACCOUNT_ANON, -20, PAGE_DIRTY | PAGE_REFERENCED, 1);
		put(MADE_HEAP, ACCOUNT_ANON, 20, PAGE_DIRTY | PAGE_REFERENCED, 2);
		then(&write_pages);
		if (children)
			assert_passes();
		else
			assert_fails(moved, "smaps.Shared_Dirty");
		again(MADE_COUNT);
	}
}

static const struct step fork_step = STEP(
	"fork", NULL,
	MOVES(RESHARED(ANON_WRITE, 40, 1, 2), ANON_WRITE(40 + 8, .sharers = 2, .process = 1),
	      ANON_LAZYFREE(2, .process = 1),
	      ANON_WRITE(4, .also = PAGE_KSM, .sharers = 2, .process = 1), SWAPPED(5, .process = 1),
	      SWAPPED(4, .sharers = 2, .process = 1), VIRT_DATA(200, .process = 1)));

/* A process that the step has started: its mappings contain what the step posted to it. */
static void fork_it(int64_t more)
{
	struct made_process child;

	again(MADE_ANON + 1);
	m->c.processes = 1;
	put_anon(-40);
	put(MADE_ANON, ACCOUNT_ANON, 40, PAGE_DIRTY, 2);
	child = p;
	if (more)
		made_put(&child, MADE_ANON,
			 (struct made_pages) { ACCOUNT_ANON, more, PAGE_DIRTY, 2 });
	then(&fork_step);
	made_also(m, 1, &child);
}

TEST(a_new_process_must_have_its_posted_pages)
{
	fork_it(0);
	assert_passes();
	for (int64_t more = -1; more <= 1; more += 2) {
		OWNED(judgement_free) struct judgement j;

		fork_it(more);
		j = judged();
		assert_found(&j, moved, "smaps.Rss");
		assert_found(&j, moved, "smaps.Shared_Dirty");
		assert_int_equal(made_find(&j, moved, "smaps.Rss")->process, 1);
	}
}

static const struct step reap = STEP("reap", NULL, MOVES(RESHARED(ANON_WRITE, 48, 2, 1)));

TEST(an_ended_process_is_not_judged)
{
	fork_it(0);
	p = made_process();
	p.nr = MADE_ANON + 1;
	put_anon(8);
	put(MADE_ANON, ACCOUNT_ANON, -8, PAGE_DIRTY, 2);
	then(&reap);
	assert_passes();
}

static const struct step looked = STEP("look", NULL, MOVES(ANON_CLEAN(N, .also = PAGE_REFERENCED)));

TEST(an_unconstrained_metric_is_checked_if_a_step_names_it)
{
	/* Referenced is unconstrained, so it may move. */
	put_anon(N);
	put(MADE_LIBRARY, ACCOUNT_FILE, -7, 0, 3);
	put(MADE_LIBRARY, ACCOUNT_FILE, 7, PAGE_REFERENCED, 3);
	then(&write_pages);
	assert_passes();
	/* This step names Referenced. */
	put(MADE_ANON, ACCOUNT_ANON, N, PAGE_REFERENCED, 1);
	then(&looked);
	assert_passes();
	m->t.moments[3].expected[0].pages += 1;
	assert_fails(moved, "smaps.Referenced");
	m->t.moments[3].expected[0].pages -= 1;
	/* A posting for another process says nothing about this one. */
	m->t.moments[2].expected[1] = (struct posting)ANON_CLEAN(N, .also = PAGE_REFERENCED,
								 .process = 1);
	m->t.moments[2].nr_expected = 2;
	assert_passes();
}

/*
 * The step writes 16 pages, and status.RssAnon is off by `off`. Each counter may lag by its bound
 * at each moment that is not settled.
 */
static bool passes_unsettled(bool from, bool to, int64_t off)
{
	OWNED(judgement_free) struct judgement j = { 0 };
	bool failed;

	made_trial_models(m, MODEL_PER_CPU, 32);
	put_anon(N);
	then(&write_pages);
	m->t.moments[1].settled = !from;
	m->t.moments[2].settled = !to;
	*made_value(m, 2, METRIC_STATUS_RSSANON) += off * PAGE_KB;
	judge_postings(&m->t, 1, 2, 0, &j);
	failed = made_find(&j, moved, "status.RssAnon") != NULL;
	again(MADE_COUNT);
	return !failed;
}

TEST(each_unsettled_moment_adds_its_bound)
{
	enum { BOUND = 2 * 31 };

	for (int sign = -1; sign <= 1; sign += 2) {
		assert_true(passes_unsettled(false, false, 0));
		assert_false(passes_unsettled(false, false, sign));
		assert_true(passes_unsettled(false, true, sign * BOUND));
		assert_false(passes_unsettled(false, true, sign * (BOUND + 1)));
		assert_true(passes_unsettled(true, false, sign * BOUND));
		assert_false(passes_unsettled(true, false, sign * (BOUND + 1)));
		assert_true(passes_unsettled(true, true, sign * 2 * BOUND));
		assert_false(passes_unsettled(true, true, sign * (2 * BOUND + 1)));
	}
}

/* Five pages are missing, settled or not. This is noted more than once, but is not a failure. */
TEST(a_counter_of_an_unknown_model_is_not_judged)
{
	static const enum metric_id off[] = { METRIC_STAT_RSS, METRIC_STATUS_VMRSS,
					      METRIC_STATUS_RSSFILE, METRIC_STATM_SHARED };

	for (size_t i = 0; i < sizeof(off) / sizeof(*off); i++) {
		for (int settled = 0; settled < 2; settled++) {
			struct judgement j;

			m->models.of[off[i]] = (struct counter_model) { MODEL_UNKNOWN, 7 };
			then(&idle)->settled = settled;
			j = judged();
			assert_nothing_found(&j);
			assert_string_equal(j.unknown, "");
			judgement_free(&j);
			*made_value(m, 2, off[i]) -= 5 * made_page(off[i]);
			j = judged();
			assert_false(j.failed);
			assert_string_not_equal(j.unknown, "");
			for (size_t k = 0; k < j.nr_discrepancies; k++)
				assert_int_equal(j.discrepancies[k].bound, -1);
			assert_true(j.nr_discrepancies > 1);
			judgement_free(&j);
			again(MADE_COUNT);
		}
	}
}

TEST(only_counters_may_lag)
{
	made_trial_models(m, MODEL_PER_CPU, 32);
	put_anon(N);
	then(&write_pages)->settled = false;
	*made_value(m, 2, METRIC_PAGEMAP_ANON) += 1;
	*made_value(m, 2, METRIC_STATM_SIZE) += 1;
	assert_fails(moved, "pagemap.anon");
	assert_fails(moved, "statm.size");
}

static const struct step share = STEP("share", NULL, MOVES(RESHARED(ANON_WRITE, 40, 1, 3)));

/*
 * A page shared by three counts a third of 4 kB. Each mapping with pages may lose a kB, before and
 * after the step.
 */
static void share_by_three(void)
{
	again(MADE_ANON + 1);
	put_anon(-40);
	put(MADE_ANON, ACCOUNT_ANON, 40, PAGE_DIRTY, 3);
	then(&share);
}

static int64_t *pss_of_anon(void)
{
	return &m->t.moments[2].of[0]->maps[MADE_ANON].smaps[METRIC_SMAPS_PSS - METRIC_SMAPS_FIRST];
}

/*
 * With four or more mappings, rounding may hide an error of one page in Pss, but not in Rss or in
 * the split by class.
 */
TEST(three_sharers_are_rounded_by_a_kilobyte_a_mapping)
{
	/* HEAP, STACK and ANON have pages and no file; there are no children. */
	enum { HOLDING = 3 };
	struct judgement j = { 0 };
	int64_t *pss, right;

	share_by_three();
	pss = pss_of_anon();
	right = *pss;
	assert_passes();
	for (int sign = -1; sign <= 1; sign += 2) {
		*pss = right + sign * (HOLDING - 1);
		judge_postings(&m->t, 1, 2, 0, &j);
		assert_nothing_found(&j);
		/* The expected value is rounded down to a whole kB, too. */
		*pss = right + sign * (HOLDING + 2);
		judge_postings(&m->t, 1, 2, 0, &j);
		assert_found(&j, moved, "smaps.Pss");
		judgement_free(&j);
	}
}

static const struct step share_by_two = STEP("share", NULL, MOVES(RESHARED(ANON_WRITE, 40, 1, 2)));

TEST(two_sharers_are_not_rounded_at_all)
{
	put_anon(-40);
	put(MADE_ANON, ACCOUNT_ANON, 40, PAGE_DIRTY, 2);
	then(&share_by_two);
	assert_passes();
	*pss_of_anon() += 1;
	assert_fails(moved, "smaps.Pss");
}

TEST(VmPeak_and_fault_counts_never_fall)
{
	static const enum metric_id ids[] = { METRIC_STATUS_VMPEAK, METRIC_STAT_MINFLT,
					      METRIC_STAT_MAJFLT };

	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++) {
		OWNED(judgement_free) struct judgement j = { 0 };
		const struct discrepancy *d;

		then(&idle);
		*made_value(m, 2, ids[i]) -= 1;
		assert_fails(RULE_BACKWARDS, metric(ids[i])->name);
		judge_trial(&m->t, &j);
		d = made_find(&j, RULE_BACKWARDS, metric(ids[i])->name);
		assert_string_equal(d->unit, ids[i] == METRIC_STATUS_VMPEAK ? "kB" : "faults");
		again(MADE_COUNT);
	}
}

static void judge_finds(const struct trial *t, struct judgement *j)
{
	judge_equal(j, STEP_BASELINE, "a number", (int64_t)t->nr_moments, 3,
		    "there are three moments");
	judge_fact(j, "made.up", "%s", "yes");
}

TEST(the_judge_of_the_case_runs_last)
{
	OWNED(judgement_free) struct judgement j;

	m->c.judge = judge_finds;
	assert_fails(RULE_CLAIM, "a number");
	then(&idle);
	j = judged();
	assert_nothing_found(&j);
	assert_int_equal(j.nr_facts, 1);
	assert_string_equal(j.facts[0].value, "yes");
}

TEST(a_metric_that_this_kernel_lacks_is_not_judged)
{
	for (int id = 0; id < METRIC_COUNT; id++) {
		put_anon(N);
		then(&write_pages);
		for (size_t i = 0; i < m->t.nr_moments; i++) {
			m->t.moments[i].of[0]->values.have[id] = false;
			*made_value(m, i, id) = 0;
		}
		assert_passes();
		again(MADE_COUNT);
	}
}

/*
 * A step that makes fewer checks than it declares proves nothing. A step that makes more has a
 * wrong declaration.
 */
TEST(a_step_makes_exactly_its_declared_checks)
{
	static const struct step checking = { .name = "check", .checks = 2 };

	for (unsigned checked = 0; checked <= 3; checked++) {
		then(&checking)->checked = checked;
		if (checked == checking.checks)
			assert_passes();
		else
			assert_fails(RULE_STEP_CHECKS, "checks");
		again(MADE_COUNT);
	}
}

TESTS_EACH(begin, end);
