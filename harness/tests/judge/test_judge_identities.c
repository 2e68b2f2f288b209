// SPDX-License-Identifier: MIT
/*
 * In each term of each identity of rules.def, an error of one page too many or too few is found by
 * that identity.
 */
#include "judge/judge.h"
#include "tests/support/made_trial.h"

#define METRIC(id, ...) #id,
static const char *const ids[] = {
#include <rssck/metrics.def>
};
#undef METRIC

/* The terms as text: "(PAGEMAP_FILE, PAGEMAP_ANON)", so that no macro of that name is expanded. */
#define IDENTITY(id, relation, left, right, bugs, words) \
	{ RULE_##id, RELATION_##relation, #left, #right },
#define RULE(...)

static const struct written {
	enum rule_id rule;
	enum relation relation;
	const char *left, *right;
} identities[] = {
#include <rssck/rules.def>
};

enum { IDENTITIES = sizeof(identities) / sizeof(*identities) };

/* Returns the next term of "(STATM_RESIDENT, STATUS_VMRSS)", or METRIC_NONE at the end. */
static enum metric_id next_term(const char **at)
{
	size_t len = strspn(*at, "(, ");

	*at += len;
	len = strcspn(*at, "), ");
	if (!len)
		return METRIC_NONE;
	for (int id = 0; id < METRIC_COUNT; id++)
		if (strlen(ids[id]) == len && !strncmp(ids[id], *at, len)) {
			*at += len;
			return id;
		}
	fail_msg("%s: no such metric", *at);
	return METRIC_NONE;
}

static int64_t in_kb(const struct snapshot *s, const char *terms)
{
	enum metric_id id;
	int64_t kb = 0;

	while ((id = next_term(&terms)) != METRIC_NONE)
		kb += s->values.of[id] * PAGE_KB / made_page(id);
	return kb;
}

static bool is_found(const struct written *x, enum metric_id id, int64_t kb)
{
	bool found;

	*whole_value(id) += kb * made_page(id) / PAGE_KB;
	found = whole_breaks(x->rule, NULL);
	whole_again();
	return found;
}

static void expect(const struct written *x, enum metric_id id, int64_t kb, bool found)
{
	if (is_found(x, id, kb) != found)
		fail_msg("%s off by %lld kB: \"%s\" is %s", ids[id], (long long)kb,
			 rule(x->rule)->name,
			 found ? "not found to be broken" : "found to be broken");
}

TEST(all_numbers_of_a_made_up_process_agree)
{
	OWNED(judgement_free) struct judgement j = { 0 };

	judge_invariants(&whole->t, 0, 0, &j);
	assert_nothing_found(&j);
	assert_int_equal(j.nr_discrepancies, 0);
	assert_true(j.nr_checks > IDENTITIES + METRIC_COUNT);
}

TEST(an_error_of_a_page_in_any_term_breaks_an_equation)
{
	size_t terms = 0;

	for (size_t i = 0; i < IDENTITIES; i++) {
		const char *sides[] = { identities[i].left, identities[i].right };
		enum metric_id id;

		if (identities[i].relation != RELATION_EQUAL)
			continue;
		for (int side = 0; side < 2; side++)
			for (const char *at = sides[side]; (id = next_term(&at)) != METRIC_NONE;
			     terms++) {
				expect(&identities[i], id, PAGE_KB, true);
				expect(&identities[i], id, -PAGE_KB, true);
			}
	}
	print_message("%zu terms of equations\n", terms);
}

/* Returns the smallest error of a metric, in kB. */
static int64_t one(enum metric_id id)
{
	return metric(id)->unit == UNIT_KB ? 1 : PAGE_KB;
}

TEST(an_excess_of_a_kilobyte_breaks_an_inequality)
{
	size_t terms = 0;

	for (size_t i = 0; i < IDENTITIES; i++) {
		const struct written *x = &identities[i];
		const struct snapshot *s = whole->t.moments[0].of[0];
		int64_t slack = in_kb(s, x->right) - in_kb(s, x->left);
		enum metric_id id;

		if (x->relation != RELATION_AT_MOST)
			continue;
		assert_true(slack >= 0);
		for (const char *at = x->left; (id = next_term(&at)) != METRIC_NONE; terms++) {
			expect(x, id, slack, false);
			expect(x, id, slack + one(id), true);
		}
		for (const char *at = x->right; (id = next_term(&at)) != METRIC_NONE; terms++) {
			expect(x, id, -slack, false);
			expect(x, id, -slack - one(id), true);
		}
	}
	print_message("%zu terms of inequalities\n", terms);
}

TEST(an_error_of_a_kilobyte_is_found)
{
	OWNED(judgement_free) struct judgement j = { 0 };

	*whole_value(METRIC_STATUS_VMRSS) += 1;
	judge_invariants(&whole->t, 0, 0, &j);
	assert_found(&j, RULE_VMRSS_CLASSES, "status.VmRSS");
	assert_string_equal(made_find(&j, RULE_VMRSS_CLASSES, NULL)->unit, "kB");
}

TEST(an_absent_term_is_not_zero)
{
	for (size_t i = 0; i < IDENTITIES; i++) {
		const char *at = identities[i].left;
		enum metric_id id = next_term(&at);

		whole->t.moments[0].of[0]->values.have[id] = false;
		*whole_value(id) = 0;
		assert_whole_agrees();
		whole_again();
	}
}

/*
 * A kernel may sum a counter over the CPUs for statm, but not for status. In one snapshot they may
 * then differ by the pages that CPUs hold back.
 */
TEST(statm_and_status_may_differ_by_the_lag)
{
	const struct counter_model per_cpu = { MODEL_PER_CPU, 32 };
	/* 186 is the bound: 2 CPUs x 3 classes x 31 pages. */
	static const struct {
		bool settled, same_model;
		int64_t off;
		bool fails;
	} rows[] = {
		{ false, false, 186, false },
		{ false, false, 187, true },
		{ true, false, 1, true },
		{ false, true, 1, true },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		whole->models.cpus = 2;
		whole->t.moments[0].settled = rows[i].settled;
		whole->models.of[METRIC_STATUS_VMRSS] = per_cpu;
		if (rows[i].same_model)
			whole->models.of[METRIC_STATM_RESIDENT] = per_cpu;
		*whole_value(METRIC_STATM_RESIDENT) += rows[i].off;
		assert_int_equal(whole_breaks(RULE_STATM_RESIDENT, NULL), rows[i].fails);
		whole_again();
	}
}

TESTS_EACH(whole_begin, whole_end);
