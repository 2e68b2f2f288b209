// SPDX-License-Identifier: MIT
/* Plots: the script for gnuplot, the conversion of its output, and the message if it fails. */
#include "base/process/path.h"
#include "plot/plot.h"
#include "tests/support/files.h"
#include "tests/support/made_up.h"
#include "tests/support/test.h"
#include <limits.h>
#include <sys/stat.h>

static const struct curve_axes lag = { "lag by threads", "threads", "pages off" };

static struct results staircase(void)
{
	struct results r = made_up_results();
	struct curve *c = curve_have(&r.curves, &r.nr_curves, &curve_staircase);

	for (int64_t x = 0; x <= 64; x += 32) {
		curve_add(c, x, CURVE_TRUTH, 500 + x);
		curve_add(c, x, "stat.rss", 490 + x);
		curve_add(c, x, "statm.resident", 500 + x);
	}
	return r;
}

static struct results lags(int64_t bound_of_statm)
{
	struct results r = made_up_results();
	struct curve *c = curve_have(&r.curves, &r.nr_curves, &lag);

	for (int64_t x = 1; x <= 100; x += 33) {
		curve_add(c, x, "stat.rss", 20);
		curve_add(c, x, CURVE_BOUND "stat.rss", 62);
		curve_add(c, x, "statm.resident", 0);
		curve_add(c, x, CURVE_BOUND "statm.resident", bound_of_statm);
	}
	return r;
}

static struct plot plot_of(const struct results *r)
{
	return (struct plot) { .title = "Linux 'x'\nquit",
			       .subtitle = "exact",
			       .curve = r->curves,
			       .page_size = r->page_size };
}

static char *script(const struct results *r, enum plot_format format)
{
	struct plot p = plot_of(r);
	char *text = PRINTED(out, plot_script(&p, format, out));

	return text;
}

TEST(equal_series_are_one_line_with_both_names)
{
	OWNED(results_free) struct results r = staircase();
	char *text = script(&r, PLOT_SVG);

	assert_says(text, "'page tables = statm.resident'");
	assert_says(text, "title 'stat.rss'");
	assert_says(text, "set xlabel 'pages touched'");
	assert_says(text, "set ylabel 'pages, 4 KiB each'");
	assert_says(text, "\n32 532 522 532\n");
	assert_int_equal(strstr(text, "using") != NULL, 1);
	assert_says_not(text, "using 1:4");
}

TEST(a_title_cannot_contain_commands)
{
	OWNED(results_free) struct results r = staircase();
	char *text = script(&r, PLOT_SVG);

	assert_says(text, "set title 'Linux ’x’ quit'");
}

TEST(only_a_known_bound_above_0_is_drawn)
{
	OWNED(results_free) struct results r = lags(0);
	char *text = script(&r, PLOT_SVG);

	assert_says(text, "title 'largest error that the model allows'");
	assert_says(text, "dt '-'");
	assert_says_not(text, "using 1:5");
	results_free(&r);
	r = lags(124);
	text = script(&r, PLOT_SVG);
	assert_says(text, "title 'bound of stat.rss'");
	assert_says(text, "title 'bound of statm.resident'");
	results_free(&r);
	r = lags(CURVE_NO_POINT);
	text = script(&r, PLOT_SVG);
	assert_says(text, "NaN");
	assert_says_not(text, "using 1:5");
}

TEST(a_reached_bound_is_a_separate_line)
{
	OWNED(results_free) struct results r = lags(0);
	struct curve *c = r.curves;
	char *text;

	for (size_t i = 0; i < c->nr; i++)
		c->series[0].of[i] = 62;
	text = script(&r, PLOT_SVG);
	assert_says(text, "title 'stat.rss'");
	assert_says(text, "title 'largest error that the model allows'");
}

