// SPDX-License-Identifier: MIT
/* The text format: cmocka runs the cases and prints the last lines. */
#include "base/print/prose.h"
#include "base/print/words.h"
#include "check.h"
#include "report/causes.h"
#include <errno.h>
#include <rssck/bug.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* cmocka.h must be included after the headers above. */
#include <cmocka.h>

struct text_case {
	struct check *check;
	const struct case_registration *c;
	bool colour;
	char id[64];
};

/*
 * A global variable, because cmocka passes no argument to the group's teardown, which prints the
 * lines before cmocka's last lines.
 */
static struct text_case *group;

static void print_result(const struct result *r, bool colour)
{
	report_case(r, &group->check->results, stdout, colour);
	fflush(stdout);
}

static void test_case(void **state)
{
	struct text_case *t = *state;
	struct check *check = t->check;
	const struct result *r;

	/* On a terminal, cmocka's own line names the running case. */
	if (!isatty(STDOUT_FILENO))
		ticker_show(&check->ticker, "%zu of %zu: %s", check->results.nr + 1,
			    check->selection->nr, t->id);
	r = check_case(check, t->c);
	ticker_clear(&check->ticker);
	if (r->verdict != VERDICT_PASS || check->options->verbose)
		print_result(r, t->colour);
	/*
	 * _skip() and _fail() do not return. Both print the file of the case, where the reader
	 * should look.
	 */
	if (r->verdict == VERDICT_SKIP)
		_skip(t->c->file, 1);
	if (r->verdict != VERDICT_PASS)
		_fail(t->c->file, 1);
}

static void print_not_passed(const struct results *r, bool colour)
{
	size_t nr = r->nr - r->count[VERDICT_PASS];
	struct causes c;

	if (!nr || causes_gather(&c, r))
		return;
	printf("\n%zu of %zu cases did not pass:\n\n", nr, r->nr);
	/*
	 * Prints only verdicts, because the numbers were printed when the cases ran. If several
	 * cases have one cause, prints only the first of them.
	 */
	for (size_t i = 0; i < r->nr; i++)
		if (r->of[i].verdict != VERDICT_PASS &&
		    (c.cause_of[i] == c.nr || c.of[c.cause_of[i]].first == i))
			report_verdict(&r->of[i], stdout, colour);
	if (c.nr)
		putchar('\n');
	causes_put(&c, r, stdout);
	causes_free(&c);
}

/* Prints only cases that passed, because the others were printed when they ran. */
static void print_histories(const struct results *r, bool colour)
{
	size_t nr = 0;

	for (size_t i = 0; i < r->nr; i++) {
		const struct result *c = &r->of[i];

		if (c->verdict != VERDICT_PASS || (!result_retried(c) && !c->nr_remarks))
			continue;
		if (nr++ == 0)
			printf("\nThese cases passed after more than one try, or with an unrelated kernel message:\n\n");
		report_verdict(c, stdout, colour);
		report_history(c, "    ", stdout);
	}
}

static void print_remarks(const struct results *r, bool colour)
{
	size_t nr = 0;

	for (size_t i = 0; i < r->nr; i++) {
		if (r->of[i].verdict != VERDICT_PASS || !r->of[i].reason[0])
			continue;
		if (nr++ == 0)
			printf("\nThese cases passed, but could not check everything:\n\n");
		report_verdict(&r->of[i], stdout, colour);
	}
	print_histories(r, colour);
	if (!r->saw_log)
		printf("\nThe kernel log was not searched for accounting errors, because /dev/kmsg "
		       "cannot be read\n(it needs root, or kernel.dmesg_restrict=0).\n");
}

/* Known bugs change no verdict, because this version of the kernel is known to have them. */
static void print_bugs(const struct results *r)
{
	if (results_bugs(r))
		putchar('\n');
	for (size_t i = 0; i < r->nr; i++)
		report_bugs(&r->of[i], "", stdout);
}

static void print_checks(const struct results *r)
{
	size_t retried = results_retried(r), bugs = results_bugs(r);
	int64_t checks = 0;
	char words[32];

	for (size_t i = 0; i < r->nr; i++)
		checks += (int64_t)r->of[i].nr_checks;
	printf("\n%s numbers compared in %zu case%s", number_words(checks, words, sizeof(words)),
	       r->nr, r->nr == 1 ? "" : "s");
	if (retried)
		printf("; %zu needed a second try", retried);
	if (bugs)
		printf("; %zu known bug%s of this kernel", bugs, bugs == 1 ? "" : "s");
	printf(".\n\n");
}

static int finish(void **state)
{
	struct check *check = group->check;
	bool late = check_end(check);

	(void)state;
	print_not_passed(&check->results, group->colour);
	print_remarks(&check->results, group->colour);
	print_bugs(&check->results);
	if (late)
		puts("\nThe kernel reported an error after the last case had ended, so that case now "
		     "counts as failed.");
	if (check->options->repeat > 1)
		putchar('\n');
	repeat_runs(check, stdout);
	putchar('\n');
	report_table(&check->results, stdout, terminal_columns(stdout), group->colour);
	print_checks(&check->results);
	fflush(stdout);
	return late || check->differences ? -1 : 0;
}

static int run_group(struct check *c, bool colour)
{
	size_t nr = c->selection->nr;
	struct CMUnitTest *tests = calloc(nr, sizeof(*tests));
	struct text_case *cases = calloc(nr, sizeof(*cases));

	if (!tests || !cases) {
		free(tests);
		free(cases);
		return -1;
	}
	for (size_t i = 0; i < nr; i++) {
		cases[i] = (struct text_case) { c, c->selection->of[i], colour, "" };
		case_id(cases[i].c, cases[i].id, sizeof(cases[i].id));
		tests[i] = (struct CMUnitTest) { .name = cases[i].id,
						 .test_func = test_case,
						 .initial_state = &cases[i] };
	}
	group = cases;
	/*
	 * cmocka returns the number of failures, but check_status() computes the exit status from
	 * the verdicts.
	 */
	_cmocka_run_group_tests("rssck", tests, nr, NULL, finish);
	group = NULL;
	free(tests);
	free(cases);
	return 0;
}

int check_text(struct check *c, int fd, bool colour)
{
	int out, err, failed;

	/*
	 * The format is rssck's own, so environment variables for other cmocka tests must not
	 * change it.
	 */
	unsetenv("CMOCKA_MESSAGE_OUTPUT");
	unsetenv("CMOCKA_TEST_FILTER");
	unsetenv("CMOCKA_SKIP_FILTER");
	fflush(stdout);
	out = dup(STDOUT_FILENO);
	err = dup(STDERR_FILENO);
	if (out < 0 || err < 0) {
		trouble("dup(2): %s", strerror(errno));
		return -1;
	}
	/* cmocka writes to stdout and stderr. Both become one stream, so that the order is kept. */
	dup2(fd, STDOUT_FILENO);
	dup2(fd, STDERR_FILENO);
	setvbuf(stdout, NULL, _IOLBF, 0);
	failed = run_group(c, colour);
	if (fflush(stdout) || ferror(stdout))
		failed = -1;
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	close(out);
	close(err);
	return failed;
}
