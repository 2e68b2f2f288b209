// SPDX-License-Identifier: MIT
/*
 * A kernel warning about the workload is final. A warning about another process is only a remark.
 */
#include "tests/engine/verdict.h"

/* The kernel log of the next case contains this record. Returns the other end of the log. */
static int log_said(struct engine *e, const char *record)
{
	int pair[2];

	assert_int_equal(
		socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair), 0);
	e->log = pair[0];
	assert_true(write(pair[1], record, strlen(record)) > 0);
	return pair[1];
}

static void log_close(struct engine *e, int other_end)
{
	close(e->log);
	close(other_end);
	e->log = -1;
}

static const char bad_state[] = "1,7,9,-;BUG: Bad rss-counter state mm:1 type:MM_ANONPAGES val:1";

TEST(a_kernel_warning_about_the_workload_is_final)
{
	struct engine *e = *state;
	int other_end = log_said(e, bad_state);

	assert_script(e, &once, "p", VERDICT_FAIL, "the kernel log: BUG: Bad rss-counter state");
	log_close(e, other_end);
}

TEST(a_kernel_warning_about_another_process_is_a_remark)
{
	struct engine *e = *state;
	int other_end = log_said(e, "4,8,9,-;WARNING: CPU: 0 PID: 1 at drivers/x.c:1 f+0x1/0x2");
	OWNED(result_free) struct result r = run_script(e, &once, "p");

	assert_verdict(&r, VERDICT_PASS, "");
	assert_int_equal(r.nr_remarks, 1);
	assert_string_equal(r.remarks[0], "the kernel log, unrelated: WARNING: CPU: 0 PID: 1 "
					  "at drivers/x.c:1 f+0x1/0x2");
	assert_int_equal(r.nr_tries, 0);
	log_close(e, other_end);
}

TEST(a_late_warning_about_another_process_fails_no_case)
{
	struct engine *e = *state;
	struct result of[1] = { { .verdict = VERDICT_PASS } };
	struct results r = { .of = of, .nr = 1, .count = { [VERDICT_PASS] = 1 } };
	int other_end = log_said(e, "4,8,9,-;WARNING: CPU: 0 PID: 1 at drivers/x.c:1 f+0x1/0x2");

	assert_int_equal(engine_drain_log(e, &r), 0);
	assert_int_equal(of[0].verdict, VERDICT_PASS);
	assert_int_equal(of[0].nr_remarks, 1);
	log_close(e, other_end);
}

TEST(a_late_warning_fails_the_last_case)
{
	struct engine *e = *state;
	struct result of[2] = { { .verdict = VERDICT_PASS }, { .verdict = VERDICT_PASS } };
	struct results r = { .of = of, .nr = 2, .count = { [VERDICT_PASS] = 2 } };
	int other_end = log_said(e, bad_state);

	assert_int_equal(engine_drain_log(e, &r), 1);
	assert_int_equal(of[0].verdict, VERDICT_PASS);
	assert_verdict(&of[1], VERDICT_FAIL, "the kernel log, after the last case: BUG: Bad rss");
	assert_int_equal(r.count[VERDICT_PASS], 1);
	assert_int_equal(r.count[VERDICT_FAIL], 1);
	assert_int_equal(engine_drain_log(e, &r), 0);
	log_close(e, other_end);
}
