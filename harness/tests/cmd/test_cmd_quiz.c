// SPDX-License-Identifier: MIT
/*
 * rssck demo --quiz and --page: the questions, the output and its width, and the state after
 * SIGINT.
 */
#include "tests/support/child.h"
#include "tests/support/terminal.h"

static void answer(struct on_terminal *r, const char *prompt, char key)
{
	assert_true(terminal_shows(r, prompt));
	assert_true(write(r->terminal, &key, 1) == 1);
}

static void reserve_on(unsigned short columns)
{
	static struct on_terminal r;
	char *text;

	terminal_start(&r, columns, "demo --quiz=reserve");
	answer(&r, "VIRT in top", '+');
	answer(&r, "RES in top", '+');
	answer(&r, "PSS: ", '=');
	assert_int_equal(terminal_end(&r), 0);
	text = terminal_text(&r);
	assert_says(text, "Right VIRT in top: higher");
	assert_says(text, "No    RES in top: the same");
	assert_says(text, "256 pages");
	assert_says(text, "2 of 3 right.");
	assert_true(widest_line(text) <= columns);
	free(text);
	assert_nobody_left();
}

TEST(the_quiz_asks_runs_and_keeps_the_score_in_80_columns)
{
	reserve_on(80);
}

TEST(the_quiz_fits_60_columns)
{
	reserve_on(60);
}

TEST(control_c_leaves_nothing)
{
	static struct on_terminal r;
	int status;

	terminal_start(&r, 80, "demo --quiz=fork");
	answer(&r, "RES of the parent", '=');
	assert_true(terminal_shows(&r, "SHR of the parent"));
	assert_true(write(r.terminal, "\003", 1) == 1);
	status = terminal_end(&r);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
	assert_nobody_left();
}

TEST(without_a_terminal_answers_are_read_from_a_pipe)
{
	const char *out = shell_said(0, "printf '==' | %s demo --quiz=2 2>&1", program());

	assert_says(out, "SHR is not what is shared");
	assert_says_not(out, "\033");
	/* The input ends before the third question is answered. */
	assert_says_not(out, "right.");
	assert_rssck(2, "there is no lesson 'nothing'", "demo --quiz=nothing 2>&1");
	assert_rssck(2, NULL, "demo --quiz fork/cow 2>&1");
}

TEST(a_page_shows_each_step_of_a_case)
{
	static char out[1 << 17];
	int status = shell(out, sizeof(out), "%s demo --page=- file/private_write 2>&1", program());

	if (status == 4)
		skip();
	assert_int_equal(status, 0);
	assert_says(out, "<h2>map and read</h2>");
	assert_says(out, "<h2>write half</h2>");
	assert_says(out, "128 anonymous; 128 of a file");
	assert_says(out, "</html>");
	assert_rssck(2, NULL, "demo --page=/nonexistent/x fork/cow 2>&1");
	assert_rssck(2, NULL, "demo --page=- --plot fork/cow 2>&1");
}

TESTS_SHARE(adopt_orphans, NULL);
