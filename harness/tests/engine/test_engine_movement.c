// SPDX-License-Identifier: MIT
/*
 * Tests the coverage of metrics. Runs every case, then changes the recorded trial so that one of
 * the metrics that moved stays constant: the case must fail. Each of these metrics is tried.
 */
#include "engine/engine.h"
#include "engine/need.h"
#include "engine/trial.h"
#include "judge/judge.h"
#include "tests/support/test.h"

enum { LIMIT_S = 60 };

/* Pointers to every number of a trial from which a metric is computed. */
struct cells {
	int64_t **of;
	int64_t *was;
	size_t nr;
};

static void add_cell(struct cells *c, int64_t *cell)
{
	c->of = realloc(c->of, (c->nr + 1) * sizeof(*c->of));
	c->was = realloc(c->was, (c->nr + 1) * sizeof(*c->was));
	assert_true(c->of && c->was);
	c->of[c->nr] = cell;
	c->was[c->nr++] = *cell;
}

static int64_t *mapping_cell(struct mapping *m, enum metric_id id)
{
	switch (metric(id)->source) {
	case SOURCE_SMAPS:
		return &m->smaps[id - METRIC_SMAPS_FIRST];
	case SOURCE_NUMA:
		return &m->numa[id - METRIC_NUMA_FIRST];
	case SOURCE_FRAMES:
		return &m->frames[id - METRIC_FRAMES_FIRST];
	default:
		return id == METRIC_PAGEMAP_EXCLUSIVE    ? &m->pagemap.exclusive
		       : id == METRIC_PAGEMAP_SOFT_DIRTY ? &m->pagemap.soft_dirty
		       : id == METRIC_SCAN_SOFT_DIRTY    ? &m->scan.soft_dirty
							 : NULL;
	}
}

/* Returns the mapping's value when it was first seen if `first` is set, otherwise 0. */
static int64_t standing_value(const struct trial *t, unsigned process, const struct mapping *m,
			      enum metric_id id, bool first)
{
	for (size_t i = 0; first && i < t->nr_moments; i++) {
		const struct snapshot *s = t->moments[i].of[process];

		for (size_t k = 0; s && k < s->nr_maps; k++)
			if (s->maps[k].start == m->start)
				return *mapping_cell(&s->maps[k], id);
	}
	return 0;
}

static void stop_in_snapshot(struct trial *t, struct snapshot *s, unsigned process,
			     enum metric_id id, size_t from, struct cells *c)
{
	int64_t value = s->values.of[id];

	for (size_t i = t->nr_moments; i-- > from;)
		if (t->moments[i].of[process])
			value = t->moments[i].of[process]->values.of[id];
	add_cell(c, &s->values.of[id]);
	s->values.of[id] = value;
	for (size_t k = 0; k < s->nr_maps; k++) {
		int64_t *cell = mapping_cell(&s->maps[k], id);

		if (!cell)
			break;
		add_cell(c, cell);
		*cell = standing_value(t, process, &s->maps[k], id, from > 0);
	}
}

/*
 * Sets the metric in all snapshots to its value at the baseline (`from` 0) or after the first step
 * (1), and ru_maxrss to 0. The loop goes backwards because each snapshot takes the value from the
 * earliest ones.
 */
static void freeze(struct trial *t, enum metric_id id, size_t from, struct cells *c)
{
	for (size_t i = t->nr_moments; i-- > 0;)
		for (unsigned p = 0; p < WORKLOAD_PROCESSES; p++)
			if (t->moments[i].of[p])
				stop_in_snapshot(t, t->moments[i].of[p], p, id, from, c);
	if (id == METRIC_RUSAGE_MAXRSS) {
		add_cell(c, &t->maxrss_kb);
		t->maxrss_kb = 0;
	}
}

static void start_again(struct cells *c)
{
	for (size_t i = 0; i < c->nr; i++)
		*c->of[i] = c->was[i];
	free(c->of);
	free(c->was);
	*c = (struct cells) { 0 };
}

/*
 * Applies only the rules about movement. The identities would notice the change, too, but they do
 * not check movement.
 */
static void judge_movement(const struct trial *t, struct judgement *j)
{
	size_t previous = 0;

	for (size_t i = 1; i < t->nr_moments; i++) {
		const struct moment *m = &t->moments[i];

		for (unsigned p = 0; p < WORKLOAD_PROCESSES && m->step && !m->skipped; p++)
			if (m->of[p] && !(m->step->flags & (STEP_ANY_PAGES | STEP_REPLACES)))
				judge_postings(t, previous, i, p, j);
		if (!m->skipped)
			previous = i;
	}
	if (t->c->judge)
		t->c->judge(t, j);
}

