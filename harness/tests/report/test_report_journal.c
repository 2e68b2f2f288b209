// SPDX-License-Identifier: MIT
/*
 * The journal: the records that a run wrote before it was killed are read back, wherever the file
 * was cut off.
 */
#include "report/journal.h"
#include "tests/support/files.h"
#include "tests/support/made_up.h"
#include "tests/support/test.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

static struct journal opened(void)
{
	struct journal j;
	char why[256];

	if (journal_open(&j, in_folder("journal"), why, sizeof(why)))
		fail_msg("%s", why);
	return j;
}

static char *journal_text(struct journal *j)
{
	assert_int_equal(j->number, 0);
	journal_close(j);
	return file_text(in_folder("journal"));
}

/* Returns the four made-up cases as written by a run that does not complete. */
static char *written_journal(struct results *r)
{
	struct journal j = opened();
	struct results head;

	*r = made_up_four();
	r->nr_selected = 5;
	r->saw_log = true;
	head = *r;
	head.nr_curves = 0;
	journal_start(&j, &head);
	for (size_t i = 0; i < r->nr; i++) {
		journal_begin(&j, r->of[i].id, 1);
		journal_case(&j, &r->of[i], r->curves, i ? 0 : r->nr_curves);
	}
	return journal_text(&j);
}

static struct results read_journal(const char *text, size_t length, struct journal_state *s)
{
	struct results r;
	char why[256];

	if (journal_read(&r, s, "j", text, length, why, sizeof(why)))
		fail_msg("%s", why);
	return r;
}

TEST(a_journal_restores_the_results_of_the_run)
{
	OWNED(results_free) struct results r, back;
	struct journal_state s;
	char *text = written_journal(&r), *a, *b;

	back = read_journal(text, strlen(text), &s);
	assert_false(s.ended);
	assert_string_equal(s.running, "");
	assert_int_equal(s.damaged, 0);
	assert_int_equal(back.nr_selected, 5);
	assert_true(back.saw_log);
	for (size_t i = 0; i < r.nr; i++)
		r.of[i].c = back.of[i].c;
	assert_non_null(back.of[1].c); /* file/private_write exists as a case */
	a = written(report_json, &r);
	b = written(report_json, &back);
	assert_string_equal(a, b);
}

static size_t whole_cases(const char *text, size_t length)
{
	static const char mark[] = "{\"case\":";
	size_t n = 0, line = 0;

	for (size_t i = 0; i < length; i++) {
		if (text[i] != '\n')
			continue;
		n += !strncmp(text + line, mark, strlen(mark));
		line = i + 1;
	}
	return n;
}

TEST(a_journal_cut_at_any_byte_keeps_its_whole_lines)
{
	OWNED(results_free) struct results r;
	char *text = written_journal(&r), why[256];
	size_t first = (size_t)(strchr(text, '\n') - text) + 1;

	for (size_t length = 0; length <= strlen(text); length++) {
		struct results back;
		struct journal_state s;
		char *cut = malloc(length ? length : 1); /* the allocation ends with the text */

		memcpy(cut, text, length);
		if (length < first) {
			assert_int_equal(
				journal_read(&back, &s, "j", cut, length, why, sizeof(why)), -1);
			assert_says(why, "j: ");
		} else {
			back = read_journal(cut, length, &s);
			assert_int_equal(back.nr, whole_cases(cut, length));
			assert_int_equal(s.damaged, cut[length - 1] != '\n');
		}
		results_free(&back);
		free(cut);
	}
}

TEST(the_interrupted_case_is_named_and_an_error)
{
	OWNED(results_free) struct results r, back, again;
	struct journal_state s;
	char *text = written_journal(&r);
	char *last = strstr(text, "{\"begin\":\"fork/many\"");

	assert_non_null(last);
	back = read_journal(text, (size_t)(strchr(last, '\n') + 1 - text), &s);
	assert_string_equal(s.running, "fork/many");
	assert_int_equal(back.nr, 3);
	results_end_early(&back, &s, "rssck was killed by signal 9 (Killed)");
	assert_int_equal(back.nr, 4);
	assert_int_equal(back.of[3].verdict, VERDICT_ERROR);
	assert_string_equal(back.of[3].id, "fork/many");
	assert_says(back.of[3].reason, "killed by signal 9");
	assert_int_equal(back.count[VERDICT_ERROR], 1);
	assert_int_equal(back.count[VERDICT_FAIL], 1);

	/* A results file has the same members. */
	again = read_back(&back);
	assert_string_equal(again.ended, "rssck was killed by signal 9 (Killed)");
	assert_string_equal(again.ended_in, "fork/many");
	assert_int_equal(again.nr_selected, 5);
}

