// SPDX-License-Identifier: MIT
/* rssck check on a terminal: the summary comes last, in lines that fit. */
#include "report/skips.h"
#include "tests/support/made_up.h"
#include "tests/support/terminal.h"
#include "tests/support/test.h"

/* ---- the text ---- */

static int brief(const struct results *r, FILE *out)
{
	return report_brief(r, out, false);
}

static const char *last_line(char *text)
{
	size_t len = strlen(text);
	char *at;

	assert_true(len && text[len - 1] == '\n');
	text[len - 1] = '\0';
	at = strrchr(text, '\n');
	return at ? at + 1 : text;
}

TEST(the_last_line_counts_what_failed_first)
{
	OWNED(results_free) struct results r = made_up_four();
	char *text;

	r.duration_ms = 1400;
	memset(r.count, 0, sizeof(r.count));
	for (size_t i = 0; i < r.nr; i++)
		r.count[r.of[i].verdict]++;
	text = written(brief, &r);
	assert_says(text, "fail file/private_write");
	assert_says_not(text, "skip ");
	assert_memory_equal(last_line(text), "1 failed, 1 could not be judged, 1 passed", 41);
}

TEST(the_last_line_has_80_columns_at_most)
{
	OWNED(results_free) struct results r = made_up_four();
	char *text;

	for (enum verdict v = 0; v < VERDICT_COUNT; v++)
		r.count[v] = 123456;
	r.of[0].nr_checks = SIZE_MAX / 16;
	r.duration_ms = 1LL << 50;
	text = written(brief, &r);
	assert_true(widest_line(last_line(text)) <= 80);
}

TEST(each_skip_reason_is_printed_once_with_its_number_of_cases)
{
	static const struct missing lacks[] = {
		{ { { MISSING_SWAP, "swap (/proc/swaps is empty)" } }, 1 },
		{ { { MISSING_ROOT, "root" }, { MISSING_SWAP, "swap (/proc/swaps is empty)" } },
		  2 },
		{ { { MISSING_PFN, "page frame numbers (CAP_SYS_ADMIN, /proc/kpageflags)" },
		    { MISSING_ROOT, "root" } },
		  2 },
		{ { { MISSING_PROGRAM, "htop is not installed (package htop)" } }, 1 },
		{ { { MISSING_SWAP, "swap (/proc/swaps is empty)" } }, 1 },
	};
	static const struct {
		const char *what;
		size_t cases;
	} expected[] = {
		{ "swap (/proc/swaps is empty)", 3 },
		{ "root", 2 },
		{ "htop is not installed (package htop)", 1 },
		{ "page frame numbers (CAP_SYS_ADMIN, /proc/kpageflags)", 1 },
	};
	OWNED(results_free) struct results r = made_up_results();
	OWNED(skip_reasons_free) struct skip_reasons s;

	for (size_t i = 0; i < sizeof(lacks) / sizeof(*lacks); i++)
		made_up_case(&r, "a/b", VERDICT_SKIP, "lacks something")->missing = lacks[i];
	made_up_case(&r, "a/c", VERDICT_PASS, "needs nothing");
	assert_int_equal(skip_reasons_gather(&s, &r), 0);
	assert_int_equal(s.nr, sizeof(expected) / sizeof(*expected));
	for (size_t i = 0; i < s.nr; i++) {
		assert_string_equal(s.of[i].what, expected[i].what);
		assert_int_equal(s.of[i].cases, expected[i].cases);
	}
	assert_true(s.of[2].is_sentence && !s.of[1].is_sentence);
}

/* ---- the program ---- */

static char *check(unsigned short columns, const char *option)
{
	static struct on_terminal r;
	char words[128];

	snprintf(words, sizeof(words), "check %s counters/threads_malloc anonymous/heap hugetlb",
		 option);
	terminal_start(&r, columns, words);
	assert_int_equal(terminal_end(&r), 0);
	return terminal_text(&r);
}

TEST(a_terminal_shows_the_table_and_a_summary_line)
{
	static const unsigned short columns[] = { 80, 72, 132 };

	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++) {
		char *text = check(columns[i], "--color=auto");

		assert_says_not(text, "[ RUN ");
		assert_says(text, "status.VmRSS ");
		assert_true(widest_line(text) <= columns[i]);
		assert_says(last_line(text), " passed");
		free(text);
	}
}

TEST(verbose_prints_each_case)
{
	OWNED(text_end) char *text = check(80, "--verbose");

	assert_says(text, "[ RUN      ] counters/threads_malloc");
	assert_says(text, "numbers compared");
}

TEST(a_pipe_gets_the_output_of_cmocka)
{
	const char *out = rssck_said(0, "check counters/threads_malloc 2>&1 </dev/null");

	assert_memory_equal(out, "[==========] ", 13);
	assert_says(out, "[  PASSED  ] 1 test(s).\n");
}

TEST(the_output_of_commands_fits_the_columns)
{
	static const unsigned short columns[] = { 100, 80, 60, 40 };
	static const char *const commands[] = {
		"scan --no-model --maps %d",
		"scan --no-model --all --by=program",
		"compare harness/tests/recorded/results/5.10-first.json "
		"harness/tests/recorded/results/7.3-0.1.0.json",
		"list --coverage",
	};
	static struct on_terminal r;
	char words[128];

	for (size_t c = 0; c < sizeof(commands) / sizeof(*commands); c++) {
		for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++) {
			char *text;

			snprintf(words, sizeof(words), commands[c], getpid());
			terminal_start(&r, columns[i], words);
			terminal_end(&r);
			text = terminal_text(&r);
			assert_true(strlen(text) > 100);
			assert_true(widest_line(text) <= columns[i]);
			free(text);
		}
	}
}