TEST(the_axis_of_a_lag_begins_at_0)
{
	OWNED(results_free) struct results r = lags(0);
	char *text = script(&r, PLOT_PNG);

	assert_says(text, "set yrange [0:*]");
	results_free(&r);
	r = staircase();
	text = script(&r, PLOT_PNG);
	assert_says_not(text, "yrange");
}

TEST(files_with_the_same_model_share_its_text)
{
	OWNED(results_free) struct results r = made_up_results();
	char words[200];

	assert_string_equal(plot_models(&r.models, words, sizeof(words)),
			    "stat, statm, status: exact");
	r.models.of[METRIC_STAT_RSS] = (struct counter_model) { MODEL_PER_CPU, 32 };
	assert_string_equal(plot_models(&r.models, words, sizeof(words)),
			    "stat: per-CPU, batch 32, 2 CPUs; statm, status: exact");
}

static char *drawn(const struct results *r, enum plot_format format, char *why, size_t size)
{
	struct plot p = plot_of(r);
	FILE *out = printing();
	bool failed;
	char *text;

	why[0] = '\0';
	failed = plot_curves(&p, format, out, why, size);
	text = printed(out);
	return failed ? NULL : text;
}

static void need_gnuplot(void)
{
	char path[PATH_MAX];

	if (!path_find_program("gnuplot", path, sizeof(path)))
		skip();
}

TEST(gnuplot_draws_each_format)
{
	OWNED(results_free) struct results r = staircase();
	char *text, why[300];

	need_gnuplot();
	for (enum plot_format f = PLOT_TERMINAL; f <= PLOT_PNG; f++) {
		text = drawn(&r, f, why, sizeof(why));
		if (!text)
			fail_msg("%s", why);
		if (f == PLOT_PNG)
			assert_memory_equal(text, "\x89PNG", 4);
		else
			assert_says(text, "page tables = statm.resident");
	}
}

TEST(an_SVG_plot_follows_the_preferred_colour_scheme)
{
	OWNED(results_free) struct results r = staircase();
	char *text, why[300];

	need_gnuplot();
	text = drawn(&r, PLOT_SVG, why, sizeof(why));
	assert_non_null(text);
	assert_memory_equal(text, "<?xml", 5);
	assert_says(text, "prefers-color-scheme:dark");
	assert_says(text, "currentColor");
	assert_says_not(text, "black");
}

TEST(lines_of_a_terminal_plot_have_no_trailing_blanks)
{
	OWNED(results_free) struct results r = lags(0);
	char *text, why[300];

	need_gnuplot();
	text = drawn(&r, PLOT_TERMINAL, why, sizeof(why));
	assert_non_null(text);
	assert_says_not(text, " \n");
	assert_says_not(text, "\f");
	assert_true(text[0] != '\n');
	assert_says(text, "pages off, 4 KiB each");
}

TEST(without_gnuplot_the_message_says_how_to_install_it)
{
	OWNED(results_free) struct results r = staircase();
	char why[300];

	setenv("RSSCK_GNUPLOT", "/nonexistent/gnuplot", 1);
	assert_null(drawn(&r, PLOT_SVG, why, sizeof(why)));
	assert_says(why, "/nonexistent/gnuplot");
	assert_says(why, "(Debian: package gnuplot-nox)");
	unsetenv("RSSCK_GNUPLOT");
}

TEST(the_error_of_gnuplot_is_quoted)
{
	OWNED(results_free) struct results r = staircase();
	const char *path = folder_put(
		"gnuplot", "#!/bin/sh\necho 'unknown or ambiguous terminal name' >&2; exit 1\n");
	char why[300];

	chmod(path, 0700);
	setenv("RSSCK_GNUPLOT", path, 1);
	for (enum plot_format f = PLOT_TERMINAL; f <= PLOT_PNG; f++) {
		assert_null(drawn(&r, f, why, sizeof(why)));
		assert_says(why, "gnuplot drew nothing: unknown or ambiguous terminal name");
	}
	unsetenv("RSSCK_GNUPLOT");
}
