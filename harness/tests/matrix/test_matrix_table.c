// SPDX-License-Identifier: MIT
/* The page of all kernels: columns in order, one row per fact, changes marked. */
#include "matrix/matrix.h"
#include "runs/document.h"
#include "runs/notes.h"
#include "runs/release.h"
#include "tests/support/made_up.h"
#include "tests/support/test.h"
#include <rssck/case.h>

TEST(releases_are_ordered_by_their_numbers)
{
	static const char *const sorted[] = {
		"5.10.0-44-cloud-amd64",
		"6.1.0-9",
		"6.1.0-10",
		"6.1.158",
		"6.9",
		"6.12-rc3",
		"6.12",
		"6.12.43+deb12-cloud-amd64",
		"6.12.100",
		"6.18.44",
		"7.2.0-rc1",
		"7.2.0",
		"7.2.1",
		"7.10",
	};

	for (size_t i = 0; i < sizeof(sorted) / sizeof(sorted[0]); i++)
		for (size_t k = 0; k < sizeof(sorted) / sizeof(sorted[0]); k++) {
			int order = release_compare(sorted[i], sorted[k]);

			if ((order > 0) - (order < 0) != (i > k) - (i < k))
				fail_msg("%s against %s gives %d", sorted[i], sorted[k], order);
		}
}

TEST(a_column_is_named_by_the_version_number_only)
{
	static const char *const names[][2] = {
		{ "6.12.43+deb12-cloud-amd64", "6.12.43" },
		{ "5.10.0-44-amd64", "5.10.0" },
		{ "7.2.0-rc1+", "7.2.0-rc1" },
		{ "6.18.", "6.18" },
		{ "custom", "custom" },
	};
	char buf[96];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_string_equal(release_short(names[i][0], buf, sizeof(buf)), names[i][1]);
}

static struct results run_of(const char *release, const char *value)
{
	struct results r = made_up_results();
	struct result *c = made_up_case(&r, "file/x", VERDICT_PASS, "");

	snprintf(r.kernel_release, sizeof(r.kernel_release), "%s", release);
	if (value)
		made_up_fact(c, "a.fact", value);
	made_up_fact(c, "same", "always");
	return r;
}

TEST(a_changed_fact_is_marked_at_the_change)
{
	struct results runs[] = { run_of("6.12.1", "yes"), run_of("5.10", "no"),
				  run_of("6.9", "no"), run_of("7.2", "yes") };
	char *text = page_of(report_matrix, runs, 4);

	assert_says(text, "| fact | 5.10 | 6.9 | 6.12.1 | 7.2 | why |\n");
	assert_says(text, "| [a,fact](../cases/file/x.c) | no | no | **yes** | yes |");
	/* A fact that is the same everywhere needs no column for each kernel. */
	assert_says(text, "| fact | on all that ran its case |\n| --- | --- |\n");
	assert_says(text, "| [same](../cases/file/x.c) | always |\n");
}

TEST(a_kernel_without_the_fact_is_a_dash_and_no_change)
{
	struct results runs[] = { run_of("5.10", "no"), run_of("6.1", NULL), run_of("6.9", "no"),
				  run_of("7.2", "yes") };
	char *text = page_of(report_matrix, runs, 4);

	assert_says(text, "| no | – | no | **yes** |");
}

TEST(a_batch_that_grows_with_the_cpus_is_not_marked)
{
	struct results runs[] = { run_of("6.18", NULL), run_of("6.18", NULL) };

	made_up_models(&runs[0], MODEL_PER_CPU, 32);
	made_up_models(&runs[1], MODEL_PER_CPU, 64);
	runs[1].cpus = 32;

	char *text = page_of(report_matrix, runs, 2);

	assert_says(text, "| counter | 6.18, 2 CPUs | 6.18, 32 CPUs | why |");
	assert_says(text, "| `stat.rss` | per-cpu, 32 | per-cpu, 64 |  |");
}

TEST(a_change_of_the_model_is_explained_by_a_commit)
{
	struct results runs[] = { run_of("6.1", NULL), run_of("6.18", NULL) };

	made_up_models(&runs[0], MODEL_PER_THREAD, 64);

	char *text = page_of(report_matrix, runs, 2);

	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++)
		if (!note_of(metric(*id)->name)[0])
			fail_msg("no note for %s", metric(*id)->name);
	assert_says(text, "| `stat.rss` | per-thread, 64 | **exact** | [1](#why-1) |\n");
	assert_says(text, "| **exact** | [2](#why-2) |\n");
	assert_says(text, "## Why\n\n1. <a id=\"why-1\"></a>f1a7941243c1");
	assert_says(text, "\n2. <a id=\"why-2\"></a>");
}

TEST(the_facts_of_calibration_are_only_in_the_table_of_models)
{
	struct results runs[] = { run_of("6.1", NULL), run_of("6.18", NULL) };

	made_up_fact(&runs[0].of[0], "statm.resident.model", "per-thread");
	made_up_fact(&runs[1].of[0], "statm.resident.model", "exact");
	made_up_fact(&runs[1].of[0], "statm.resident.other", "x");

	char *text = page_of(report_matrix, runs, 2);

	assert_says_not(text, "[statm,resident,model]");
	assert_says(text, "[statm,resident,other]");
}

