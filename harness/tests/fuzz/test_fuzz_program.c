// SPDX-License-Identifier: MIT
/* Random programs: the same from the same seed, and the same again from their text. */
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fuzz/known.h"
#include "fuzz/program.h"
#include "fuzz/reached.h"

static const struct recipe anything = { .steps = 0 };

static char *text_of(const struct program *p)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	program_print(p, out);
	fclose(out);
	return text;
}

static void test_a_seed_is_always_the_same_program(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 50; seed++) {
		struct program a, b;

		program_draw(&a, seed, &anything);
		program_draw(&b, seed, &anything);
		assert_memory_equal(&a, &b, sizeof(a));
	}
}

static void test_what_is_printed_reads_back(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 200; seed++) {
		struct program a, b;
		char why[256] = "", *text, *again;

		program_draw(&a, seed, &anything);
		text = text_of(&a);
		if (program_parse(&b, text, why, sizeof(why)))
			fail_msg("seed %d: %s\n%s", (int)seed, why, text);
		b.seed = a.seed;
		again = text_of(&b);
		assert_string_equal(text, again);
		assert_int_equal(a.nr, b.nr);
		free(text);
		free(again);
	}
}

/* Of two acts that follow each other, how often both are about the same memory of a process. */
static unsigned meetings(unsigned threads)
{
	struct recipe r = { .threads = threads };
	unsigned n = 0;

	for (uint64_t seed = 1; seed < 200; seed++) {
		struct program p;

		program_draw(&p, seed, &r);
		for (unsigned i = 1; i < p.nr; i++)
			n += act_may_race(&p.acts[i]) && act_may_race(&p.acts[i - 1]) &&
			     p.acts[i].process == p.acts[i - 1].process &&
			     p.acts[i].region == p.acts[i - 1].region;
	}
	return n;
}

static void test_threads_meet_more_often_and_are_printed(void **state)
{
	struct recipe threaded = { .threads = 3 };
	struct program a, b;
	char why[256], *text;

	(void)state;
	assert_true(meetings(3) > meetings(0) * 5 / 4);
	program_draw(&a, 7, &threaded);
	text = text_of(&a);
	assert_non_null(strstr(text, "\nthreads 3\n"));
	assert_int_equal(program_parse(&b, text, why, sizeof(why)), 0);
	assert_int_equal(b.threads, 3);
	free(text);
}

static void test_what_ends_or_asks_does_not_race(void **state)
{
	(void)state;
	for (size_t i = 0; i < nr_verbs; i++) {
		struct act a = { .verb = (uint16_t)i };

		if (act_may_race(&a)) {
			assert_null(verbs[i].asks);
			assert_false(verbs[i].operands & OPERAND_PROCESS);
		}
	}
}

static void test_seeds_draw_every_verb_and_option(void **state)
{
	bool drawn[256] = { false };
	unsigned options[256] = { 0 };

	(void)state;
	for (uint64_t seed = 1; seed < 5000; seed++) {
		struct program p;

		program_draw(&p, seed, &anything);
		for (unsigned i = 0; i < p.nr; i++)
			drawn[p.acts[i].verb] = true;
		for (unsigned i = 0; i < p.nr; i++)
			options[p.acts[i].verb] |= 1U << p.acts[i].option;
	}
	for (size_t i = 0; i < nr_verbs; i++)
		if (!drawn[i] || options[i] + 1 != 1U << option_count(verbs[i].options))
			fail_msg("nothing draws %s %s, or an option of it", verbs[i].name,
				 verbs[i].mode);
}

static void test_a_verb_that_asks_says_what_must_be(void **state)
{
	(void)state;
	for (size_t i = 0; i < nr_verbs; i++) {
		assert_int_equal(!verbs[i].asks, !verbs[i].rule);
		/* A finding holds all of it. */
		assert_true(!verbs[i].asks ||
			    strlen(verbs[i].asks) < sizeof(((struct mismatch *)0)->number));
	}
}

