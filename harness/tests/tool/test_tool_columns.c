// SPDX-License-Identifier: MIT
/*
 * The output of tools, read from recordings; and the output that they should print, formatted in
 * the same way.
 */
#include "base/process/program.h"
#include "engine/need.h"
#include "tests/support/recorded.h"
#include "tool/screen.h"
#include <rssck/tool.h>

/* The process in all recordings. */
enum { RECORDED_PID = 8190 };

/* The columns of the recordings, and what they show. */
static const struct {
	const char *tool, *file, *column, *text;
} shown[] = {
	{ "top", "top.txt", "VIRT", "2920" },
	{ "top", "top.txt", "RES", "1792" },
	{ "top", "top.txt", "SHR", "1684" },
	{ "top", "top.txt", "%MEM", "0.0" },
	{ "top", "top.txt", "CODE", "20" },
	{ "top", "top.txt", "nMin", "138" },
	{ "top", "top.txt", "RSS", "1792" },
	{ "top", "top.txt", "USS", "144" },
	{ "top", "top.txt", "OOMs", "666" },
	/* ps is read in the order asked for, not by its headings. */
	{ "ps", "ps.txt", "rss", "1792" },
	{ "ps", "ps.txt", "sz", "730" },
	{ "ps", "ps.txt", "drs", "2902" },
	{ "ps", "ps.txt", "trs", "17" },
	{ "ps", "ps.txt", "uss", "144" },
	{ "ps", "ps.txt", "oom", "666" },
	/* pmap is read by its last line. */
	{ "pmap", "pmap.txt", "total", "2924" },
	{ "pmap -d", "pmap-d.txt", "mapped", "2924" },
	{ "pmap -d", "pmap-d.txt", "writeable/private", "356" },
	{ "pmap -x", "pmap-x.txt", "Kbytes", "2924" },
	{ "pmap -x", "pmap-x.txt", "RSS", "1792" },
	{ "pmap -x", "pmap-x.txt", "Dirty", "144" },
	/*
	 * The last line of pmap -X, with the sums, is empty from Address to Inode, and ends with
	 * "KB".
	 */
	{ "pmap -X", "pmap-extended.txt", "Size", "2924" },
	{ "pmap -X", "pmap-extended.txt", "Pss_Dirty", "144" },
	{ "pmap -X", "pmap-extended.txt", "Locked", "0" },
	{ "pmap -XX", "pmap-everything.txt", "Private_Dirty", "144" },
	{ "pmap -XX", "pmap-everything.txt", "Private_Clean", "0" },
	{ "pmap -XX", "pmap-everything.txt", "AnonHugePages", "0" },
	{ "atop", "atop.txt", "RSIZE", "1684" },
	{ "atop", "atop.txt", "VSLIBS", "1528" },
	{ "atop", "atop.txt", "PSIZE", "170" },
	{ "pidstat", "pidstat.txt", "RSS", "1684" },
	{ "pidstat", "pidstat.txt", "%MEM", "0.01" },
	{ "smem", "smem.txt", "PSS", "170" },
	{ "psutil", "psutil.txt", "rss", "1835008" },
	{ "libproc2", "libproc2.txt", "PIDS_RSS", "421" },
	{ "libproc2", "libproc2.txt", "PIDS_MEM_RES", "1792" },
	{ "busybox ps", "busybox-ps.txt", "rss", "1684" },
	/* htop draws on a terminal, so its recording includes cursor movements. */
	{ "htop", "htop.raw", "VIRT", "2920" },
	{ "htop", "htop.raw", "RES", "1840" },
	{ "htop", "htop.raw", "SHR", "1732" },
	{ "htop", "htop.raw", "MEM%", "0.0" },
	{ "htop", "htop.raw", "PSS", "177" },
	{ "htop", "htop.raw", "MINFLT", "133" },
};

static struct tool_values parsed(const char *tool, const char *file)
{
	OWNED(text_free) struct text t = { .data = NULL };
	struct tool_values v;
	char path[128], why[300];

	snprintf(path, sizeof(path), "harness/tests/recorded/tools/%s", file);
	assert_int_equal(text_read(&t, 0, path), 0);
	if (strstr(file, ".raw"))
		screen_draw(&t);
	if (tool_parse(tool_by_name(tool), RECORDED_PID, t.data, &v, why, sizeof(why)))
		fail_msg("%s", why);
	return v;
}

TEST(the_recorded_output_of_each_tool_is_read)
{
	for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++) {
		struct tool_values v = parsed(shown[i].tool, shown[i].file);
		const struct tool_value *found = tool_value(&v, shown[i].column);

		if (!found)
			fail_msg("%s: no column %s", shown[i].tool, shown[i].column);
		if (strcmp(found->text, shown[i].text))
			fail_msg("%s: %s is %s, expected %s", shown[i].tool, shown[i].column,
				 found->text, shown[i].text);
	}
	assert_int_equal(parsed("top", "top.txt").nr, 22);
	assert_int_equal(parsed("ps", "ps.txt").nr, 17);
	assert_int_equal(parsed("pmap -x", "pmap-x.txt").nr, 3);
	assert_int_equal(parsed("htop", "htop.raw").nr, 11);
}

