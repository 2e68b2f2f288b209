// SPDX-License-Identifier: MIT
/*
 * The completions that shells offer: `rssck help --complete` itself, and bash with the installed
 * script.
 */
#include "cmd/commands.h"
#include "cmd/line/options.h"
#include "tests/support/test.h"

static const char *completed(const char *words)
{
	return rssck_said(0, "help --complete -- %s", words);
}

TEST(every_command_and_option_is_completed)
{
	const char *out;
	char line[160];

	for (const struct command *const *c = commands; *c; c++) {
		snprintf(line, sizeof(line), "%s\t", (*c)->name);
		assert_says(completed("''"), line);
		snprintf(line, sizeof(line), "%s --", (*c)->name);
		out = completed(line);
		for (const struct option_row *row = (*c)->rows; row && row->name; row++) {
			snprintf(line, sizeof(line), "--%s%s\t%s\n", row->name,
				 row->argument ? "=" : "", row->help);
			assert_says(out, line);
		}
	}
}

TEST(values_follow_the_option)
{
	assert_string_equal(completed("check --format="),
			    "--format=text\n--format=ktap\n--format=junit\n--format=json\n");
	assert_string_equal(completed("list --format ''"), "text\njson\n");
	assert_string_equal(completed("check --output=x"), ":files\n");
	assert_string_equal(completed("check --directory="), ":folders\n");
	assert_string_equal(completed("scan --user="), ":users\n");
	assert_string_equal(completed("check --nonsense="), "");
}

TEST(arguments_complete_to_what_the_command_accepts)
{
	assert_says(completed("check ''"), "fork/cow\t");
	assert_says(completed("explain ''"), "top RES\n");
	assert_says(completed("scan ''"), "1\n");
	assert_says(completed("help ''"), "check\t");
	assert_string_equal(completed("run ''"), ":programs\n");
	assert_string_equal(completed("compare ''"), ":files\n");
	assert_string_equal(completed("nonsense ''"), "");
}

/* Returns bash's completions of the last word, one per line. */
static const char *in_bash(const char *words)
{
	return shell_said(0,
			  "bash -c 'compopt() { :; }; . harness/cmd/completion.bash; "
			  "COMP_WORDS=(%s %s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _rssck; "
			  "printf \"%%s\\n\" \"${COMPREPLY[@]}\"'",
			  program(), words);
}

TEST(bash_completes)
{
	if (!is_installed("bash"))
		skip();
	assert_string_equal(in_bash("exp"), "explain\n");
	assert_string_equal(in_bash("check --form"), "--format=\n");
	assert_string_equal(in_bash("check --format = j"), "junit\njson\n");
	assert_string_equal(in_bash("check --format = json file/private_w"),
			    "file/private_write\n");
	assert_string_equal(in_bash("check --output = harness/cmd/rss"), "harness/cmd/rssck.1\n");
	assert_string_equal(in_bash("report harness/cmd/rss"), "harness/cmd/rssck.1\n");
	assert_says(in_bash("explain \"top RE\""), "top\\ RES\n");
}
