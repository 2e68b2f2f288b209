// SPDX-License-Identifier: MIT
/* The HTML page as text: well-formed whatever the results contain, and complete. */
#include "page/html.h"
#include "page/private.h"
#include "runs/document.h"
#include "tests/support/made_up.h"
#include "tests/support/markup.h"
#include "tests/support/test.h"
#include <rssck/curve.h>

/* Writes the page without the runs that were recorded for plots. */
static int html_alone(struct results *runs, size_t nr, FILE *out)
{
	return report_html(runs, nr, NULL, out);
}

static char *html_of(struct results *runs, size_t nr)
{
	char *text = page_of(html_alone, runs, nr);

	markup_read(text);
	return text;
}

static struct results run_of(const char *release, const char *value)
{
	struct results r = made_up_results();
	struct result *c = made_up_case(&r, "file/x", VERDICT_PASS, "");

	snprintf(r.kernel_release, sizeof(r.kernel_release), "%s", release);
	if (value)
		made_up_fact(c, "a.fact", value);
	return r;
}

TEST(text_is_escaped_whatever_it_contains)
{
	char *text;
	FILE *out = printing();

	html_put(out, "<p title=\"%s\">%s %u%% %zu %lld</p>", "a\"b", "<i>&", 1u, (size_t)2, 3ll);
	html_anchor("c-", "a/b\"> c", out);
	text = printed(out);
	assert_string_equal(text, "<p title=\"a&quot;b\">&lt;i&gt;&amp; 1% 2 3</p>"
				  "c-a/b___c");
}

TEST(only_commit_hashes_become_links)
{
	char *text = PRINTED(
		out,
		html_prose(
			"82241a83cd15 (6.1), x82241a83cd15, 123456789012, abcdefabcdef, 82241a83cd1, é<",
			out));

	assert_string_equal(
		text, "<a href=\"https://git.kernel.org/linus/82241a83cd15\">82241a83cd15</a>"
		      " (6.1), x82241a83cd15, 123456789012, abcdefabcdef, 82241a83cd1, é&lt;");
}

TEST(no_string_of_a_results_file_becomes_markup)
{
	static const char attack[] = "\"'><script>x</script></td><!--";
	const char *const strings[] = { attack, hostile, "]]></style><script>x</script>" };

	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		struct results runs[] = { run_of("6.1", "x"), run_of("6.18", "y") };

		for (enum verdict v = 0; v < VERDICT_COUNT; v++)
			made_up_fact(made_up_case(&runs[0], strings[i], v, strings[i]), strings[i],
				     strings[i]);
		made_up_fact(made_up_case(&runs[1], "file/truncate", VERDICT_SKIP, strings[i]),
			     strings[i], "z");
		snprintf(runs[0].kernel_release, sizeof(runs[0].kernel_release), "%s", strings[i]);
		snprintf(runs[0].machine, sizeof(runs[0].machine), "%.31s", strings[i]);

		char *text = html_of(runs, 2);

		assert_says_not(text, "<script>x");
		assert_says_not(text, "\"'>");
		assert_says_not(text, "<x");
	}
}

TEST(a_verdict_that_took_several_tries_lists_them)
{
	static const char
		told[] = "<br/>on 6.18: passed, 2 of 3 tries; the first failed: off &lt;by 7";
	struct results runs[] = { run_of("6.1", "no"), run_of("6.18", "no") };
	struct result *c = &runs[1].of[0];
	char *text;

	c->nr_tries = 3;
	c->tries[0] = (struct try) { VERDICT_FAIL, 0, "off <by 7" };
	c->tries[1] = c->tries[2] = (struct try) { VERDICT_PASS, 0, "" };
	text = html_of(runs, 2);
	assert_says(text, told);
	/* There was only one try, so there is nothing to report. */
	runs[0] = run_of("6.1", "no");
	runs[1] = run_of("6.18", "no");
	runs[1].of[0].nr_tries = 1;
	runs[1].of[0].tries[0] = (struct try) { VERDICT_PASS, 0, "" };
	text = html_of(runs, 2);
	assert_says_not(text, "of 1 tries");
}

TEST(equal_neighbours_are_one_cell)
{
	struct results runs[] = { run_of("5.10", "no"), run_of("6.1", "no"), run_of("6.9", NULL),
				  run_of("6.12", "yes"), run_of("7.2", "no") };
	char *text = html_of(runs, 5);

	assert_says(text, "<td colspan=\"2\" data-from=\"0\" data-value=\"1\" "
			  "data-on=\"5.10, 6.1\">no</td>"
			  "<td data-from=\"2\" data-value=\"0\" data-on=\"6.9\">–</td>"
			  "<td data-from=\"3\" data-value=\"2\" data-on=\"6.12\" "
			  "class=\"changed\">yes</td>"
			  "<td data-from=\"4\" data-value=\"1\" data-on=\"7.2\" "
			  "class=\"changed\">no</td>");
	assert_says(text, "Facts that differ: 1<");
	assert_says_not(text, "Facts that are the same");
}

