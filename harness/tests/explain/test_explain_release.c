// SPDX-License-Identifier: MIT
/* The answer comes first, and is about the named kernel: from a recorded run, or by its version. */
#include "tests/explain/recorded_topics.h"

static char *answer_of(const char *asked, const char *release)
{
	OWNED(query_free) struct query q = resolved(asked);
	FILE *out = printing();
	struct explanation e = explanation_to(out, NULL);
	struct models models;

	e.prose.width = 2000;
	e.threads = 1;
	e.run = kernel_by_release(&e.kernels, release);
	assert_non_null(e.run);
	models = kernel_models(e.run);
	e.models = &models;
	e.where = release;
	explain_query(&e, asked, &q);
	return printed(out);
}

TEST(the_first_line_says_what_it_is_and_the_verdict_names_a_better_number)
{
	static const struct {
		const char *asked, *release, *first, *verdict, *instead;
	} rows[] = {
		{ "top RES", "6.1",
		  "top RES: ", "Verdict       Do not believe it to the page. On 6.1 each thread ",
		  "Read instead  Rss of /proc/PID/smaps_rollup" },
		{ "RES", "6.1", "RES: ", "Verdict       Do not believe it to the page.",
		  "Read instead  Rss of /proc/PID/smaps_rollup" },
		{ "top RES", "7.2",
		  "top RES: ", "Verdict       Believe it. On 7.2 every page shows immediately.",
		  "Read instead  nothing" },
		{ "pidstat RSS", "7.2", "pidstat RSS: ",
		  "Verdict       Do not believe it to the page. On 7.2 it may be off by up to 186 pages "
		  "(744 kB) (2 CPUs",
		  "Read instead  Rss of" },
		{ "VIRT", "6.1", "VIRT: ", "Verdict       Believe it as address space.",
		  "Read instead  Rss or Pss" },
		{ "smaps.Rss", "6.1",
		  "smaps.Rss: ", "Verdict       Believe it, if the process stands still",
		  "  Rss in /proc/PID/smaps" },
		{ "docker stats", "6.1", "docker stats: ", "Verdict       Do not read it as RSS",
		  "Read instead  memory.stat anon" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *text = answer_of(rows[i].asked, rows[i].release);
		const char *verdict = strstr(text, rows[i].verdict);

		if (strncmp(text, rows[i].first, strlen(rows[i].first)) || !verdict ||
		    !strstr(verdict, rows[i].instead))
			fail_msg("%s on %s: %.400s", rows[i].asked, rows[i].release, text);
	}
}

TEST(an_unrecorded_kernel_is_answered_by_its_version_range)
{
	static const struct {
		const char *release;
		enum range_kind kind;
		bool changes;
	} rows[] = {
		{ "2.6.33", RANGE_UNKNOWN, false },
		{ "4.19", RANGE_PER_THREAD, false },
		{ "5.15", RANGE_PER_THREAD, false },
		{ "6.1.150", RANGE_PER_THREAD, false },
		{ "6.2", RANGE_PER_CPU, false },
		{ "6.6", RANGE_PER_CPU, true },
		{ "6.6.98", RANGE_PER_CPU, false },
		{ "6.6.99", RANGE_SUMMED, false },
		{ "6.8.0-49-generic", RANGE_PER_CPU, false },
		{ "6.12", RANGE_PER_CPU, true },
		{ "6.12.0", RANGE_PER_CPU, false },
		{ "6.12.38", RANGE_PER_CPU, false },
		{ "6.12.39", RANGE_SUMMED, false },
		{ "6.14", RANGE_PER_CPU, false },
		{ "6.15", RANGE_PER_CPU, true },
		{ "6.15.7", RANGE_SUMMED, false },
		{ "6.16", RANGE_SUMMED, false },
		{ "7.2", RANGE_SUMMED, false },
	};
	struct kernels k = { recorded.of, recorded.nr };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct models m;

		assert_int_equal(range_of(rows[i].release)->kind, rows[i].kind);
		assert_int_equal(range_change(rows[i].release) != NULL, rows[i].changes);
		assert_int_equal(range_models(&k, rows[i].release, &m),
				 rows[i].kind != RANGE_UNKNOWN);
		if (rows[i].kind == RANGE_PER_CPU)
			assert_int_equal(m.of[METRIC_STATUS_VMRSS].kind, MODEL_PER_CPU);
	}
}

