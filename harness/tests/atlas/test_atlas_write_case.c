// SPDX-License-Identifier: MIT
/* A sequence written as a case: each step is an act that can be parsed, and the file compiles. */
#include "agent/verbs/verbs.h"
#include "atlas/write_case.h"
#include "tests/support/files.h"
#include "tests/support/test.h"

enum { HUGE = 512 };

static struct words w;

static char *written(const char *path, const char *words)
{
	struct case_of c = {
		path, words, "6.1.0", "6.12.1", "same\nold line\n", "same\nnew line\n"
	};
	FILE *out = printing();
	char why[160] = "";

	words_make(&w, HUGE);
	if (case_write(&c, &w, out, why, sizeof(why)))
		fail_msg("%s: %s", words, why);
	return printed(out);
}

static unsigned steps_of(const char *text)
{
	unsigned nr = 0;

	for (const char *p = text; (p = strstr(p, "ACT(")); nr++) {
		char act[128], why[128] = "";
		struct act a;

		p = strchr(p, '"') + 1;
		snprintf(act, sizeof(act), "%.*s", (int)strcspn(p, "\""), p);
		if (act_parse(&a, act, why, sizeof(why)))
			fail_msg("%s: %s", act, why);
	}
	return nr;
}

TEST(each_act_becomes_a_step)
{
	char *text = written("cases/atlas/anon_free.c", "anon, free");

	assert_says(text, "CASE(atlas_anon_free)");
	assert_says(text, "ACT(0, \"madvise r0 0..3 FREE\")");
	assert_says(text, " * 6.1.0: old line\n * 6.12.1: new line\n");
	assert_says_not(text, "same");
	assert_int_equal(steps_of(text), 3);
}

TEST(later_steps_follow_a_moved_region_and_a_child)
{
	char *text = written("/tmp/x.c", "shm, move, fork write, dontneed, read middle");

	assert_says(text, "CASE(atlas_x)");
	assert_says(text, "ACT(0, \"mremap r0 0..3 to r1\")");
	assert_says(text, "ACT(0, \"fork p1\")");
	assert_says(text, "ACT(1, \"write r1 0..3\")");
	assert_says(text, "ACT(0, \"madvise r1 0..3 DONTNEED\")");
	assert_int_equal(steps_of(text), 7);
}

TEST(a_text_that_is_no_sequence_is_refused)
{
	struct case_of c = { "x.c", "nothing, free", "", "", "", "" };
	char why[160] = "";

	words_make(&w, HUGE);
	assert_int_equal(case_write(&c, &w, stdout, why, sizeof(why)), -1);
	assert_string_not_equal(why, "");
}

TEST(the_written_case_compiles)
{
	char text[8192];
	const char *out;

	snprintf(text, sizeof(text), "%s%s", written("b.c", "huge, fork exit, munmap, write"),
		 written("a.c", "memfd, map again, clear, truncate, read"));
	out = shell_said(0,
			 "cc -x c -fsyntax-only -std=gnu11 -D_GNU_SOURCE= -Iinclude -Wall -Wextra "
			 "-Werror %s 2>&1",
			 folder_put("case.c", text));
	assert_string_equal(out, "");
}
