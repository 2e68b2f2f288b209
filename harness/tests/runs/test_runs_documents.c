// SPDX-License-Identifier: MIT
/* Sentences of documents: every rule can be decided, and the data of a run decide it. */
#include "base/list.h"
#include "explain/topics.h"
#include "runs/document.h"
#include "runs/release.h"
#include "tests/support/made_up.h"
#include "tests/support/test.h"
#include <rssck/case.h>
#include <rssck/column.h>

static bool case_exists(const char *name)
{
	const struct testcase *c = testcase_by_id(name);

	return c && !(c->flags & CASE_HIDDEN);
}

/* Returns true if `word` is in `values`, a list like "yes|no", or if `values` is NULL. */
static bool is_among(const char *values, const char *word)
{
	return !values || list_has(values, "|", word);
}

static bool fact_may_be(const char *name, const char *value)
{
	size_t nr;
	const struct case_registration *all = cases_all(&nr);

	for (size_t i = 0; i < nr; i++)
		for (const struct fact_known *f = all[i].c->facts; f && f->name; f++)
			if (!strcmp(f->name, name))
				return is_among(f->values, value);
	return false;
}

static bool is_modelled(const char *name)
{
	for (size_t i = 0; modelled[i] != METRIC_NONE; i++)
		if (!strcmp(metric(modelled[i])->name, name))
			return true;
	return false;
}

static bool condition_can_be_decided(const struct condition *c)
{
	switch (c->kind) {
	case CONDITION_CASE:
	case CONDITION_NOT_CASE:
		return case_exists(c->name);
	case CONDITION_FACT:
		return fact_may_be(c->name, c->value);
	case CONDITION_MODEL:
		return is_modelled(c->name) && is_among("exact|per-thread|per-cpu", c->value);
	case CONDITION_SINCE:
		return release_compare("5.10", c->name) <= 0;
	}
	return false;
}

TEST(every_rule_names_existing_cases_facts_and_metrics)
{
	size_t nr;
	const struct sentence *all = sentences_all(&nr);

	assert_true(nr > 0);
	for (size_t i = 0; i < nr; i++) {
		const char *rest = all[i].rule;
		struct condition c;
		int got;

		assert_true(*rest);
		while ((got = condition_next(&rest, &c)) > 0)
			if (!condition_can_be_decided(&c))
				fail_msg("%s, \"%s\": nothing decides \"%s\"", all[i].document,
					 all[i].says, all[i].rule);
		if (got < 0)
			fail_msg("\"%s\" is no rule", all[i].rule);
	}
}

static bool column_exists(const char *word)
{
	size_t nr;
	const struct column *all = columns_all(&nr);

	for (size_t i = 0; i < nr; i++) {
		char buf[128];

		if (!strcmp(sentence_column(all[i].tool, all[i].name, buf, sizeof(buf)), word))
			return true;
	}
	return false;
}

static bool figure_exists(const char *word)
{
	size_t nr;
	const struct figure *all = figures_all(&nr);
	char buf[128];

	for (size_t i = 0; i < nr; i++)
		if (!strcmp(sentence_figure(all[i].name, buf, sizeof(buf)), word))
			return true;
	return false;
}

TEST(every_sentence_is_about_metrics)
{
	size_t nr;
	const struct sentence *all = sentences_all(&nr);

	for (size_t i = 0; i < nr; i++) {
		char about[256], *save, *word;

		assert_true(snprintf(about, sizeof(about), "%s", all[i].about) <
			    (int)sizeof(about));
		assert_true(*about);
		for (word = strtok_r(about, " ", &save); word; word = strtok_r(NULL, " ", &save))
			if (metric_by_name(word) == METRIC_NONE && !column_exists(word) &&
			    !figure_exists(word))
				fail_msg("%s, \"%s\": there is no metric, column or figure %s",
					 all[i].document, all[i].says, word);
	}
}

TEST(the_sentences_of_a_document_are_consecutive)
{
	size_t nr;
	const struct sentence *all = sentences_all(&nr);

	for (size_t i = 1; i < nr; i++)
		for (size_t k = 0; k < i; k++) {
			if (strcmp(all[i].document, all[k].document))
				continue;
			if (strcmp(all[i - 1].document, all[i].document))
				fail_msg("%s begins twice", all[i].document);
			if (!strcmp(all[i].says, all[k].says))
				fail_msg("%s contains this sentence twice: %s", all[i].document,
					 all[i].says);
		}
}

TEST(a_sentence_that_may_be_false_has_a_correction)
{
	size_t nr;
	const struct sentence *all = sentences_all(&nr);

	for (size_t i = 0; i < nr; i++)
		if (strstr(all[i].rule, "not case:") && !all[i].truth)
			fail_msg("%s, \"%s\" may be false, but has no correction", all[i].document,
				 all[i].says);
}

static enum sentence_holds judged(const char *rule, const struct results *r)
{
	const struct sentence s = { "d", "s", "status.VmRSS", rule, NULL };

	return sentence_judge(&s, r);
}

TEST(a_case_decides)
{
	OWNED(results_free) struct results r = made_up_results();

	made_up_case(&r, "a/pass", VERDICT_PASS, "");
	made_up_case(&r, "a/fail", VERDICT_FAIL, "broken");
	made_up_case(&r, "a/skip", VERDICT_SKIP, "not here");
	made_up_case(&r, "a/error", VERDICT_ERROR, "died");
	assert_int_equal(judged("case:a/pass", &r), SENTENCE_HOLDS);
	assert_int_equal(judged("case:a/fail", &r), SENTENCE_FALSE);
	assert_int_equal(judged("case:a/skip", &r), SENTENCE_UNKNOWN);
	assert_int_equal(judged("case:a/error", &r), SENTENCE_UNKNOWN);
	assert_int_equal(judged("case:a/absent", &r), SENTENCE_UNKNOWN);
	assert_int_equal(judged("case:a/pas", &r), SENTENCE_UNKNOWN);
	assert_int_equal(judged("not case:a/pass", &r), SENTENCE_FALSE);
	assert_int_equal(judged("not case:a/fail", &r), SENTENCE_UNKNOWN);
	assert_int_equal(judged("not case:a/skip", &r), SENTENCE_UNKNOWN);
}