/* Of all wrong answers those are that stock kernels give: nothing at all, or whole entries. */
static void test_an_answer_that_is_a_known_bug_is_told_from_others(void **state)
{
	const struct act_outcome none = { .expected = 2048 };
	const struct act_outcome half = { .expected = 2048, .seen = 1024 };
	const struct act_outcome more = { .expected = 16, .seen = 256 };

	(void)state;
	for (size_t i = 0; i < nr_verbs; i++) {
		enum known known = verbs[i].run == verb_shared_table ? KNOWN_SHARED_TABLE
				   : verbs[i].run == verb_swap_ask   ? KNOWN_OFFSETS
								     : KNOWN_COUNT;

		assert_int_equal(known_answer(&verbs[i], &half), KNOWN_COUNT);
		assert_int_equal(known_answer(&verbs[i], &none), known);
		assert_int_equal(known_answer(&verbs[i], &more),
				 verbs[i].run == verb_swap_ask ? KNOWN_LARGE_ENTRY : KNOWN_COUNT);
	}
	for (int k = 0; k < KNOWN_COUNT; k++)
		assert_non_null(known_bug(k));
}

static void test_a_program_keeps_to_its_recipe(void **state)
{
	bool *only = calloc(nr_verbs, sizeof(*only));
	struct recipe r = { .steps = 12, .processes = 1, .verbs = only };
	struct program p;

	(void)state;
	for (size_t i = 0; i < nr_verbs; i++)
		only[i] = !strcmp(verbs[i].name, "mmap") || !strcmp(verbs[i].name, "write") ||
			  !strcmp(verbs[i].name, "fork");
	program_draw(&p, 7, &r);
	assert_int_equal(p.nr, 12);
	for (unsigned i = 0; i < p.nr; i++) {
		assert_true(only[p.acts[i].verb]);
		assert_int_not_equal(verbs[p.acts[i].verb].effect, EFFECT_FORK);
	}
	free(only);
}

static void test_what_was_reached_is_told(void **state)
{
	static struct reached r;
	struct act_outcome done = { .error = 0 }, refused = { .error = EPERM };
	struct program p;
	char why[256], *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	(void)state;
	assert_non_null(out);
	assert_int_equal(program_parse(&p,
				       "mmap r0 0..1 anon private rw\nwrite r0 0..1\nswapoff\n"
				       "write r0 0..1\n",
				       why, sizeof(why)),
			 0);
	reached_begin(&r);
	reached_act(&r, &p.acts[0], &done);
	reached_act(&r, &p.acts[1], &done);
	reached_act(&r, &p.acts[2], &refused);
	reached_act(&r, &p.acts[3], &done);
	reached_print(&r, out);
	fclose(out);
	/* mmap and write; write after mmap, and write after write: what is refused is between
	 * nothing. */
	assert_non_null(strstr(text, "2 of "));
	assert_non_null(strstr(text, "verbs, 2 of "));
	assert_non_null(strstr(text, "always refused: swapoff\n"));
	assert_non_null(strstr(text, "never drawn: "));
	free(text);
}

static void complains(const char *text, const char *about)
{
	struct program p;
	char why[256] = "";

	assert_int_equal(program_parse(&p, text, why, sizeof(why)), -1);
	if (!strstr(why, about))
		fail_msg("\"%s\" does not speak of \"%s\"", why, about);
}

static void test_a_program_that_is_none_is_told(void **state)
{
	(void)state;
	complains("# nothing\n", "no step");
	complains("write r0 0..3\nwrote r0 0..3\n",
		  "line 2: \"wrote r0 0..3\" begins with no verb");
	complains("write r99 0..3\n", "other operands");
	complains("write r0 3..0\n", "other operands");
	complains("write r0 0..99999\n", "other operands");
	complains("madvise r0 0..3 SOMETHING\n", "other operands");
	complains("mremap r0 0..3\n", "other operands");
	complains("fork p9\n", "other operands");
	complains("threads 9\nwrite r0 0..3\n", "begins with no verb");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_seed_is_always_the_same_program),
		cmocka_unit_test(test_what_is_printed_reads_back),
		cmocka_unit_test(test_threads_meet_more_often_and_are_printed),
		cmocka_unit_test(test_what_ends_or_asks_does_not_race),
		cmocka_unit_test(test_seeds_draw_every_verb_and_option),
		cmocka_unit_test(test_a_verb_that_asks_says_what_must_be),
		cmocka_unit_test(test_an_answer_that_is_a_known_bug_is_told_from_others),
		cmocka_unit_test(test_a_program_keeps_to_its_recipe),
		cmocka_unit_test(test_what_was_reached_is_told),
		cmocka_unit_test(test_a_program_that_is_none_is_told),
	};

	return cmocka_run_group_tests_name("random programs", tests, NULL, NULL);
}
