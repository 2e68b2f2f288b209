// SPDX-License-Identifier: MIT
/*
 * A sentence that no question answers whole gets the question that it is about, and never one about
 * what it denies. Words that evaluate ("bad", "ok") do not stand in the way; values that the answer
 * is not about are named.
 */
#include "explain/question.h"
#include "tests/explain/recorded_topics.h"

static const char *answer_of(const struct query *q)
{
	return q->question ? q->question->asks : q->nearest ? q->nearest->asks : "nothing";
}

static bool is_headed(const struct query *q)
{
	return q->kind == QUERY_QUESTION ||
	       (q->kind == QUERY_NEAR && q->nearest && (q->nearly || q->explained));
}

static void assert_headed(const char *asked, const char *question)
{
	OWNED(query_free) struct query q = resolved(asked);

	if (!is_headed(&q) || strcmp(answer_of(&q), question))
		fail_msg("'%s': kind %d, '%s'", asked, (int)q.kind, answer_of(&q));
}

static void assert_not_about(const char *asked, const char *question)
{
	OWNED(query_free) struct query q = resolved(asked);

	if (!strcmp(answer_of(&q), question))
		fail_msg("'%s' is answered by '%s'", asked, question);
}

static void assert_without_value(const char *asked, const char *values)
{
	OWNED(query_free) struct query q = resolved(asked);

	if (strcmp(q.values, values))
		fail_msg("'%s': without the values %s", asked, q.values);
}

TEST(what_a_sentence_denies_is_not_its_subject)
{
	assert_headed("kernel memory leak no slab no process unreclaimable",
		      "What leaks in the kernel if slab does not grow?");
	assert_not_about("kernel memory leak without slab growing", "Is the kernel leaking?");
	assert_not_about("memory growing, not in slab, driver leak", "Is the kernel leaking?");
	assert_headed("SUnreclaim grows kernel leak", "Is the kernel leaking?");
	assert_not_about("RES never falls", "Why does RES fall though nothing was freed?");
}

TEST(words_that_name_nothing_do_not_stand_in_the_way)
{
	assert_headed("why AnonPages different from Active(anon) plus Inactive(anon)",
		      "Why do Active(anon) + Inactive(anon) differ from AnonPages?");
	assert_headed("how to identify which process is consuming swap",
		      "How much swap does each process use?");
	assert_not_about("psutil USS wrong when called from subprocess",
			 "Why are RSS, PSS or USS of a tool 0?");
}

TEST(words_that_evaluate_do_not_stand_in_the_way)
{
	assert_headed("are major page faults bad", "Are major faults bad?");
	assert_headed("is it normal for swap to be used when ram is free",
		      "Why is swap used though memory is free?");
	assert_headed("is it safe to echo 3 > drop_caches in production",
		      "Is it safe to drop caches?");
	assert_headed("is it bad if swap is 100% used", "Is it bad if swap is full?");
	assert_headed(
		"systemd-oomd killed 12 process(es) in this unit memory pressure 51.07% > 50.00%",
		"What triggers systemd-oomd?");
}

TEST(both_sides_of_a_comparison_are_compared)
{
	assert_headed("mlock vs mlockall memory locked",
		      "What is the difference between mlock(2) and mlockall(2)?");
	assert_headed("maxrss vs VmHWM", "What is the difference between ru_maxrss and VmHWM?");
	assert_not_about("mlock vs mlockall", "What does mlockall(MCL_FUTURE) make resident?");
}

TEST(a_value_without_an_answer_is_named)
{
	assert_without_value("min_free_kbytes recommended value 512gb", "'512gb'");
	assert_without_value("is fragmentation ratio 1.5 normal", "'1.5'");
	assert_without_value("dirty_ratio 10", "'10'");
	assert_without_value("vm.swappiness 0 or 1", "");
	assert_without_value("ksm run 2", "");
	assert_without_value("page allocation failure: order:4", "");
}

TEST(a_word_of_another_subject_is_no_name)
{
	OWNED(query_free) struct query ram = resolved("gpu driver using system ram");
	OWNED(query_free) struct query node = resolved("kubernetes node memory pressure eviction");

	for (size_t i = 0; i < ram.found.nr; i++)
		assert_string_not_equal(ram.found.of[i].name, "netdata RAM");
	for (size_t i = 0; i < node.found.nr; i++)
		assert_string_not_equal(node.found.of[i].name, "NUMA");
}