TEST(the_last_line_about_a_case_counts)
{
	struct journal j = opened();
	OWNED(results_free) struct results r = made_up_four(), back;
	struct journal_state s;
	char *text;

	journal_start(&j, &r);
	journal_case(&j, &r.of[0], NULL, 0);
	r.of[0].verdict = VERDICT_FAIL;
	snprintf(r.of[0].reason, sizeof(r.of[0].reason), "the kernel log, after the last case");
	journal_case(&j, &r.of[0], NULL, 0);
	journal_begin(&j, r.of[0].id, 2);
	journal_done(&j, r.of[0].id, 2);
	journal_differs(&j, 3, 2);
	journal_end(&j, &r);
	text = journal_text(&j);
	back = read_journal(text, strlen(text), &s);
	assert_true(s.ended);
	assert_int_equal(s.run, 2);
	assert_int_equal(s.differing, 1);
	assert_int_equal(back.nr, 1);
	assert_int_equal(back.count[VERDICT_FAIL], 1);
	assert_int_equal(back.count[VERDICT_PASS], 0);
}

TEST(unreadable_lines_are_counted_and_ignored)
{
	static const char *const bad[] = {
		"",
		"{",
		"[]\n",
		"17",
		"\"case\"",
		"{\"case\":{}}",
		"{\"case\":{\"id\":\"a\",\"claim\":\"\",\"verdict\":\"maybe\",\"reason\":\"\","
		"\"duration_ms\":1,\"facts\":{},\"discrepancies\":[]}}",
		"{\"case\":{\"id\":\"a\",\"claim\":\"\",\"verdict\":\"pass\",\"reason\":\"\","
		"\"duration_ms\":1,\"facts\":{},\"discrepancies\":[1]}}",
		"{\"case\":{\"id\":\"a\",\"claim\":\"\",\"verdict\":\"pass\",\"reason\":\"\","
		"\"duration_ms\":1,\"facts\":{},\"discrepancies\":[]},\"curves\":[1]}",
		"RSSCK text 12 00000000",
		"\xff\xfe",
		"{\"a\":1,\"a\":2}"
	};
	OWNED(results_free) struct results r;
	char *good = written_journal(&r);
	char *second = strchr(good, '\n') + 1;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct journal_state s;
		struct results back;
		char *text;

		assert_true(asprintf(&text, "%.*s%s\n%s", (int)(second - good), good, bad[i],
				     second) > 0);
		back = read_journal(text, strlen(text), &s);
		assert_true(s.damaged > 0);
		assert_int_equal(back.nr, 4);
		results_free(&back);
		free(text);
	}
}

TEST(a_line_of_a_newer_rssck_is_ignored)
{
	OWNED(results_free) struct results r, back;
	struct journal_state s;
	char *good = written_journal(&r);
	OWNED(text_end) char *text;

	assert_true(asprintf(&text, "%s{\"remark\":\"of tomorrow\"}\n", good) > 0);
	back = read_journal(text, strlen(text), &s);
	assert_int_equal(s.damaged, 0);
	assert_int_equal(back.nr, 4);
}

TEST(a_broken_pipe_ends_the_journal_but_not_the_run)
{
	OWNED(results_free) struct results r = made_up_four();
	struct journal j;
	char why[256], path[64];
	int ends[2];

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[1]);
	assert_int_equal(journal_open(&j, path, why, sizeof(why)), 0);
	close(ends[0]);
	/* Without precautions SIGPIPE would end the process. */
	journal_start(&j, &r);
	assert_int_equal(j.number, EPIPE);
	journal_begin(&j, "a/b", 1);
	journal_close(&j);
	close(ends[1]);
}

TEST(an_unwritable_path_is_named)
{
	struct journal j;
	char why[256], *fifo = in_folder("fifo");

	assert_int_equal(journal_open(&j, "/nonexistent/x", why, sizeof(why)), -1);
	assert_says(why, "/nonexistent/x: No such file");
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(journal_open(&j, fifo, why, sizeof(why)), -1);
	assert_says(why, "no process reads");
	assert_int_equal(journal_open(&j, NULL, why, sizeof(why)), 0);
	journal_begin(&j, "a/b", 1);
	assert_int_equal(j.number, 0);
}