static void assert_drawn(const char *written, const char *first_line)
{
	OWNED(text_free)
	struct text t = { .data = strdup(written),
			  .len = strlen(written),
			  .capacity = strlen(written) + 1 };

	screen_draw(&t);
	assert_memory_equal(t.data, first_line, strlen(first_line));
	assert_int_equal(t.len, TERMINAL_LINES * (TERMINAL_COLUMNS + 1));
}

TEST(a_screen_is_read_in_its_final_state)
{
	assert_drawn("abc\rX", "Xbc ");
	assert_drawn("abc\033[1;2HX", "aXc ");
	assert_drawn("abc\033[2DX\033[K", "aX ");
	assert_drawn("a\033[3Cb\033[0;7mc", "a   bc ");
	assert_drawn("\033(B\033)0\033[1;24rabc\n\033[Ad", "abcd");
	assert_drawn("abc\033[H\033[2Jd", "d   ");
	assert_drawn("abc\033[2G\033[1Xd\b\b.", ".dc");
	assert_drawn("abc\033[99;999H.\033[1;1H\033", "abc");
	assert_drawn("abc\033[99999999999999999999;", "abc");
}

static const char *complaint(const char *tool, pid_t pid, const char *printed)
{
	static char why[300];
	struct tool_values v;

	assert_int_equal(tool_parse(tool_by_name(tool), pid, printed, &v, why, sizeof(why)), -1);
	return why;
}

TEST(the_line_of_another_process_is_not_read)
{
	complaint("smem", 819, "  PID Swap USS PSS RSS\n 8190 0 1 2 3\n");
	complaint("atop", 4096, "PRM h 1 a b 1 8190 (x) S 4096 1 2 3\n");
}

TEST(a_tool_that_only_complains_is_quoted)
{
	assert_string_equal(complaint("top", 1, "top: failed tty get\nmore\n"),
			    "top (package procps) printed nothing about process 1: "
			    "top: failed tty get");
	assert_string_equal(complaint("pmap -x", 1, ""),
			    "pmap -x (package procps) printed nothing about process 1");
}

/* Every metric is `kb` kB. */
static struct tool_facts facts_of(int64_t kb)
{
	struct tool_facts f = {
		.text_bytes = 2000, .gate_kb = 4, .mem_total_kb = 65536, .page_size = 4096
	};

	for (int id = 0; id < METRIC_COUNT; id++) {
		f.values.have[id] = true;
		f.values.of[id] = metric(id)->unit == UNIT_PAGES   ? kb / 4
				  : metric(id)->unit == UNIT_BYTES ? kb * 1024
								   : kb;
	}
	return f;
}

static void assert_expects(const char *tool, const char *column, int64_t kb, const char *text)
{
	struct tool_facts f = facts_of(kb);
	char expected[TOOL_TEXT_MAX] = "";

	assert_true(tool_expect(column_by_name(tool, column), &f, expected));
	assert_string_equal(expected, text);
}

TEST(each_shape_has_its_units_and_its_rounding)
{
	assert_expects("ps", "rss", 1000, "1000");
	assert_expects("ps", "size", 1000, "2000");
	assert_expects("ps", "sz", 1000, "250");
	assert_expects("psutil", "rss", 1000, "1024000");
	assert_expects("pmap", "total", 1000, "1004");
	assert_expects("ps", "trs", 1000, "1");
	assert_expects("ps", "drs", 1000, "998");
	assert_expects("ps", "min_flt", 1000, "1000");
	assert_expects("libproc2", "PIDS_RSS", 1000, "250");
	assert_expects("top", "nDRT", 1000, "0");
}

TEST(percents_are_rounded_to_the_nearest_or_cut_off)
{
	assert_expects("top", "%MEM", 1000, "1.5");
	assert_expects("top", "%MEM", 1016, "1.6");
	assert_expects("ps", "%mem", 1016, "1.5");
	assert_expects("pidstat", "%MEM", 1016, "1.55");
}

TEST(a_value_too_wide_for_its_column_is_scaled)
{
	assert_expects("top", "RES", 999996, "999996");
	assert_expects("top", "RES", 1000000, "976.6m");
	assert_expects("top", "VIRT", 9999996, "9999996");
	assert_expects("top", "VIRT", 1LL << 34, "16.0t");
	assert_expects("top", "nMin", 9999, "9999");
	assert_expects("top", "nMin", 10000, "9.8k");
	assert_expects("top", "nMin", 123456, "121k");
	assert_expects("busybox ps", "rss", 9996, "9996");
	assert_expects("busybox ps", "rss", 10000, "9.7m");
	assert_expects("busybox ps", "vsz", 1LL << 34, "16t");
	assert_expects("htop", "RES", 99996, "99996");
}