TEST(a_batch_that_grows_with_the_cpus_is_the_same_value)
{
	struct results runs[] = { run_of("6.18", NULL), run_of("6.18", NULL) };

	made_up_models(&runs[0], MODEL_PER_CPU, 32);
	made_up_models(&runs[1], MODEL_PER_CPU, 64);
	runs[1].cpus = 32;

	char *text = html_of(runs, 2);

	assert_says(text, " data-from=\"1\" data-value=\"1\" ");
	assert_says(text, " data-counts=\"per-cpu\">per-cpu, 64</td>");
}

TEST(each_metric_and_each_case_has_its_section)
{
	struct results runs[] = { run_of("6.1", NULL) };
	char *text = html_of(runs, 1), anchor[128], id[64];
	size_t nr;
	const struct case_registration *all = cases_all(&nr);

	for (enum metric_id m = 0; m < METRIC_COUNT; m++) {
		snprintf(anchor, sizeof(anchor), "id=\"metric-%s\"", metric(m)->name);
		assert_says(text, anchor);
	}
	for (size_t i = 0; i < nr; i++) {
		snprintf(anchor, sizeof(anchor), "id=\"c-%s\"", case_id(&all[i], id, sizeof(id)));
		if (all[i].c->flags & CASE_HIDDEN)
			assert_says_not(text, anchor);
		else
			assert_says(text, anchor);
	}
	/* Only the results have this case. */
	assert_says(text, "id=\"c-file/x\"");
}

TEST(verdicts_and_facts_of_a_case_are_listed_by_kernel)
{
	struct results runs[] = { run_of("5.10", NULL), run_of("6.1", "no"), run_of("6.9", "yes"),
				  run_of("7.2", "yes") };

	runs[0].of[0].verdict = VERDICT_SKIP;
	strcpy(runs[0].of[0].reason, "nothing there");

	char *text = html_of(runs, 4);

	assert_says(text,
		    "<b>skip</b> on 5.10: nothing there<br/><b>pass</b> on 6.1 and later</dd>");
	assert_says(text, "<b>no</b> on 6.1; <b>yes</b> on 6.9 and later</dd>");
	assert_says(text, "<span class=\"chip is-pass\">pass 3</span> "
			  "<span class=\"chip is-skip\">skip 1</span>");
}

TEST(consecutive_kernels_are_named_as_a_range)
{
	struct results runs[] = { run_of("5.10", NULL), run_of("6.1", NULL), run_of("6.9", NULL),
				  run_of("6.12", NULL), run_of("7.2", NULL) };
	const struct kernels k = { runs, 5 };
	static const struct {
		bool set[5];
		const char *words;
	} tests[] = {
		{ { 0, 0, 0, 0, 0 }, "none" },
		{ { 1, 1, 1, 1, 1 }, "all" },
		{ { 1, 0, 0, 0, 0 }, "5.10" },
		{ { 1, 1, 0, 0, 0 }, "5.10, 6.1" },
		{ { 1, 1, 1, 0, 0 }, "5.10 to 6.9" },
		{ { 0, 0, 0, 0, 1 }, "7.2" },
		{ { 0, 0, 0, 1, 1 }, "6.12 and later" },
		{ { 1, 0, 1, 1, 1 }, "5.10, 6.9 and later" },
	};
	char buf[200];

	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		assert_string_equal(kernels_words(&k, tests[i].set, buf, sizeof(buf)),
				    tests[i].words);
	/* Text that does not fit is cut off. */
	assert_string_equal(kernels_words(&k, tests[4].set, buf, 6), "5.10 ");
	for (size_t i = 0; i < 5; i++)
		results_free(&runs[i]);
}

TEST(the_false_sentences_are_counted)
{
	struct results runs[] = { run_of("6.1", NULL), run_of("7.2", NULL) };
	size_t nr, wrong = 0, rows = 0;
	const struct sentence *all = sentences_all(&nr);
	char part[128];

	made_up_models(&runs[0], MODEL_PER_THREAD, 66);
	for (size_t i = 0; i < nr; i++)
		wrong += sentence_judge(&all[i], &runs[1]) == SENTENCE_FALSE;
	assert_true(wrong > 0);

	char *text = html_of(runs, 2);

	/* The kernel 7.2 has the number 1. */
	for (const char *at = text; (at = strstr(at, "<tr id=\"documents-")); at++) {
		snprintf(part, sizeof(part), "%.*s", (int)strcspn(at, ">"), at);
		rows += strstr(part, "wrong-on=\"1\"") || strstr(part, "wrong-on=\"0 1\"");
	}
	assert_int_equal(rows, wrong);
	snprintf(part, sizeof(part), "<b>%zu are false on 7.2</b>", wrong);
	assert_says(text, part);
	snprintf(part, sizeof(part), "<b>%zu</b> sentences of documents are false on 7.2", wrong);
	assert_says(text, part);
}

