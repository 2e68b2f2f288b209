// SPDX-License-Identifier: MIT
/* However the guest ends, the results of its check are reported, with the right exit status. */
#include "cmd/line/command.h"
#include "cmd/vm/command.h"
#include "report/journal.h"
#include "report/report.h"
#include "tests/support/files.h"
#include "tests/support/made_up.h"
#include "tests/support/test.h"
#include <signal.h>
#include <sys/mman.h>

enum how { PASSED, FAILED };

/*
 * Returns the outcome of a guest whose journal has one case and the beginning of a second one; if
 * `ended`, the journal of a complete run.
 */
static struct vm_outcome outcome(enum how how, bool ended)
{
	struct vm_outcome out = { .booted = true };
	char path[64], why[256];
	OWNED(results_free) struct results r = made_up_four();
	struct result *c = &r.of[how == FAILED ? 1 : 0];
	struct journal j;
	int fd = memfd_create("journal", 0);

	assert_int_equal(c->verdict, how == FAILED ? VERDICT_FAIL : VERDICT_PASS);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	assert_int_equal(journal_open(&j, path, why, sizeof(why)), 0);
	r.nr_selected = 5;
	journal_start(&j, &r);
	journal_begin(&j, c->id, 1);
	journal_case(&j, c, NULL, 0);
	if (ended)
		journal_end(&j, &r);
	else
		journal_begin(&j, "fork/cow", 1);
	journal_close(&j);

	out.journal_length = (size_t)lseek(fd, 0, SEEK_END);
	out.journal = calloc(1, out.journal_length + 1);
	assert_int_equal(pread(fd, out.journal, out.journal_length, 0), out.journal_length);
	close(fd);
	return out;
}

static int delivered(struct vm_outcome out, enum option_format format, const char *failed)
{
	struct vm_command c = { .vm.kernel = "bzImage",
				.output = in_folder("out"),
				.format = format };
	int status;

	unlink(c.output);
	status = vm_deliver(&c, &out, failed);
	vm_outcome_free(&out);
	return status;
}

static void assert_output_has(const char *words)
{
	assert_says(file_text(in_folder("out")), words);
}

static const char panic[] = "bzImage: Kernel panic - not syncing: made up\n  The console's last";

TEST(a_panic_after_a_failure_fails)
{
	OWNED(results_free) struct results r;

	assert_int_equal(delivered(outcome(FAILED, false), FORMAT_JSON, panic), EXIT_FAILS);
	r = results_in(in_folder("out"));
	assert_string_equal(r.ended, "Kernel panic - not syncing: made up");
	assert_string_equal(r.ended_in, "fork/cow");
	assert_int_equal(r.nr, 2);
	assert_int_equal(r.count[VERDICT_FAIL], 1);
	assert_int_equal(r.count[VERDICT_ERROR], 1);
	assert_string_equal(r.of[1].id, "fork/cow");
}

TEST(a_panic_without_a_failure_is_an_error)
{
	assert_int_equal(delivered(outcome(PASSED, false), FORMAT_KTAP, panic), EXIT_TROUBLE);
	assert_output_has("not ok 2 fork/cow");
	assert_output_has("# ended early: Kernel panic");
	assert_int_equal(delivered(outcome(PASSED, false), FORMAT_JUNIT, panic), EXIT_TROUBLE);
	assert_output_has("name=\"ended early\" value=\"Kernel panic");
}

TEST(a_killed_check_is_reported)
{
	struct vm_outcome out = outcome(FAILED, false);

	out.status = SIGKILL;
	assert_int_equal(delivered(out, FORMAT_JSON, NULL), EXIT_FAILS);
	assert_output_has("rssck was killed by signal 9");
}

TEST(a_truncated_journal_is_handled)
{
	OWNED(vm_outcome_free) struct vm_outcome whole = outcome(FAILED, false);

	for (size_t length = 1; length < whole.journal_length; length += 7) {
		struct vm_outcome out = { .booted = true, .journal_length = length };
		int status;

		out.journal = malloc(length);
		memcpy(out.journal, whole.journal, length);
		status = delivered(out, FORMAT_JSON, panic);
		assert_true(status == EXIT_FAILS || status == EXIT_TROUBLE);
	}
}

TEST(a_complete_run_is_reported_unchanged)
{
	struct vm_outcome out = outcome(FAILED, true);

	out.status = EXIT_FAILS << 8;
	assert_int_equal(delivered(out, FORMAT_JSON, NULL), EXIT_FAILS);
	assert_says_not(file_text(in_folder("out")), "ended_early");
}

/* If the guest's exit status contradicts the journal, only a failure in the journal is believed. */
TEST(a_status_that_contradicts_the_journal_is_an_error)
{
	struct vm_outcome out = outcome(PASSED, true);

	assert_int_equal(delivered(outcome(FAILED, true), FORMAT_JSON, NULL), EXIT_FAILS);
	out.status = EXIT_FAILS << 8;
	assert_int_equal(delivered(out, FORMAT_JSON, NULL), EXIT_TROUBLE);
}

TEST(without_a_journal_the_status_of_the_guest_counts)
{
	assert_int_equal(
		delivered((struct vm_outcome) { .status = EXIT_TROUBLE << 8 }, FORMAT_TEXT, NULL),
		EXIT_TROUBLE);
	assert_int_equal(delivered((struct vm_outcome) { .status = 0 }, FORMAT_TEXT, NULL),
			 EXIT_HOLDS);
	assert_int_equal(delivered((struct vm_outcome) { .end = VM_SILENT }, FORMAT_TEXT, panic),
			 EXIT_TROUBLE);
}
