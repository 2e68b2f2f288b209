// SPDX-License-Identifier: MIT
/*
 * Cases whose tries pass, fail, end in an error or are skipped as a script says. The script has one
 * letter for each try.
 */
#ifndef RSSCK_TEST_VERDICT_H
#define RSSCK_TEST_VERDICT_H

#include "engine/need.h"
#include "tests/support/driven.h"
#include "tests/workload/misbehaving.h"
#include <rssck/judge.h>
#include <sys/socket.h>

/* Both ends of the script: the workload reads one letter for each try. */
static int script_in, script_out;

FIXTURE(setup)
{
	char number[16];
	int ends[2];

	driven_setup_calibrated(state);
	assert_int_equal(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
	script_in = ends[1];
	script_out = fcntl(ends[0], F_DUPFD, 200);
	close(ends[0]);
	snprintf(number, sizeof(number), "%d", script_out);
	setenv(MISBEHAVE_TELL, number, 1);
	return 0;
}

FIXTURE(teardown)
{
	unsetenv(MISBEHAVE_TELL);
	close(script_in);
	close(script_out);
	return driven_teardown(state);
}

/* The values that judge() reports as facts. judge() runs once for each try that completes. */
static const char *const *values;
static unsigned nr_judged;

static inline void tell_fact(const struct trial *t, struct judgement *j)
{
	(void)t;
	judge_fact(j, "made.up", "%s", values[nr_judged++]);
}

STEP_SYMBOLS(MAP);
static const struct step map_step[] = { { .name = "map", .symbol = MAP, .flags = STEP_ANY_PAGES },
					{ .name = NULL } };

/* The smallest case: one step. It may use all CPUs and need not free its memory. */
static const struct testcase once = {
	.claim = "once",
	.flags = CASE_ALL_CPUS | CASE_KEEPS_MEMORY,
	.steps = map_step,
};

static inline struct result run(struct engine *e, const struct testcase *c)
{
	const struct case_registration r = { c, driven_registration.file };
	struct result result;

	engine_run(e, &r, &result);
	assert_nobody_left();
	return result;
}

static inline void assert_verdict(const struct result *r, enum verdict v, const char *words)
{
	if (r->verdict != v || !strstr(r->reason, words))
		fail_msg("%s, \"%s\"; expected %s, \"%s\"", verdict_name(r->verdict), r->reason,
			 verdict_name(v), words);
}

static inline void assert_run(struct engine *e, const struct testcase *c, enum verdict v,
			      const char *words)
{
	OWNED(result_free) struct result r = run(e, c);

	assert_verdict(&r, v, words);
}

/* The letters p, f, o, e and s stand for pass, fail, fail once, error and skip. */
static inline struct result run_script(struct engine *e, const struct testcase *c,
				       const char *letters)
{
	struct result r;

	assert_int_equal(write(script_in, letters, strlen(letters)), (long)strlen(letters));
	driven_misbehave("map", "script");
	r = run(e, c);
	driven_misbehave(NULL, NULL);
	return r;
}

/* Exactly these tries must be made. */
static inline void assert_script(struct engine *e, const struct testcase *c, const char *letters,
				 enum verdict v, const char *words)
{
	OWNED(result_free) struct result r = run_script(e, c, letters);
	char left;

	if (r.verdict != v)
		print_error("script \"%s\":\n", letters);
	assert_verdict(&r, v, words);
	assert_int_equal(read(script_out, &left, 1), -1);
}

static inline void require_two_cpus(const struct engine *e)
{
	if (e->host.nr_cpu_list < 2)
		skip();
}

TESTS_SHARE(setup, teardown);

#endif