TEST(recorded_kernels_agree_with_their_version_range)
{
	for (size_t i = 0; i < recorded.nr; i++) {
		const struct results *r = &recorded.of[i];
		enum range_kind kind = range_of(r->kernel_release)->kind;

		assert_int_equal(r->models.of[METRIC_STAT_RSS].kind,
				 kind == RANGE_PER_THREAD ? MODEL_PER_THREAD : MODEL_PER_CPU);
		assert_int_equal(r->models.of[METRIC_STATUS_VMRSS].kind,
				 kind == RANGE_SUMMED    ? MODEL_EXACT
				 : kind == RANGE_PER_CPU ? MODEL_PER_CPU
							 : MODEL_PER_THREAD);
	}
}

/* 6.1 means kernels of that version only: 6.12 is another one. */
TEST(a_short_release_means_the_newest_that_begins_with_it)
{
	struct kernels k = { recorded.of, recorded.nr };

	assert_memory_equal(kernel_by_release(&k, "6.1")->kernel_release, "6.1.0", 5);
	assert_memory_equal(kernel_by_release(&k, "6.12")->kernel_release, "6.12.118", 8);
	assert_memory_equal(kernel_by_release(&k, "6.12.43")->kernel_release, "6.12.43", 7);
	assert_memory_equal(kernel_by_release(&k, "6")->kernel_release, "6.", 2);
	assert_null(kernel_by_release(&k, "4.19"));
}

/* A fault maps up to 16 pages of a file, so 66 faults map up to 1,056 pages. */
TEST(the_bound_of_a_recorded_kernel_is_the_measured_one)
{
	struct kernels k = { recorded.of, recorded.nr };
	struct models m = kernel_models(kernel_by_release(&k, "6.1"));

	assert_int_equal(model_bound(&m, METRIC_STATM_RESIDENT, 1), 1056);
	assert_int_equal(model_bound(&m, METRIC_STATUS_RSSANON, 1), 66);
}

/* ---- the program ---- */

static void expect(const char *arguments, int status, const char *part)
{
	assert_rssck(status, part, "explain %s 2>&1", arguments);
}

TEST(each_of_several_names_gets_an_answer)
{
	expect("--no-model top RES PSS", 0, "\nPSS\n");
	expect("--no-model RES 6.1 'docker stats'", 0, "\n6.1.0: ");
	expect("--kernel=6.6 --cpus=64 VmHWM", 0, "64 CPUs: up to 24,384");
	expect("--kernel=6.8 VmHWM", 0, "By its commits, on Linux 6.8");
	expect("--cpus=0 VmHWM", 2, "from 1 to");
	expect("--no-model VmRSS vs smaps.Rss", 0, "Both are RSS, read from two places.");
	expect("--no-model VmRRS", 0, "'VmRRS' is read as 'status.VmRSS'.");
	expect("--kernel=6.1 'top RES'", 0, "Do not believe it to the page.");
	expect("--kernel=2.4 RES", 2, "there is no run of kernel '2.4'; there are runs of 5.10.0");
	expect("--kernel= RES", 2, "is not a kernel");
	expect("--results=harness --kernel=6.1 RES", 2, "harness contains no recorded run");
	expect("truncate of shm", 0, "Unknown: ");
	expect("--kernel=6.1 --pid=1 RES", 2, "give only one");
	expect("--json", 2, "--json needs a NAME");
	expect("--json --kernel=6.1 RES PSS", 0, "\"schema\": \"rssck-explain/1\"");
}
