// SPDX-License-Identifier: MIT
/*
 * Results of older versions of rssck, kept unchanged: they can still be read, compared and
 * reported.
 */
#include "tests/support/made_up.h"
#include "tests/support/test.h"

static const struct {
	const char *file, *release;
	size_t cases, pass, skip;
	enum model_kind field_24, statm;
	long batch;
	const char *agrees; /* the value of the fact stat_agrees_with_statm */
} old[] = {
	{ "5.10-first", "5.10.0-46-cloud-amd64", 117, 108, 9, MODEL_PER_THREAD, MODEL_PER_THREAD,
	  66, "yes" },
	{ "6.18-0.1.0", "6.18.44-fc-v669", 260, 197, 63, MODEL_PER_CPU, MODEL_EXACT, 32, "no" },
	{ "7.3-0.1.0", "7.3.4+deb13-cloud-amd64", 260, 254, 6, MODEL_PER_CPU, MODEL_EXACT, 32,
	  "no" },
};

enum { OLD = sizeof(old) / sizeof(*old) };

static const char *path_of(size_t i, char path[128])
{
	snprintf(path, 128, "harness/tests/recorded/results/%s.json", old[i].file);
	return path;
}

static const char *fact_of(const struct results *r, const char *id, const char *name)
{
	for (size_t i = 0; i < r->nr; i++)
		for (size_t k = 0; !strcmp(r->of[i].id, id) && k < r->of[i].nr_facts; k++)
			if (!strcmp(r->of[i].facts[k].name, name))
				return r->of[i].facts[k].value;
	return "";
}

TEST(old_results_are_read_completely)
{
	for (size_t i = 0; i < OLD; i++) {
		char path[128];
		OWNED(results_free) struct results r = results_in(path_of(i, path));

		assert_string_equal(r.kernel_release, old[i].release);
		assert_int_equal(r.page_size, 4096);
		assert_int_equal(r.cpus, 2);
		assert_int_equal(r.nr, old[i].cases);
		assert_int_equal(r.count[VERDICT_PASS], old[i].pass);
		assert_int_equal(r.count[VERDICT_SKIP], old[i].skip);
		assert_int_equal(r.models.of[METRIC_STAT_RSS].kind, old[i].field_24);
		assert_int_equal(r.models.of[METRIC_STAT_RSS].batch, old[i].batch);
		assert_int_equal(r.models.of[METRIC_STATM_RESIDENT].kind, old[i].statm);
		assert_string_equal(
			fact_of(&r, "counters/stat_statm_status", "stat_agrees_with_statm"),
			old[i].agrees);
	}
}

TEST(old_results_can_be_compared)
{
	char older[128], newer[128];

	for (size_t i = 0; i < OLD; i++)
		for (size_t k = 0; k < OLD; k++)
			assert_rssck(i != k, NULL, "compare %s %s 2>&1", path_of(i, older),
				     path_of(k, newer));
}

TEST(old_results_can_be_reported)
{
	rssck_said(0, "report --output=- harness/tests/recorded/results/*.json 2>&1");
	rssck_said(0, "report --html --output=- harness/tests/recorded/results/*.json 2>&1");
	rssck_said(0, "report --history --output=- harness/tests/recorded/results/*.json 2>&1");
	rssck_said(0, "explain --no-measure --results=harness/tests/recorded/results VmRSS 2>&1");
}
