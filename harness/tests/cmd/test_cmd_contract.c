// SPDX-License-Identifier: MIT
/* The interface that scripts rely on, tested on the program itself: $RSSCK, or ./rssck. */
#include "cmd/commands.h"
#include "tests/support/files.h"
#include "tests/support/json.h"
#include "tests/support/test.h"
#include <dirent.h>
#include <rssck/case.h>

static void expect(const char *arguments, int status, const char *part)
{
	assert_rssck(status, part, "%s", arguments);
}

TEST(help_and_version_exit_with_0)
{
	expect("--help", 0, "usage: rssck COMMAND");
	expect("-h", 0, "usage: rssck COMMAND");
	expect("help", 0, "usage: rssck COMMAND");
	expect("--version", 0, "rssck 1.");
	for (const struct command *const *c = commands; *c; c++) {
		char usage[64];

		snprintf(usage, sizeof(usage), "rssck %s", (*c)->name);
		assert_rssck(0, usage, "help %s", (*c)->name);
		if (strcmp((*c)->name, "help"))
			assert_rssck(0, usage, "%s --help", (*c)->name);
	}
}

/* test_cmd_wrong has the other commands. git bisect would take status 2 for "bad". */
TEST(bad_usage_of_bisect_exits_with_125)
{
	expect("check --bisect file/private_wirte 2>&1", 125, "similar");
}

TEST(list_prints_one_line_per_case)
{
	size_t lines = 0, nr, hidden = 0;
	const struct case_registration *all = cases_all(&nr);

	for (size_t i = 0; i < nr; i++)
		hidden += (all[i].c->flags & CASE_HIDDEN) != 0;
	for (const char *c = rssck_said(0, "list"); *c; c++)
		lines += *c == '\n';
	assert_int_equal(lines, nr - hidden);
	expect("check --list file/private_write", 0, "file/private_write  ");
	expect("list --verbose file/private_write", 0, "because: ");
}

TEST(explain_prints_text)
{
	expect("explain", 0, "rssck explain memory.current");
	expect("explain --list", 0, "top RES\n");
	expect("explain --no-measure top RES", 0, "statm.resident");
	expect("explain --no-measure 'TOP res'", 0, "statm.resident");
	expect("explain --no-measure VmRSS:", 0, "It is not");
	expect("explain file/private_write", 0, "Because");
	expect("explain VmRSS", 0, "How wrong");
	expect("explain --pid=$$ VmHWM", 0, "Measured on this kernel");
	expect("explain --manual", 0, ".TH RSSCK-METRICS 7");
	expect("explain --no-measure VmRRS", 0, "'VmRRS' is read as 'status.VmRSS'");
	expect("explain --no-measure VmRRRRS 2>&1", 2, "similar: ");
	expect("explain \"$(printf 'a\\033[31m')\" 2>&1", 2, "nothing is called 'a?[31m'");
	expect("explain '-/+ buffers/cache:  5816  2166'", 0, "free 2166");
	expect("explain -/+ buffers/cache: 5816 2166", 0, "free 2166");
	expect("explain \"$(printf '/swapfile\\tfile\\t\\t2097148\\t102400\\t-2')\"", 0,
	       "Used 102400");
	expect("explain does tmpfs count toward --memory limit --no-measure", 0, "tmpfs");
	expect("explain --no-measure redis rss_overhead_bytes negative -3084288", 0, "allocator");
	expect("explain --list 2>&1 >/dev/full", 2, "No space left on device");
}

TEST(list_coverage_names_cases_and_totals)
{
	static char out[1 << 16];
	int status = shell(out, sizeof(out), "%s list --coverage", program());

	assert_says(out, "counters/peak");
	assert_says(out, "constant: every case checks that it does not change");
	/* Status 1 means that a metric has no case; the output names it. */
	assert_int_equal(status, strstr(out, "no case checks how it changes") ? 1 : 0);
	expect("list --coverage file/private_write", 1, "no case checks how it changes");
}

TEST(check_prints_its_format_and_nothing_else)
{
	static char out[1 << 20];
	int status = shell(out, sizeof(out), "%s check --format=json file/private_read", program());
	json_auto_t *root = json_read(out);

	/* Status 4 means that no case could run; the report has the same format. */
	assert_true(status == 0 || status == 4);
	assert_true(json_is_object(root));
	shell(out, sizeof(out), "%s check --format=ktap file/private_read", program());
	assert_memory_equal(out, "KTAP version 1\n1..1\n", 20);
	shell(out, sizeof(out), "%s check --format=junit file/private_read", program());
	assert_memory_equal(out, "<?xml ", 6);
}

/* cmocka 2 prints the name of the group in the line before. */
static void expect_closing(const char *out)
{
	static const char closing[] = "1 test(s) run.\n[  PASSED  ] 1 test(s).\n";

	assert_true(strlen(out) > strlen(closing));
	assert_string_equal(out + strlen(out) - strlen(closing), closing);
}

TEST(the_closing_lines_are_those_of_cmocka)
{
	static char out[1 << 20];

	if (shell(out, sizeof(out), "%s check file/private_read", program()))
		skip();
	expect_closing(out);
	/*
	 * The closing lines go only to stdout, whatever format the environment requests from
	 * cmocka.
	 */
	setenv("CMOCKA_MESSAGE_OUTPUT", "xml", 1);
	shell(out, sizeof(out), "%s check file/private_read 2>/dev/null", program());
	unsetenv("CMOCKA_MESSAGE_OUTPUT");
	expect_closing(out);
}

static void entries(const char *folder, char *buf, size_t size)
{
	DIR *d = opendir(folder);
	struct dirent *e;

	assert_non_null(d);
	buf[0] = '\0';
	while ((e = readdir(d)))
		if (e->d_name[0] != '.')
			snprintf(buf + strlen(buf), size - strlen(buf), "%s ", e->d_name);
	closedir(d);
}

TEST(an_output_file_is_written_whole_or_not_at_all)
{
	char names[512], *file = folder_put("report/o.json", "");

	unlink(file);
	assert_rssck(0, NULL, "check --format=json --output=%s file/private_read", file);
	entries(in_folder("report"), names, sizeof(names));
	assert_string_equal(names, "o.json ");
	assert_rssck(0, "the same in ", "compare %s %s", file, file);
	assert_rssck(0, NULL, "report %s", file);
	entries(in_folder("report"), names, sizeof(names));
	assert_says(names, "README.md ");
}

TEST(a_full_disk_is_an_error_that_names_the_file)
{
	expect("check --format=json --output=/dev/full file/private_read 2>&1", 2, "/dev/full: ");
	expect("check --output=/nonexistent/x file/private_read 2>&1", 2, "/nonexistent/x: ");
	expect("check file/private_read 2>&1 >/dev/full", 2, "stdout: No space left on device");
	expect("check --format=ktap file/private_read 2>&1 >/dev/full", 2, "stdout: No space left");
	expect("list 2>&1 >/dev/full", 2, "stdout: No space left");
	expect("--version 2>&1 >/dev/full", 2, "stdout: No space left");
}