static bool fails_if_stopped(struct trial *t, enum metric_id id, size_t from)
{
	struct cells c = { 0 };
	OWNED(judgement_free) struct judgement j = { 0 };
	bool failed;

	freeze(t, id, from, &c);
	judge_movement(t, &j);
	failed = j.failed;
	start_again(&c);
	return failed;
}

static unsigned stop_each(struct trial *t, const char *id)
{
	OWNED(judgement_free) struct judgement j = { 0 };
	unsigned nr = 0;

	judge_movement(t, &j);
	for (int i = 0; i < METRIC_COUNT && !j.failed && !j.skip[0]; i++) {
		if (j.moved[i] != MOVEMENT_SEEN || !case_moves(t->c, i, t->host->page_size))
			continue;
		nr++;
		if (!fails_if_stopped(t, i, 0) && !fails_if_stopped(t, i, 1))
			fail_msg("%s claims to check that %s moves, but passes if it stops", id,
				 metric(i)->name);
	}
	return nr;
}

TEST(a_metric_that_stops_fails_every_case_that_claims_to_move_it)
{
	struct engine e;
	char why[400], id[64];
	size_t nr;
	unsigned stopped = 0;
	struct missing missing;
	const struct case_registration *all = cases_all(&nr);

	if (engine_open(&e, NULL, LIMIT_S, why, sizeof(why)))
		fail_msg("%s", why);
	for (size_t i = 0; i < nr; i++) {
		OWNED(trial_free) struct trial t;

		if (all[i].c->flags & CASE_HIDDEN || !needs_are_met(&e, all[i].c, &missing))
			continue;
		trial_run(&t, &e, &all[i], e.host.cpu_list,
			  all[i].c->flags & CASE_ALL_CPUS ? e.host.nr_cpu_list : 1);
		if (t.end == TRIAL_DONE)
			stopped += stop_each(&t, case_id(&all[i], id, sizeof(id)));
	}
	engine_close(&e);
	print_message("%u metrics stopped in %zu cases\n", stopped, nr);
	assert_true(stopped > 0);
}

/* ---- the claims of a case, and the needs of a run ---- */

static void nothing(struct workload *w)
{
	(void)w;
}

static const struct testcase made = {
	.steps = STEPS(STEP("map", nothing, MOVES(VIRT_DATA(4))),
		       STEP("move", nothing, MOVES(FILE_TO_ANON(4))),
		       STEP("any", nothing, .flags = STEP_ANY_PAGES, MOVES(SHMEM_READ(1)))),
	.posts = POSTS(ANON_HUGE(1)),
	.moves = METRICS(METRIC_STATUS_VMPTE),
};

TEST(the_postings_of_a_case_tell_which_metrics_move)
{
	assert_true(case_moves(&made, METRIC_STATUS_VMSIZE, 4096));
	assert_true(case_moves(&made, METRIC_STATUS_RSSFILE, 4096));
	assert_true(case_moves(&made, METRIC_SMAPS_PRIVATE_CLEAN, 16384));
	assert_false(case_moves(&made, METRIC_STATUS_RSSSHMEM, 4096));
	assert_false(case_moves(&made, METRIC_STATUS_VMLCK, 4096));
}

TEST(postings_that_cancel_out_move_nothing)
{
	struct testcase c = made;

	c.posts.nr = 0;
	assert_false(case_moves(&c, METRIC_STATUS_VMRSS, 4096));
	assert_true(case_moves(&made, METRIC_STATUS_VMRSS, 4096));
}

TEST(posts_and_moves_are_included)
{
	assert_true(case_moves(&made, METRIC_SMAPS_ANONHUGEPAGES, 4096));
	assert_true(case_moves(&made, METRIC_STATUS_VMPTE, 4096));
	assert_false(case_moves(&made, METRIC_STATUS_VMHWM, 4096));
}

/* At first the judge has read each declared metric. */
TEST(a_declared_metric_that_was_not_read_is_named)
{
	static struct snapshot s;
	static struct host host = { .page_size = 4096 };
	struct moment m = { .name = "baseline", .of = { &s } };
	struct trial t = { .c = &made, .host = &host, .moments = &m, .nr_moments = 1 };
	struct judgement j = { 0 };

	memset(s.values.have, true, sizeof(s.values.have));
	for (int id = 0; id < METRIC_COUNT; id++)
		j.moved[id] = case_moves(&made, id, 4096) ? MOVEMENT_SMALL : MOVEMENT_UNSEEN;
	assert_null(judgement_unmoved(&t, &j));
	j.moved[METRIC_STATUS_VMPTE] = MOVEMENT_UNSEEN;
	assert_string_equal(judgement_unmoved(&t, &j), "status.VmPTE");
	s.values.have[METRIC_STATUS_VMPTE] = false;
	assert_null(judgement_unmoved(&t, &j));
}