TEST(rates_and_absent_metrics_have_no_expected_value)
{
	struct tool_facts f = facts_of(1000);
	char text[TOOL_TEXT_MAX];

	assert_false(tool_expect(column_by_name("pidstat", "minflt/s"), &f, text));
	f.values.have[METRIC_STATUS_VMSTK] = false;
	assert_false(tool_expect(column_by_name("ps", "size"), &f, text));
	f = facts_of(100000);
	assert_false(tool_expect(column_by_name("htop", "RES"), &f, text));
}

TEST(every_tool_has_columns_and_a_package)
{
	size_t nr, columns;
	const struct tool *all = tools_all(&nr);
	const struct column *c = columns_all(&columns);

	for (size_t i = 0; i < nr; i++) {
		size_t of_it = 0;

		for (size_t k = 0; k < columns; k++)
			of_it += !strcmp(c[k].tool, all[i].name);
		assert_true(of_it > 0 && of_it <= TOOL_VALUES_MAX);
		assert_non_null(all[i].package);
		assert_ptr_equal(tool_by_name(all[i].name), &all[i]);
	}
	assert_null(tool_by_name("nothing"));
}

TEST(a_case_whose_tool_is_missing_is_skipped_with_the_package)
{
	static const char *const wanted[] = { "smem", NULL };
	struct testcase c = { .tools = wanted };
	const char *path = getenv("PATH");
	struct missing m;
	char why[200], kept[4096];

	snprintf(kept, sizeof(kept), "%s", path ? path : "");
	setenv("PATH", "/nonexistent", 1);
	assert_false(needs_are_met(NULL, &c, &m));
	setenv("PATH", kept, 1);
	assert_true(missing_has(&m, MISSING_PROGRAM));
	assert_string_equal(missing_words(&m, why, sizeof(why)),
			    access("/usr/bin/smem", X_OK)
				    ? "smem is not installed (package smem)"
				    : "smem is not in $PATH: it is installed as /usr/bin/smem");
}

static void assert_complains(const char *tool, const char *printed, const char *kept)
{
	const char *why = complaint(tool, 1, printed);

	assert_string_equal(strstr(why, "process 1: ") + strlen("process 1: "), kept);
}

TEST(the_line_with_the_reason_is_quoted_wherever_it_is)
{
	assert_complains("psutil",
			 "Traceback (most recent call last):\n  File \"<string>\", line 1\n"
			 "ModuleNotFoundError: No module named 'psutil'\n",
			 "ModuleNotFoundError: No module named 'psutil'");
	assert_complains("ps",
			 "error: unknown user-defined format specifier \"pss\"\n\nUsage:\n"
			 " ps [options]\n\nFor more details see ps(1).\n",
			 "error: unknown user-defined format specifier \"pss\"");
	assert_complains("pmap -X", "pmap: invalid option -- 'X'\nUsage:\n pmap [options]\n",
			 "pmap: invalid option -- 'X'");
	assert_complains("atop", "one\ntwo\n\n", "two");
}

/* A tool that is one line of shell. */
#define MADE_TOOL(script)                                                        \
	{                                                                        \
		.name = "made", .package = "made-up", .layout = LAYOUT_PAIRS,    \
		.argv = (const char *const[]) { "/bin/sh", "-c", script, NULL }, \
		.absent = "No module named 'made'",                              \
	}

TEST(a_program_without_its_module_is_not_installed)
{
	const struct tool t = MADE_TOOL("echo \"ImportError: No module named 'made'\" >&2; exit 1");
	char why[400];

	assert_true(tool_is_here(&t, why, sizeof(why)));
	assert_false(tool_can_run(&t, why, sizeof(why)));
	assert_string_equal(why, "made is not installed (package made-up)");
}

TEST(a_tool_that_fails_on_every_process_cannot_be_used_here)
{
	const struct tool t = MADE_TOOL("echo error: no option -q; exit 1");
	char why[400];

	assert_false(tool_can_run(&t, why, sizeof(why)));
	assert_says(why, "cannot be used here: made (package made-up) printed nothing");
	assert_says(why, ": error: no option -q");
}

TEST(ps_shows_the_test_itself)
{
	const struct tool *ps = tool_by_name("ps");
	struct tool_values v;
	char why[300];

	if (!tool_is_here(ps, why, sizeof(why)))
		skip();
	assert_true(tool_can_run(ps, why, sizeof(why)));
	if (tool_read(ps, getpid(), &v, why, sizeof(why)))
		fail_msg("%s", why);
	assert_true(strtoll(tool_value(&v, "rss")->text, NULL, 10) > 0);
	assert_int_equal(tool_read(ps, 0x7ffffff0, &v, why, sizeof(why)), -1);
}
