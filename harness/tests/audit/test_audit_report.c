// SPDX-License-Identifier: MIT
/* The report of a run: a table of 80 columns, the results by rule, and JSON. */
#include "audit/report.h"
#include "tests/support/json.h"
#include "tests/support/test.h"

static const struct host host = {
	.page_size = 4096, .cpus = 2, .sees_pfns = true, .release = "6.1"
};
static struct measured measured = { .known = true };
static char *command[] = { "make", "check", NULL };
static struct point points[] = {
	{ .at_ms = 10,
	  .held_us = 2000,
	  .processes = 2,
	  .read = 2,
	  .threads = 3,
	  .numbers = 4000,
	  .counted = 6000,
	  .resident = 8000,
	  .pss = 5000,
	  .uss = 4000,
	  .lag = 500,
	  .whole = true },
	{ .at_ms = 1010,
	  .held_us = 3000,
	  .processes = 2,
	  .read = 1,
	  .threads = 3,
	  .mark = "saved" },
};

static struct auditor made_up(void)
{
	struct auditor a = { .host = &host,
			     .measured = &measured,
			     .started_ms = 1000,
			     .ended_ms = 3000,
			     .held_us = 5000,
			     .held_most_us = 3000,
			     .points = points,
			     .nr_points = 2,
			     .nr_seen = 2,
			     .nr_audited = 1,
			     .peak_rss = 300,
			     .peak_pss = 200,
			     .peak_uss = 100,
			     .log = 3 };

	a.tree.status = 3 << 8;
	a.numbers[CHECK_IDENTITIES] = 4000;
	a.numbers[CHECK_COUNTERS] = 14;
	a.numbers[CHECK_CLOSED] = 1;
	a.worst[METRIC_STAT_RSS] = (struct worst) {
		true, -500, 1056, 10, 4711, "a long name of it"
	};
	a.unseen[UNSEEN_DENIED] = 1;
	return a;
}

static struct discrepancy off_by(int64_t off)
{
	struct discrepancy d = { .counter = 100 + off, .precise = 100, .fails = true };

	strcpy(d.metric, "status.RssAnon");
	strcpy(d.unit, "pages");
	strcpy(d.text, "the counter = the page tables");
	return d;
}

static char *text_of(const struct auditor *a)
{
	OWNED(results_free) struct results r;
	FILE *out = printing();

	audit_results(a, &r);
	assert_int_equal(audit_text(a, &r, command, out, false), 0);
	return printed(out);
}

TEST(the_table_lists_the_checks_and_fits_80_columns)
{
	struct auditor a = made_up();
	char *text = text_of(&a);

	assert_says(text, "rssck run: make check\n");
	assert_says(text, "2 audits, 4,015 numbers compared; the program exited with status 3");
	assert_says(text, "1 of 2 processes were audited");
	assert_says(text, "at most RSS 300, PSS 200, USS 100 kB for all processes together");
	assert_says(text, "pass  sources of each process");
	assert_says(text, "-500      1,056   a long name of it (4711), 0.0 s");
	assert_says(text, "1 time: rssck may not read a process");
	assert_says(text, "stopped for 0.25 % of 2.0 s, at most 3.0 ms in one audit");
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
		assert_true(strcspn(line, "\n") <= 80);
}

TEST(a_rule_that_compared_nothing_is_skipped_and_says_why)
{
	struct auditor a = made_up();
	OWNED(results_free) struct results r;

	a.log = -1;
	measured.known = false;
	audit_results(&a, &r);
	measured.known = true;
	assert_int_equal(r.of[CHECK_IDENTITIES].verdict, VERDICT_PASS);
	assert_int_equal(r.of[CHECK_COUNTERS].verdict, VERDICT_SKIP);
	assert_says(r.of[CHECK_COUNTERS].reason, "were not measured");
	assert_int_equal(r.of[CHECK_FRAMES].verdict, VERDICT_SKIP);
	assert_int_equal(r.of[CHECK_LOG].verdict, VERDICT_SKIP);
	assert_int_equal(r.count[VERDICT_FAIL], 0);
}