/*
 * Without PAGEMAP_SCAN the sums of pagemap are absent from the moment at which a mapping is too
 * large.
 */
TEST(a_metric_absent_from_one_snapshot_need_not_be_read)
{
	static struct snapshot s[3];
	static struct host host = { .page_size = 4096 };
	struct moment m[] = { { .name = "baseline", .of = { &s[0] } },
			      { .name = "of a child alone", .of = { NULL, &s[1] } },
			      { .name = "reserve", .of = { &s[1] } },
			      { .name = "read the numbers", .of = { &s[2] } } };
	struct trial t = { .c = &made, .host = &host, .moments = m, .nr_moments = 4 };
	struct judgement j = { 0 };

	for (int id = 0; id < METRIC_COUNT; id++)
		j.moved[id] = id == METRIC_STATUS_VMPTE ? MOVEMENT_UNSEEN : MOVEMENT_SEEN;
	for (int absent = 0; absent < 3; absent++) {
		for (int i = 0; i < 3; i++)
			memset(s[i].values.have, true, sizeof(s[i].values.have));
		assert_string_equal(judgement_unmoved(&t, &j), "status.VmPTE");
		s[absent].values.have[METRIC_STATUS_VMPTE] = false;
		assert_null(judgement_unmoved(&t, &j));
	}
}

/* wait4(2) reports ru_maxrss for every process, although no snapshot contains it. */
TEST(ru_maxrss_must_be_read_if_declared)
{
	static struct snapshot s;
	static struct host host = { .page_size = 4096 };
	struct testcase c = { .moves = METRICS(METRIC_RUSAGE_MAXRSS) };
	struct moment m = { .name = "baseline", .of = { &s } };
	struct trial t = { .c = &c, .host = &host, .moments = &m, .nr_moments = 1 };
	struct judgement j = { 0 };

	assert_string_equal(judgement_unmoved(&t, &j), "rusage.ru_maxrss");
	j.moved[METRIC_RUSAGE_MAXRSS] = MOVEMENT_SEEN;
	assert_null(judgement_unmoved(&t, &j));
}

TEST(after_a_skipped_step_no_declared_metric_need_be_read)
{
	static struct snapshot s;
	static struct host host = { .page_size = 4096 };
	struct moment m[] = { { .name = "baseline", .of = { &s } },
			      { .name = "move", .of = { &s } } };
	struct trial t = { .c = &made, .host = &host, .moments = m, .nr_moments = 2 };
	struct judgement j = { 0 };

	memset(s.values.have, true, sizeof(s.values.have));
	assert_non_null(judgement_unmoved(&t, &j));
	m[1].skipped = true;
	assert_null(judgement_unmoved(&t, &j));
}

TEST(a_movement_within_its_bound_proves_nothing)
{
	OWNED(judgement_free) struct judgement j = { 0 };

	judge_moved(&j, 0, METRIC_STATUS_VMHWM, 5, 5, 5, "rule");
	assert_int_equal(j.moved[METRIC_STATUS_VMHWM], MOVEMENT_SMALL);
	judge_moved(&j, 0, METRIC_STATUS_VMHWM, 6, 6, 5, "rule");
	assert_int_equal(j.moved[METRIC_STATUS_VMHWM], MOVEMENT_SEEN);
	assert_int_equal(j.moved[METRIC_STATUS_VMPEAK], MOVEMENT_UNSEEN);
	judge_moved(&j, 0, METRIC_STATUS_VMPEAK, 0, 0, 0, "rule");
	assert_int_equal(j.moved[METRIC_STATUS_VMPEAK], MOVEMENT_SMALL);
	assert_false(j.failed);
	judge_moved_least(&j, 0, METRIC_STAT_MAJFLT, 0, -1, "rule");
	assert_int_equal(j.moved[METRIC_STAT_MAJFLT], MOVEMENT_SMALL);
	judge_moved_least(&j, 0, METRIC_STAT_MAJFLT, 2, 1, "rule");
	assert_int_equal(j.moved[METRIC_STAT_MAJFLT], MOVEMENT_SEEN);
	assert_false(j.failed);
	judge_moved_least(&j, 0, METRIC_STAT_MAJFLT, 0, 1, "rule");
	assert_true(j.failed);
}
