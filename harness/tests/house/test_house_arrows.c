// SPDX-License-Identifier: MIT
/* The build refuses an include of a folder that is later in the list. */
#include "tests/support/test.h"
#include <limits.h>
#include <sys/wait.h>

enum { OUTPUT_MAX = 4096 };

/*
 * Returns the exit status of arrows.sh for a tree of these files, which all have the same lines;
 * `out` gets the output.
 */
static int arrows_of(const char *files, const char *lines, char out[OUTPUT_MAX])
{
	char command[3 * PATH_MAX], here[PATH_MAX];
	FILE *p;
	int status;

	assert_non_null(getcwd(here, sizeof(here)));
	snprintf(command, sizeof(command),
		 "t=$(mktemp -d) && cd \"$t\" && mkdir -p harness $(dirname %s) && "
		 "printf '%s\n' | tee %s >/dev/null && "
		 "sh '%s/harness/arrows.sh' 2>&1; s=$?; rm -rf \"$t\"; exit $s",
		 files, lines, files, here);
	p = popen(command, "r");
	assert_non_null(p);
	out[fread(out, 1, OUTPUT_MAX - 1, p)] = '\0';
	status = pclose(p);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void refuses(const char *files, const char *lines, const char *why)
{
	char out[OUTPUT_MAX];

	assert_int_equal(arrows_of(files, lines, out), 1);
	if (!strstr(out, why))
		fail_msg("'%s' is not in: %s", why, out);
}

static void allows(const char *files, const char *lines)
{
	char out[OUTPUT_MAX];

	if (arrows_of(files, lines, out))
		fail_msg("%s", out);
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
 * Runs arrows.sh on two objects of harness/judge, each of which defines one name and uses another.
 * Returns its exit status.
 */
static int arrows_between(const char *one, const char *other)
{
	char command[3 * PATH_MAX], here[PATH_MAX];
	int status;

	assert_non_null(getcwd(here, sizeof(here)));
	snprintf(command, sizeof(command),
		 "t=$(mktemp -d) && cd \"$t\" && mkdir -p harness build/obj/harness/judge && "
		 "echo '%s' | cc -xc -c -o build/obj/harness/judge/one.o - && "
		 "echo '%s' | cc -xc -c -o build/obj/harness/judge/other.o - && "
		 "sh '%s/harness/arrows.sh' build/obj/harness/judge/*.o 2>/dev/null; s=$?; "
		 "rm -rf \"$t\"; exit $s",
		 one, other, here);
	status = system(command);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(two_files_of_a_folder_must_not_call_each_other)
{
	if (system("command -v cc nm >/dev/null"))
		skip();
	assert_int_equal(arrows_between("int a(void) { return 0; }",
					"int a(void); int b(void) { return a(); }"),
			 0);
	assert_int_equal(arrows_between("int b(void); int a(void) { return b(); }",
					"int a(void); int b(void) { return a(); }"),
			 1);
}