TEST(a_fact_decides)
{
	OWNED(results_free) struct results r = made_up_results();

	made_up_fact(made_up_case(&r, "a/b", VERDICT_PASS, ""), "x.is", "not so");
	assert_int_equal(judged("fact:x.is=not so", &r), SENTENCE_HOLDS);
	assert_int_equal(judged("fact:x.is=so", &r), SENTENCE_FALSE);
	assert_int_equal(judged("fact:x.is!=so", &r), SENTENCE_HOLDS);
	assert_int_equal(judged("fact:x.is!=not so", &r), SENTENCE_FALSE);
	assert_int_equal(judged("fact:y.is=so", &r), SENTENCE_UNKNOWN);
	assert_int_equal(judged("fact:y.is!=so", &r), SENTENCE_UNKNOWN);
}

TEST(a_model_decides)
{
	OWNED(results_free) struct results r = made_up_results();

	made_up_models(&r, MODEL_PER_THREAD, 66);
	assert_int_equal(judged("model:statm.resident=per-thread", &r), SENTENCE_HOLDS);
	assert_int_equal(judged("model:statm.resident=exact", &r), SENTENCE_FALSE);
	assert_int_equal(judged("model:statm.resident!=exact", &r), SENTENCE_HOLDS);
	assert_int_equal(judged("model:no.metric=exact", &r), SENTENCE_UNKNOWN);
	r.models.of[METRIC_STATM_RESIDENT].kind = MODEL_UNKNOWN;
	assert_int_equal(judged("model:statm.resident!=exact", &r), SENTENCE_UNKNOWN);
	r.models.of[METRIC_STATM_RESIDENT].kind = MODEL_ABSENT;
	assert_int_equal(judged("model:statm.resident=exact", &r), SENTENCE_UNKNOWN);
}

/* A kernel is judged by its own version of Documentation/. */
TEST(a_sentence_is_not_false_before_it_was_written)
{
	OWNED(results_free) struct results r = made_up_results();

	made_up_case(&r, "a/fail", VERDICT_FAIL, "broken");
	snprintf(r.kernel_release, sizeof(r.kernel_release), "7.2.13+deb14-cloud-amd64");
	assert_int_equal(judged("since:7.3 and case:a/fail", &r), SENTENCE_UNKNOWN);
	snprintf(r.kernel_release, sizeof(r.kernel_release), "7.3.4+deb13-cloud-amd64");
	assert_int_equal(judged("since:7.3 and case:a/fail", &r), SENTENCE_FALSE);
	assert_int_equal(judged("since:7.3", &r), SENTENCE_HOLDS);
}

TEST(all_conditions_must_hold)
{
	OWNED(results_free) struct results r = made_up_results();

	made_up_case(&r, "a/pass", VERDICT_PASS, "");
	made_up_case(&r, "a/fail", VERDICT_FAIL, "broken");
	assert_int_equal(judged("case:a/pass and case:a/pass", &r), SENTENCE_HOLDS);
	assert_int_equal(judged("case:a/pass and case:a/absent", &r), SENTENCE_UNKNOWN);
	assert_int_equal(judged("case:a/absent and case:a/fail", &r), SENTENCE_FALSE);
	assert_int_equal(judged("case:a/pass and not case:a/pass", &r), SENTENCE_FALSE);
}

TEST(an_invalid_rule_decides_nothing)
{
	static const char *const broken[] = {
		"a/pass",
		"case:",
		"fact:x",
		"fact:=y",
		"fact:x=",
		"fact:!=y",
		"model:m",
		"case:a/pass and ",
		" and case:a/pass",
		"not fact:x=y",
		"case:a/pass and so",
	};
	OWNED(results_free) struct results r = made_up_results();

	made_up_case(&r, "a/pass", VERDICT_PASS, "");
	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		const char *rest = broken[i];
		struct condition c;
		int got;

		while ((got = condition_next(&rest, &c)) > 0)
			;
		if (got != -1)
			fail_msg("\"%s\" is accepted as a rule", broken[i]);
		assert_int_equal(judged(broken[i], &r), SENTENCE_UNKNOWN);
	}
}

TEST(a_sentence_is_found_by_its_metrics)
{
	const struct sentence s = { "d", "s", "status.VmRSS statm.resident", "case:a/b", NULL };

	assert_true(sentence_is_about(&s, "status.VmRSS"));
	assert_true(sentence_is_about(&s, "statm.resident"));
	assert_false(sentence_is_about(&s, "status.VmRS"));
	assert_false(sentence_is_about(&s, "VmRSS"));
	assert_false(sentence_is_about(&s, "status.VmRSS statm.resident"));
}

TEST(a_column_is_one_word)
{
	char buf[64], small[6];

	assert_string_equal(sentence_column("top", "RES", buf, sizeof(buf)), "top.RES");
	assert_string_equal(sentence_column("pmap -x", "Kbytes", buf, sizeof(buf)),
			    "pmap-x.Kbytes");
	assert_string_equal(sentence_column("top", "RES", small, sizeof(small)), "top.R");
}