TEST(cases_that_ran_nowhere_are_listed)
{
	struct results runs[] = { run_of("6.1", NULL), run_of("7.2", NULL) };

	made_up_case(&runs[0], "file/truncate", VERDICT_SKIP, "no file");
	made_up_case(&runs[1], "file/truncate", VERDICT_ERROR, "it hung");
	made_up_case(&runs[0], "file/willneed", VERDICT_FAIL, "");

	char *text = html_of(runs, 2);
	char *list = strstr(text, "id=\"nobody-ran\"");

	assert_non_null(list);
	assert_says(list, "truncate</a></th><td>it hung</td>");
	assert_says(list, "reclaim</a></th><td>no run has this case");
	assert_says_not(list, "willneed");
}

TEST(the_page_names_nothing_that_a_browser_would_fetch)
{
	struct results runs[] = { run_of("6.1", "x") };
	char *text = html_of(runs, 1);

	assert_says_not(text, " src=");
	assert_says_not(text, "@import");
	assert_says_not(text, "url(");
	for (const char *at = text; (at = strstr(at, "<link ")); at++)
		assert_memory_equal(at, "<link rel=\"icon\" href=\"data:,\"/>", 32);
	/* "]]>" and "</" would end the style sheet or the script early. */
	assert_says_not(html_css, "]]>");
	assert_says_not(html_css_of_tables, "]]>");
	assert_says_not(html_css_of_tables, "</");
	assert_says_not(html_css_of_pictures, "]]>");
	assert_says_not(html_css_of_pictures, "</");
	assert_says_not(html_js, "]]>");
	assert_says_not(html_css, "</");
	assert_says_not(html_js, "</");
}

static void add_staircase(struct results *r)
{
	struct curve *c = curve_have(&r->curves, &r->nr_curves, &curve_staircase);

	for (int64_t i = 0; i < 3; i++) {
		curve_add(c, i, CURVE_TRUTH, 1000 + i);
		curve_add(c, i, "<b>", 1000);
	}
}

TEST(curves_of_all_kernels_have_one_scale_and_their_numbers)
{
	struct results runs[] = { run_of("6.1", NULL), run_of("7.2", NULL) };
	static const struct curve_axes axes = { "lag by threads", "threads", "pages off" };

	made_up_models(&runs[0], MODEL_PER_THREAD, 66);
	for (int i = 0; i < 2; i++) {
		struct curve *c = curve_have(&runs[i].curves, &runs[i].nr_curves, &axes);

		curve_add(c, 0, "stat.rss", 0);
		curve_add(c, 100, "stat.rss", i ? 60 : 6000);
	}

	char *text = html_of(runs, 2);

	/* 160 units of height are 6,000 pages, so 60 pages are 1.6 units. */
	assert_says(text, "data-counts=\"per-thread\" d=\"M50.0 184.0L328.0 24.0\"/>");
	assert_says(text, "d=\"M50.0 184.0L328.0 182.4\"/>");
	assert_says(text, "<b>6.1</b> stat.rss: 6,000 at 100 threads</li>");
	assert_says(text, "<td>6,000</td>");
}

TEST(no_name_of_a_curve_becomes_markup)
{
	struct results runs[] = { run_of("6.1", NULL) };
	struct curve *c;

	add_staircase(&runs[0]);
	c = runs[0].curves;
	curve_add(c, 0, hostile, 1);
	curve_add(c, 1, "</text><script>x", 2);
	curve_add(c, 2, "'; system('touch /tmp/x'); '", 3);
	curve_add(c, 2, "`touch x` $HOME @data \\n {/b x}", 4);
	snprintf(c->x, sizeof(c->x), "%s", hostile);
	snprintf(c->y, sizeof(c->y), "%s", hostile);

	char *text = html_of(runs, 1);

	assert_says_not(text, "<script>x");
}

/* Runs with the same models are drawn once, preferably a run that was recorded for plots. */
TEST(runs_with_equal_models_are_drawn_once)
{
	struct results runs[] = { run_of("6.18", NULL) };
	struct results plots[] = { run_of("6.1", NULL), run_of("7.1", NULL), run_of("7.2", NULL) };
	char names[3][64] = { "old", "<new>", "newer" }, *text;
	struct recordings r = { plots, names, 3 };

	made_up_models(&plots[0], MODEL_PER_THREAD, 66);
	add_staircase(&runs[0]);
	for (int i = 0; i < 3; i++)
		add_staircase(&plots[i]);
	text = PRINTED(out, assert_int_equal(report_html(runs, 1, &r, out), 0));
	markup_read(text);
	assert_says(text, "<summary>The numbers of old</summary>");
	assert_says(text, "<summary>The numbers of &lt;new&gt;</summary>");
	assert_says_not(text, "The numbers of newer");
	assert_says_not(text, "The numbers of 6.18");
	results_free(&runs[0]);
	for (int i = 0; i < 3; i++)
		results_free(&plots[i]);
}

TEST(without_runs_the_page_is_still_written)
{
	html_of(NULL, 0);
}