TEST(a_finding_is_reported_once_with_its_count)
{
	struct auditor a = made_up();
	OWNED(results_free) struct results r;
	char *text;

	for (int64_t off = 1; off <= 3; off++) {
		struct discrepancy d = off_by(off);

		auditor_find(&a, CHECK_COUNTERS, 4711, "postgres", &d);
	}
	assert_int_equal(a.nr_findings, 1);
	assert_true(a.findings[0].grows);
	audit_results(&a, &r);
	assert_int_equal(r.of[CHECK_COUNTERS].verdict, VERDICT_FAIL);
	assert_int_equal(r.of[CHECK_COUNTERS].nr_discrepancies, 1);
	assert_string_equal(r.of[CHECK_COUNTERS].id, "run/counters");
	text = text_of(&a);
	assert_says(text, "postgres (4711)");
	assert_says(text, "3 audits, larger each time: perhaps a leak");
	assert_says(text, "status.RssAnon says 103 pages, should be 100: off by +3");
}

TEST(a_difference_that_rises_and_falls_is_no_leak)
{
	static const int64_t off[] = { 3, 5, 4 };
	struct auditor a = made_up();

	for (size_t i = 0; i < 3; i++) {
		struct discrepancy d = off_by(off[i]);

		auditor_find(&a, CHECK_COUNTERS, 4711, "postgres", &d);
	}
	assert_int_equal(a.findings[0].audits, 3);
	assert_false(a.findings[0].grows);
}

TEST(findings_beyond_the_limit_are_counted)
{
	static struct auditor a;

	a = made_up();
	for (pid_t pid = 1; pid <= FINDINGS_MAX + 5; pid++) {
		struct discrepancy d = off_by(1);

		auditor_find(&a, CHECK_COUNTERS, pid, "x", &d);
	}
	assert_int_equal(a.nr_findings, FINDINGS_MAX);
	assert_int_equal(a.nr_more, 5);
}

TEST(json_has_its_schema_and_each_audit)
{
	struct auditor a = made_up();
	struct discrepancy d = off_by(7);
	OWNED(results_free) struct results r;
	json_auto_t *j;

	auditor_find(&a, CHECK_COUNTERS, 4711, "postgres", &d);
	audit_results(&a, &r);
	j = audit_as_json(&a, &r, command);
	assert_string_equal(json_text(j, "schema"), "rssck-run/1");
	assert_int_equal(json_length(j, "audits"), 2);
	assert_int_equal(json_length(j, "findings"), 1);
	assert_int_equal(json_length(j, "rules"), CHECK_CGROUP);
	assert_null(json_object_get(j, "cgroup"));
	assert_int_equal(json_number(j, "ended/status"), 3);
}

TEST(with_a_cgroup_its_charges_are_one_more_rule)
{
	const struct group g = { .asked = true, .path = "/sys/fs/cgroup/rssck.1" };
	struct auditor a = made_up();
	OWNED(results_free) struct results r;
	json_auto_t *j;
	char *text;

	a.group = &g;
	a.paid[PAID_ANON_THP] = (struct paid) { .seen = true, .off = 16384, .bound = 384 };
	a.numbers[CHECK_CGROUP] = 9;
	audit_results(&a, &r);
	assert_int_equal(r.of[CHECK_CGROUP].verdict, VERDICT_PASS);
	assert_string_equal(r.of[CHECK_CGROUP].id, "run/cgroup");
	j = audit_as_json(&a, &r, command);
	assert_int_equal(json_length(j, "rules"), CHECK_COUNT);
	assert_int_equal(json_number(j, "cgroup/memory.stat anon_thp/off"), 16384);
	assert_int_equal(json_number(j, "cgroup/memory.stat anon_thp/bound"), 384);
	text = text_of(&a);
	assert_says(text, "pass  memory charged to its cgroup");
	assert_says(text, "memory.stat anon_thp          +16,384        384\n");
}

TEST(a_cgroup_that_cannot_be_made_says_why)
{
	const struct group g = { .asked = true, .why = "no cgroup v2 is mounted" };
	struct auditor a = made_up();
	OWNED(results_free) struct results r;

	a.group = &g;
	audit_results(&a, &r);
	assert_int_equal(r.of[CHECK_CGROUP].verdict, VERDICT_SKIP);
	assert_string_equal(r.of[CHECK_CGROUP].reason, "no cgroup v2 is mounted");
}

TEST(one_line_per_audit_fits_a_terminal)
{
	struct point p = { .at_ms = 123456,
			   .held_us = 123456,
			   .processes = 1234,
			   .read = 1234,
			   .resident = 12345678,
			   .lag = 12345,
			   .mark = "a mark that is quite long" };
	char line[128];

	audit_line(&p, line, sizeof(line));
	assert_true(strlen("rssck: ") + strlen(line) < 80);
	audit_line(&points[1], line, sizeof(line));
	assert_string_equal(line, "1.0 s: 1/2 processes, 0 kB, lag 0, 3.0 ms saved");
}
