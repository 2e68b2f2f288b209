// SPDX-License-Identifier: MIT
/* The table of known bugs is in order, and its page shows which kernels have which bugs. */
#include "matrix/matrix.h"
#include "tests/support/made_up.h"
#include "tests/support/test.h"
#include <rssck/bug.h>
#include <rssck/case.h>

static bool each_is_among(const char *some, const char *values)
{
	char one[sizeof(((struct fact *)0)->value)];
	const char *end;

	for (;; some = end + 1) {
		end = some + strcspn(some, "|");
		snprintf(one, sizeof(one), "%.*s", (int)(end - some), some);
		if (!fact_value_is_among(one, values))
			return false;
		if (!*end)
			return true;
	}
}

TEST(each_bug_has_an_existing_case_or_a_reason)
{
	size_t nr;
	const struct bug *all = bugs_all(&nr);

	for (size_t i = 0; i < nr; i++) {
		if (!all[i].title || !all[i].lived || !all[i].number)
			fail_msg("row %zu lacks a title, versions or a number", i);
		if (!all[i].by != !!all[i].unseen)
			fail_msg("%s needs either a case or a reason", all[i].title);
		if (all[i].by && !testcase_by_id(all[i].by))
			fail_msg("%s: there is no case %s", all[i].title, all[i].by);
		if (all[i].fix && strspn(all[i].fix, "0123456789abcdef") != 12)
			fail_msg("%s: %s is no commit hash of 12 digits", all[i].title, all[i].fix);
	}
}

TEST(the_fact_of_each_bug_is_declared_by_its_case)
{
	size_t nr;
	const struct bug *all = bugs_all(&nr);

	for (size_t i = 0; i < nr; i++) {
		const struct fact_known *f = all[i].fact ? testcase_by_id(all[i].by)->facts : NULL;

		if (!all[i].fact)
			continue;
		while (f && f->name && strcmp(f->name, all[i].fact))
			f++;
		if (!f || !f->name)
			fail_msg("%s has no fact %s", all[i].by, all[i].fact);
		if (f->values && !each_is_among(all[i].value, f->values))
			fail_msg("%s is never '%s'", all[i].fact, all[i].value);
	}
}

static struct results run_of(const char *release, enum verdict v, const char *value)
{
	struct results r = made_up_results();
	struct result *c = made_up_case(&r, "thp/split_by_protect", v, "");

	snprintf(r.kernel_release, sizeof(r.kernel_release), "%s", release);
	if (value)
		made_up_fact(c, "thp.written_page_after_mprotect_is", value);
	return r;
}

TEST(the_page_names_the_kernels_that_have_a_bug)
{
	struct results runs[] = { run_of("6.1", VERDICT_PASS, "dirty"),
				  run_of("6.16.12", VERDICT_PASS, "clean"),
				  run_of("7.2.13", VERDICT_SKIP, NULL) };
	char *text = page_of(report_bug_history, runs, 3);

	if (!strstr(text,
		    "| 6.16.12 | [thp/split\\_by\\_protect](../cases/thp/split_by_protect.c) |"))
		fail_msg("6.16.12 is not the only kernel in:\n%s", text);
	assert_says(text, "### 6.1\n\nNone of these bugs.\n");
	assert_says(text, "### 6.16.12\n\n- a written huge page is clean");
}

TEST(a_run_that_met_a_bug_reports_it)
{
	OWNED(results_free) struct results r = run_of("6.16.12", VERDICT_PASS, "clean");
	char *json = written(report_json, &r), *ktap = written(report_ktap, &r);

	assert_int_equal(results_bugs(&r), 1);
	assert_says(json, "\"known_bugs\": 1");
	assert_says(json, "\"fixed_by\": \"f7491d7c81db\"");
	assert_says(ktap, "# known bug here: a written huge page is clean");
}
