// SPDX-License-Identifier: MIT
/* The build refuses code that compares our own wording. */
#include "tests/support/test.h"

/* The exit status of prose.sh is `status` for a tree of this file. */
static void prose_of(int status, const char *file, const char *code)
{
	shell_said(status,
		   "here=$PWD; t=$(mktemp -d) && cd \"$t\" && "
		   "mkdir -p harness include cases $(dirname %s) && printf '%%s\\n' '%s' >%s && "
		   "sh \"$here/harness/prose.sh\" 2>/dev/null; s=$?; rm -rf \"$t\"; exit $s",
		   file, code, file);
}

static void refuses(const char *code)
{
	prose_of(1, "harness/new/new.c", code);
}

static void allows(const char *file, const char *code)
{
	prose_of(0, file, code);
}

TEST(a_comparison_with_our_own_sentence_is_refused)
{
	refuses("if (!strcmp(d->text, \"the counter = the page tables\"))");
	refuses("return strstr(reason, \" is not installed\") != NULL;");
	refuses("if (strncmp(d->metric, \"Private of\", 10) &&\n    is(d))");
	refuses("if (f(x) && !strncasecmp(name(x, 3),\n\t\"needs \", 6))");
}

TEST(a_comparison_with_a_named_sentence_is_refused)
{
	refuses("static const char needs[] = \"needs \";\nreturn strncmp(what, needs, 6);");
}

TEST(a_search_for_our_own_word_is_refused)
{
	refuses("while (fgets(line, sizeof(line), f))\n\tif (strstr(line, \"wrong\"))");
	refuses("return strcasestr(text, \"exclusive\") != NULL;");
}

TEST(words_of_formats_and_tests_are_allowed)
{
	allows("harness/new/new.c", "if (!strcmp(name, \"status\") || strstr(line, \"[vdso]\"))");
	allows("harness/new/new.c", "puts(\"a sentence\"); if (!strcmp(a, b))");
	allows("harness/vm/host/diagnose.c", "p = strstr(console, \"Kernel panic\");");
	allows("harness/tests/new/new.c", "assert_true(strstr(out, \"a sentence\"));");
}

TEST(the_source_tree_itself_passes)
{
	assert_int_equal(system("sh harness/prose.sh"), 0);
}
