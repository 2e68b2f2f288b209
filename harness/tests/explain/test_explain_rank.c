// SPDX-License-Identifier: MIT
/* A sentence is answered by the question that shares most with it, or by none. */
#include "explain/rank.h"
#include "explain/stem.h"
#include "tests/explain/recorded_topics.h"

TEST(a_score_is_whole_only_if_each_covers_the_other)
{
	assert_int_equal(share_score((struct share) { 5, 5 }, (struct share) { 2, 2 }), 1000);
	assert_int_equal(share_score((struct share) { 1, 2 }, (struct share) { 1, 2 }), 500);
	assert_int_equal(share_score((struct share) { 1, 1 }, (struct share) { 1, 3 }), 500);
	assert_int_equal(share_score((struct share) { 0, 3 }, (struct share) { 3, 3 }), 0);
}

TEST(a_word_of_few_questions_weighs_more)
{
	assert_true(rarity(1, 1000) > rarity(10, 1000));
	assert_true(rarity(10, 1000) > rarity(500, 1000));
	assert_int_equal(rarity(0, 1000), rarity(1, 1000));
	assert_int_equal(rarity(1000, 1000), 1);
}

TEST(forms_and_synonyms_of_a_word_are_one_word)
{
	assert_true(words_are_alike("dropped", "drops"));
	assert_true(words_are_alike("flush", "dropping"));
	assert_true(words_are_alike("exceeds", "larger"));
	assert_true(words_are_alike("process's", "processes"));
	assert_false(words_are_alike("larger", "smaller"));
	assert_false(words_are_alike("VmRSS", "VmRSSs"));
	assert_false(words_are_alike("pss", "ps"));
}

static void assert_answered(const char *asked, const char *title, const char *unknown)
{
	OWNED(query_free) struct query q = resolved(asked);

	if (q.kind != QUERY_QUESTION || strcmp(q.question->asks, title) ||
	    strcmp(q.unknown, unknown))
		fail_msg("'%s' is answered by '%s', without %s", asked,
			 q.kind == QUERY_QUESTION ? q.question->asks : "nothing", q.unknown);
}

TEST(other_words_find_the_question)
{
	assert_answered("how do I compute the compression ratio of zram",
			"How is zram's compression ratio calculated?", "");
	assert_answered("command to flush the page cache", "How is page cache dropped?", "");
	assert_answered("what PSI memory value is acceptable", "Which value of PSI is good?", "");
	assert_answered("kubernetes working set does not agree with free on the node",
			"Why do free and the working set of Kubernetes differ?", "");
	assert_answered("how do I measure the memory usage of foobard",
			"How is the memory of a process measured accurately?", "'foobard'");
}

TEST(a_word_that_matters_leaves_the_question_unanswered)
{
	static const char *const asked[] = {
		"how do I limit the swap bandwidth of a process",
		"how long does the OOM killer wait before killing twice",
		"is it possible to resize /dev/shm in a running pod",
		"does docker compress container memory",
		"why does RSS fall when I free memory",
		"disable the swap cache",
		"why is disk usage of my container growing",
	};

	for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++) {
		OWNED(query_free) struct query q = resolved(asked[i]);

		if (q.kind == QUERY_QUESTION || q.explained || q.nearly)
			fail_msg("'%s' is answered", asked[i]);
	}
}