TEST(the_lag_of_the_100_threads_is_shown_in_kilobytes)
{
	struct results runs[] = { run_of("6.1", NULL), run_of("6.18", NULL) };
	struct result *c = made_up_case(&runs[0], "counters/threads_malloc", VERDICT_PASS, "");

	made_up_discrepancy(c, "100 threads x 1 MiB", "status.VmRSS", 24049, 29961, 6464);

	char *text = page_of(report_matrix, runs, 2);

	assert_says(text, "| `status.VmRSS` | -23,648 | – |\n");
}

TEST(the_content_of_cells_does_not_break_the_table)
{
	struct results runs[] = { run_of("6.1", "a|b\n<b>*_c_"), run_of("6.18", "x") };
	char *text = page_of(report_matrix, runs, 2);

	assert_says(text, "| a\\|b \\<b\\>\\*\\_c\\_ | **x** |");
}

TEST(a_fact_is_printed_as_a_question)
{
	struct results runs[] = { run_of("6.1", NULL), run_of("6.18", NULL) };

	for (int i = 0; i < 2; i++)
		made_up_fact(&runs[i].of[0], "zero_page.counted_in_rss", "no");

	char *text = page_of(report_matrix, runs, 2);

	assert_says(text, "| [Is the zero page counted in RSS?](../cases/file/x.c) | no |\n");
}

TEST(cases_that_did_not_pass_share_a_line_per_reason)
{
	struct results runs[] = { run_of("6.1", NULL), run_of("6.18", NULL), run_of("7.2", NULL) };
	static const char id[] = "file/truncate";
	const struct testcase *c = testcase_by_id(id);
	char reason[160];

	assert_non_null(c);
	snprintf(reason, sizeof(reason), "%s: PAGEMAP_SCAN: ENOTTY", c->steps[0].name);
	made_up_case(&runs[0], "scanners/y", VERDICT_SKIP, "PAGEMAP_SCAN: ENOTTY");
	made_up_case(&runs[0], "scanners/z", VERDICT_SKIP, "PAGEMAP_SCAN: ENOTTY");
	made_up_case(&runs[1], "scanners/y", VERDICT_FAIL, "the numbers differ");
	made_up_case(&runs[2], "scanners/y", VERDICT_SKIP, "PAGEMAP_SCAN: ENOTTY");
	made_up_case(&runs[2], "scanners/z", VERDICT_SKIP, "PAGEMAP_SCAN: ENOTTY");
	/* It does not matter which case found the reason. */
	made_up_case(&runs[2], id, VERDICT_SKIP, reason);

	char *text = page_of(report_matrix, runs, 3), line[400];

	snprintf(line, sizeof(line),
		 "- skip: PAGEMAP\\_SCAN: ENOTTY: [scanners/y](../cases/scanners/y.c), "
		 "[scanners/z](../cases/scanners/z.c) (6.1, 7.2); [%s](../cases/%s.c) (7.2)\n",
		 id, id);
	assert_says(text, line);
	assert_says(text,
		    "- fail: the numbers differ: [scanners/y](../cases/scanners/y.c) (6.18)\n");
}

static size_t rows_of(const char *text)
{
	size_t rows = 0;

	for (const char *at = strstr(text, "| document |"); (at = strstr(at, "\n| ")); at++)
		rows++;
	/* The line below the heading is not a row. */
	return rows - 1;
}

TEST(false_sentences_are_in_the_README_and_all_in_DOCUMENTS)
{
	struct results runs[] = { run_of("6.1", NULL), run_of("7.2", NULL) };
	struct results again[] = { run_of("6.1", NULL), run_of("7.2", NULL) };
	size_t nr, wrong = 0, unknown = 0;
	const struct sentence *all = sentences_all(&nr);
	char part[240];

	made_up_models(&runs[0], MODEL_PER_THREAD, 66);
	made_up_models(&again[0], MODEL_PER_THREAD, 66);
	for (size_t i = 0; i < nr; i++)
		wrong += sentence_judge(&all[i], &runs[1]) == SENTENCE_FALSE;
	for (size_t i = 0; i < nr; i++)
		unknown += sentence_judge(&all[i], &runs[1]) == SENTENCE_UNKNOWN;
	assert_true(wrong > 0 && unknown > 0);

	char *text = page_of(report_matrix, runs, 2), *page = page_of(report_documents, again, 2);

	snprintf(
		part, sizeof(part),
		"and %zu are false.\nThis run cannot decide the other %zu, because a case did not run.\n",
		wrong, unknown);
	assert_says(text, part);
	assert_says(page, part);
	*strstr(text, "\n## The runs") = '\0';
	assert_int_equal(rows_of(text), wrong);
	assert_int_equal(rows_of(page), nr);
	assert_says(text, "| 6.1 | 7.2 | [counters/calibrate](../cases/counters/calibrate.c) |");
}

TEST(cases_that_ran_nowhere_are_listed)
{
	struct results runs[] = { run_of("6.1", NULL), run_of("7.2", NULL) };

	made_up_case(&runs[0], "file/truncate", VERDICT_SKIP, "no | file");
	made_up_case(&runs[1], "file/willneed", VERDICT_FAIL, "");

	char *text = page_of(report_matrix, runs, 2);
	char *table = strstr(text, "## Cases that ran nowhere\n\n| case | why |\n");

	assert_non_null(table);
	assert_says(table, "| [file/truncate](../cases/file/truncate.c) | no \\| file |\n");
	assert_says(table, "| [file/reclaim](../cases/file/reclaim.c) | no run has this case");
	assert_says_not(table, "willneed");
}
