// SPDX-License-Identifier: MIT
/*
 * rssck demo --quiz and --page: the questions, the output and its width, and the state after
 * SIGINT.
 */
#include "tests/support/terminal.h"
#include "tests/support/test.h"
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

static void start(struct on_terminal *r, const char *option, unsigned short columns)
{
	char *const argv[] = { (char[]) { "rssck" }, (char[]) { "demo" }, strdup(option), NULL };

	terminal_start(r, 24, columns, argv);
	free(argv[2]);
}

static void answer(struct on_terminal *r, const char *prompt, char key)
{
	assert_true(terminal_shows(r, prompt));
	assert_true(write(r->terminal, &key, 1) == 1);
}

/* Orphans become children of the test: none may be left. */
static void assert_nobody_is_left(void)
{
	for (int i = 0; i < 6000; i++) {
		if (waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD)
			return;
		nanosleep(&(struct timespec) { .tv_nsec = 10000000 }, NULL);
	}
	fail_msg("a process is left");
}

static void reserve_on(unsigned short columns)
{
	static struct on_terminal r;
	char *text;

	start(&r, "--quiz=reserve", columns);
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
	assert_nobody_is_left();
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

	start(&r, "--quiz=fork", 80);
	answer(&r, "RES of the parent", '=');
	assert_true(terminal_shows(&r, "SHR of the parent"));
	assert_true(write(r.terminal, "\003", 1) == 1);
	status = terminal_end(&r);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
	assert_nobody_is_left();
}

TEST(without_a_terminal_answers_are_read_from_a_pipe)
{
	static char out[1 << 16];

	assert_int_equal(shell(out, sizeof(out), "printf '==' | %s demo --quiz=2 2>&1", program()),
			 0);
	assert_says(out, "SHR is not what is shared");
	assert_says_not(out, "\033");
	/* The input ends before the third question is answered. */
	assert_says_not(out, "right.");
	assert_int_equal(shell(out, sizeof(out), "%s demo --quiz=nothing 2>&1", program()), 2);
	assert_says(out, "there is no lesson 'nothing'");
	assert_int_equal(shell(out, sizeof(out), "%s demo --quiz fork/cow 2>&1", program()), 2);
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
	assert_int_equal(
		shell(out, sizeof(out), "%s demo --page=/nonexistent/x fork/cow 2>&1", program()),
		2);
	assert_int_equal(
		shell(out, sizeof(out), "%s demo --page=- --plot fork/cow 2>&1", program()), 2);
}

/* Makes the test the parent of processes that outlive the program. */
FIXTURE(adopt)
{
	return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

TESTS_SHARE(adopt, NULL);
