// SPDX-License-Identifier: MIT
/*
 * rssck demo: its sentences for made-up trials, and the program itself: exit status, keys, and what
 * it leaves behind.
 */
#include "cmd/demo/demo.h"
#include "tests/support/child.h"
#include "tests/support/made_trial.h"
#include "tests/support/terminal.h"
#include <termios.h>

/* ---- words ---- */

static char *expected(const struct made_trial *m, unsigned processes)
{
	bool alive[WORKLOAD_PROCESSES] = { false };
	char *out;
	FILE *to = printing();

	for (unsigned i = 0; i < processes; i++)
		alive[i] = true;
	demo_expected(&m->t, &m->t.moments[m->t.nr_moments - 1], alive, to);
	out = printed(to);
	/* Line breaks are tested elsewhere, so they are undone here. */
	for (char *c = strstr(out, "\n  "); c; c = strstr(c, "\n  ")) {
		*c = ' ';
		memmove(c + 1, c + 3, strlen(c + 3) + 1);
	}
	return out;
}

static struct made_trial *before(const struct step *step, const struct posting *postings, size_t nr)
{
	struct made_trial *m = made_trial();
	struct made_process p = made_process(), base = made_baseline();
	struct moment *moment;

	made_moment(m, "baseline", NULL, &base);
	moment = made_moment(m, step ? "step" : "read the numbers", step, &p);
	for (size_t i = 0; i < nr; i++)
		moment->expected[i] = postings[i];
	moment->nr_expected = nr;
	return m;
}

static void assert_expected(const struct step *step, const struct posting *postings, size_t nr,
			    unsigned processes, const char *words)
{
	OWNED(made_trial_end) struct made_trial *m = before(step, postings, nr);
	char *text = expected(m, processes);

	assert_string_equal(text, words);
}

TEST(expected_changes_are_printed_in_pages_and_words)
{
	static const struct step step = { .name = "step" };
	static const struct step any = { .name = "step", .flags = STEP_ANY_PAGES };
	static const struct posting cow[] = { FILE_TO_ANON(128) };
	static const struct posting dirtied[] = { FILE_DIRTIED(3) };
	static const struct posting two[] = { ANON_WRITE(1000), ANON_WRITE(25), VIRT_DATA(-1) };

	assert_expected(&step, cow, 2, 1, "  Expected: +128 pages anonymous, -128 of files.\n");
	assert_expected(&step, dirtied, 2, 1,
			"  Expected: the same pages, with other dirty, clean or locked states.\n");
	assert_expected(&step, two, 3, 1,
			"  Expected: +1,025 pages anonymous, -1 of private writable address "
			"space.\n");
	assert_expected(&step, NULL, 0, 1, "  Expected: nothing moves.\n");
	assert_expected(
		&any, NULL, 0, 1,
		"  Expected: a number of pages that the kernel chooses; all numbers must agree.\n");
}

TEST(children_with_equal_expectations_share_one_line)
{
	static const struct step step = { .name = "step" };
	static const struct posting postings[] = {
		RESHARED(ANON_WRITE, 8, 1, 4),
		ANON_WRITE(8, .sharers = 4, .process = 1),
		ANON_WRITE(8, .sharers = 4, .process = 2),
		SHMEM_WRITE(1, .sharers = 4, .process = 3),
	};
	OWNED(made_trial_end) struct made_trial *m = before(&step, postings, 5);
	char *text = expected(m, 4);

	assert_says(text,
		    "8 of its pages are now mapped by 4 processes instead of 1: RES stays, and Pss "
		    "counts 1/4 of each. Children 1 to 2: +8 pages anonymous.");
	assert_says(text, "Child 3: +1 page of shmem.");
	text = expected(m, 1);
	assert_says_not(text, "Child");
}

TEST(the_text_says_whether_lagging_counters_were_settled)
{
	static const struct step step = { .name = "step" };
	OWNED(made_trial_end) struct made_trial *m = before(&step, NULL, 0);
	char *text;

	made_trial_models(m, MODEL_PER_CPU, 32);
	text = expected(m, 1);
	assert_says(text, "were then settled");
	m->t.moments[1].settled = false;
	text = expected(m, 1);
	assert_says(text, "were not settled");
}

static char *table(struct made_trial *m, const pid_t *pid)
{
	char *out = PRINTED(to, demo_table(&m->t, pid, false, to));

	return out;
}

static void assert_same_books(const char *text, const char *one, const char *other)
{
	char number[2][3][32];
	const char *at[2] = { strstr(text, one), strstr(text, other) };

	for (int i = 0; i < 2; i++) {
		assert_non_null(at[i]);
		assert_int_equal(sscanf(at[i] + strlen(i ? other : one), "%31s %31s %31s",
					number[i][0], number[i][1], number[i][2]),
				 3);
	}
	assert_string_equal(number[0][1], number[1][1]);
	assert_string_equal(number[0][2], number[1][2]);
	assert_string_not_equal(number[0][2], "0");
}

