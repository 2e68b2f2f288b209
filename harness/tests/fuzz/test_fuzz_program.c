// SPDX-License-Identifier: MIT
/* Random programs: a seed always gives the same program, and so does its text. */
#include "fuzz/known.h"
#include "fuzz/program.h"
#include "fuzz/reached.h"
#include "tests/support/test.h"
#include <errno.h>
#include <rssck/bug_id.h>

static const struct recipe anything = { .steps = 0 };

static char *text_of(const struct program *p)
{
	char *text = PRINTED(out, program_print(p, out));

	return text;
}

TEST(a_seed_always_draws_the_same_program)
{
	for (uint64_t seed = 1; seed < 50; seed++) {
		struct program a, b;

		program_draw(&a, seed, &anything);
		program_draw(&b, seed, &anything);
		assert_memory_equal(&a, &b, sizeof(a));
	}
}

TEST(a_printed_program_parses_to_itself)
{
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
	}
}

/* Counts how often two consecutive acts are about the same memory of a process. */
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

TEST(with_threads_consecutive_acts_share_memory_more_often)
{
	struct recipe threaded = { .threads = 3 };
	struct program a, b;
	char why[256], *text;

	assert_true(meetings(3) > meetings(0) * 5 / 4);
	program_draw(&a, 7, &threaded);
	text = text_of(&a);
	assert_says(text, "\nthreads 3\n");
	assert_int_equal(program_parse(&b, text, why, sizeof(why)), 0);
	assert_int_equal(b.threads, 3);
}

TEST(acts_that_end_a_process_or_check_do_not_race)
{
	for (size_t i = 0; i < nr_verbs; i++) {
		struct act a = { .verb = (uint16_t)i };

		if (act_may_race(&a)) {
			assert_null(verbs[i].checks);
			assert_false(verbs[i].operands & OPERAND_PROCESS);
		}
	}
}

TEST(seeds_draw_every_verb_and_option)
{
	bool drawn[256] = { false };
	unsigned options[256] = { 0 };

	for (uint64_t seed = 1; seed < 5000; seed++) {
		struct program p;

		program_draw(&p, seed, &anything);
		for (unsigned i = 0; i < p.nr; i++)
			drawn[p.acts[i].verb] = true;
		for (unsigned i = 0; i < p.nr; i++)
			options[p.acts[i].verb] |= 1U << p.acts[i].option;
	}
	for (size_t i = 0; i < nr_verbs; i++)
		if (verbs[i].weight &&
		    (!drawn[i] || options[i] + 1 != 1U << option_count(verbs[i].options)))
			fail_msg("no seed draws %s %s, or not each of its options", verbs[i].name,
				 verbs[i].mode);
}

TEST(a_verb_that_checks_names_its_rule)
{
	for (size_t i = 0; i < nr_verbs; i++) {
		assert_int_equal(!verbs[i].checks, !verbs[i].rule);
		/* A discrepancy has room for the whole name. */
		assert_true(!verbs[i].checks ||
			    strlen(verbs[i].checks) < sizeof(((struct discrepancy *)0)->metric));
	}
}

/*
 * Each of the two known bugs explains only one wrong answer: 0, or a number that includes the rest
 * of large swap entries.
 */
TEST(a_known_wrong_answer_is_recognised)
{
	const struct act_outcome none = { .expected = 2048 };
	const struct act_outcome half = { .expected = 2048, .seen = 1024 };
	const struct act_outcome more = { .expected = 16, .seen = 256 };

	for (size_t i = 0; i < nr_verbs; i++) {
		enum bug_id known = verbs[i].run == verb_swap_ask ? BUG_SHMEM_SWAP_OFFSETS
								  : BUG_NONE;

		assert_int_equal(known_answer(&verbs[i], &half), BUG_NONE);
		assert_int_equal(known_answer(&verbs[i], &none), known);
		assert_int_equal(known_answer(&verbs[i], &more),
				 verbs[i].run == verb_swap_ask ? BUG_SHMEM_SWAP_LARGE : BUG_NONE);
	}
}

TEST(a_program_keeps_to_its_recipe)
{
	bool *only = calloc(nr_verbs, sizeof(*only));
	struct recipe r = { .steps = 12, .processes = 1, .verbs = only };
	struct program p;

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

TEST(the_reached_verbs_and_pairs_are_printed)
{
	static struct reached r;
	struct act_outcome done = { .error = 0 }, refused = { .error = EPERM };
	struct program p;
	char why[256], *text;
	FILE *out = printing();

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
	text = printed(out);
	/*
	 * The pairs are write after mmap, and write after write. A refused operation between them
	 * does not count.
	 */
	assert_says(text, "2 of ");
	assert_says(text, "verbs and 2 of ");
	assert_says(text, "always refused: swapoff\n");
	assert_says(text, "never drawn: ");
}

static void complains(const char *text, const char *about)
{
	struct program p;
	char why[256] = "";

	assert_int_equal(program_parse(&p, text, why, sizeof(why)), -1);
	if (!strstr(why, about))
		fail_msg("\"%s\" does not mention \"%s\"", why, about);
}

TEST(an_invalid_program_is_refused_with_a_reason)
{
	complains("# nothing\n", "no operation");
	complains("write r0 0..3\nwrote r0 0..3\n", "line 2: \"wrote r0 0..3\": unknown verb");
	complains("write r99 0..3\n", "wrong operands");
	complains("write r0 3..0\n", "wrong operands");
	complains("write r0 0..99999\n", "wrong operands");
	complains("madvise r0 0..3 SOMETHING\n", "wrong operands");
	complains("mremap r0 0..3\n", "wrong operands");
	complains("fork p9\n", "wrong operands");
	complains("threads 9\nwrite r0 0..3\n", "unknown verb");
}
