// SPDX-License-Identifier: MIT
/* The build refuses an include of a folder that is later in the list. */
#include "tests/support/test.h"

/* The exit status of arrows.sh is `status` for a tree of these files, which have the same lines. */
static const char *arrows_of(int status, const char *files, const char *lines)
{
	return shell_said(
		status,
		"here=$PWD; t=$(mktemp -d) && cd \"$t\" && mkdir -p harness $(dirname %s) && "
		"printf '%s\n' | tee %s >/dev/null && sh \"$here/harness/arrows.sh\" 2>&1; "
		"s=$?; rm -rf \"$t\"; exit $s",
		files, lines, files);
}

static void refuses(const char *files, const char *lines, const char *why)
{
	assert_says(arrows_of(1, files, lines), why);
}

static void allows(const char *files, const char *lines)
{
	arrows_of(0, files, lines);
}

TEST(a_folder_may_include_earlier_folders)
{
	allows("harness/judge/new.c", "#include \"model/new.h\"");
	allows("harness/judge/new.c", "#include \"private.h\"");
	allows("harness/cmd/check/new.c", "#include \"cmd/line/command.h\"");
	allows("harness/tests/judge/new.c", "#include \"cmd/commands.h\"");
}

TEST(an_include_of_a_later_folder_is_refused)
{
	refuses("harness/source/new.c", "#include \"judge/private.h\"",
		"harness/source/new.c: includes \"judge/private.h\": source/ comes before judge/");
	refuses("harness/cmd/line/new.h", "#include \"cmd/commands.h\"", "cmd/line/ comes before");
}

TEST(a_folder_missing_in_the_list_is_refused)
{
	refuses("harness/nowhere/new.c", "#include \"base/text.h\"",
		"harness/nowhere has no place");
	refuses("harness/cmd/new.c", "#include \"nowhere/new.h\"", "harness/nowhere has no place");
}

TEST(a_relative_include_is_refused)
{
	refuses("harness/cmd/new.c", "#include \"../base/text.h\"", "name it from harness/ on");
}

TEST(headers_that_include_each_other_are_refused)
{
	allows("include/rssck/case.h", "#include <rssck/trial.h>");
	refuses("include/rssck/case.h include/rssck/trial.h",
		"#include <rssck/case.h>\n#include <rssck/trial.h>", "include each other");
}

/*
 * The exit status of arrows.sh is `status` for two objects of harness/judge, each of which defines
 * one name and uses another.
 */
static void arrows_between(int status, const char *one, const char *other)
{
	shell_said(status,
		   "here=$PWD; t=$(mktemp -d) && cd \"$t\" && "
		   "mkdir -p harness build/obj/harness/judge && "
		   "echo '%s' | cc -xc -c -o build/obj/harness/judge/one.o - && "
		   "echo '%s' | cc -xc -c -o build/obj/harness/judge/other.o - && "
		   "sh \"$here/harness/arrows.sh\" build/obj/harness/judge/*.o 2>/dev/null; s=$?; "
		   "rm -rf \"$t\"; exit $s",
		   one, other);
}

TEST(two_files_of_a_folder_must_not_call_each_other)
{
	if (!is_installed("cc nm"))
		skip();
	arrows_between(0, "int a(void) { return 0; }", "int a(void); int b(void) { return a(); }");
	arrows_between(1, "int b(void); int a(void) { return b(); }",
		       "int a(void); int b(void) { return a(); }");
}