/*
 * The process does not exist, so no tool shows it; the files' numbers are from the made-up
 * snapshot.
 */
TEST(the_table_shows_how_far_each_file_is_off)
{
	const pid_t pid[WORKLOAD_PROCESSES] = { 0x3ffffff };
	OWNED(made_trial_end) struct made_trial *m = before(NULL, NULL, 0);
	char *text;

	*made_value(m, 1, METRIC_STAT_RSS) -= 3;
	text = table(m, pid);
	assert_says(text, "page tables ");
	assert_says(text, "      -12\n");
	assert_says(text, "        0\n");
	assert_says(text, "Changes, according to the page tables: ");
	assert_same_books(text, "\n  page tables", "/proc/PID/statm");
	assert_same_books(text, "\n  page tables", "/proc/PID/status");
}

/* ---- the program ---- */

static const char prompt[] = "q: quit --";

TEST(keys_continue_and_quit)
{
	static struct on_terminal r;

	terminal_start(&r, 80, "demo file/private_write");
	assert_true(terminal_shows(&r, prompt));
	assert_says(r.said, "[baseline]");
	assert_true(write(r.terminal, "x ", 2) == 2);
	assert_true(terminal_shows(&r, prompt));
	assert_says(r.said, "[1/2] map and read");
	assert_says_not(r.said, "[2/2]");
	assert_true(write(r.terminal, "\n", 1) == 1);
	assert_true(terminal_shows(&r, prompt));
	assert_says(r.said, "+128 pages anonymous, -128 of files");
	assert_true(write(r.terminal, "q", 1) == 1);
	assert_int_equal(terminal_end(&r), 0);
	assert_says_not(r.said, "The claim holds");
	assert_nobody_left();
}

static bool waits_for_lines(const struct on_terminal *r)
{
	struct termios t;

	assert_int_equal(tcgetattr(r->terminal, &t), 0);
	return t.c_lflag & ICANON;
}

TEST(a_signal_restores_the_terminal_and_leaves_no_process)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGKILL };
	static struct on_terminal r;

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		terminal_start(&r, 80, "demo fork/cow");
		assert_true(terminal_shows(&r, prompt));
		for (int wait = 0; wait < 100 && waits_for_lines(&r); wait++)
			usleep(10000);
		assert_false(waits_for_lines(&r));
		kill(r.pid, signals[i]);
		assert_int_equal(child_status(r.pid), -signals[i]);
		if (signals[i] != SIGKILL)
			assert_true(waits_for_lines(&r));
		close(r.terminal);
		assert_nobody_left();
	}
}

TEST(without_a_terminal_demo_waits_for_no_key)
{
	static char out[1 << 17];
	int status = shell(out, sizeof(out), "%s demo file/private_write </dev/null 2>&1",
			   program());

	if (status == 4)
		skip();
	assert_int_equal(status, 0);
	assert_says_not(out, prompt);
	assert_says_not(out, "\033");
	assert_says(out, "[2/2] write half");
	assert_says(out, "The claim holds here.");
	assert_says(out, "The write fault copies the page");
}

TEST(missing_programs_are_named)
{
	static char out[1 << 17];
	int status = shell(out, sizeof(out),
			   "PATH=/nonexistent %s demo file/private_write </dev/null 2>&1",
			   program());

	if (status == 4)
		skip();
	assert_int_equal(status, 0);
	/* "top is not installed", or "top is not in $PATH" if it was found elsewhere. */
	assert_says(out, "top is not ");
	assert_says(out, "pmap -x is not ");
	assert_says(out, "/proc/PID/statm");
}

TEST(wrong_usage_and_errors_exit_with_2)
{
	assert_rssck(0, "rssck demo --quiz", "demo");
	assert_rssck(0, "(counters/threads_malloc)", "demo");
	assert_rssck(2, "one case at a time", "demo fork 2>&1");
	assert_rssck(2, "similar: fork/cow", "demo fork/cwo 2>&1");
	assert_rssck(2, "takes a .svg or a .png file, not 'x.gif'", "demo --plot=x.gif 2>&1");
	assert_rssck(2, "/nonexistent", "demo --kernel=/nonexistent 2>&1 fork/cow");
	assert_rssck(2, "/nonexistent/x.svg: cannot be written",
		     "demo --plot=/nonexistent/x.svg 2>&1");
	assert_says(shell_said(2, "RSSCK_GNUPLOT=/nonexistent %s demo --plot 2>&1", program()),
		    "(Debian: package gnuplot-nox)");
}

TESTS_SHARE(adopt_orphans, NULL);
