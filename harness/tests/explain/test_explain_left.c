// SPDX-License-Identifier: MIT
/* An answer without a caveat leaves no word out that has a sense. */
#include "explain/question.h"
#include "tests/explain/recorded_topics.h"

static bool is_plain(const struct query *q)
{
	return q->kind != QUERY_NONE && q->kind != QUERY_NEAR && !q->unknown[0];
}

static bool is_told(const struct query *q)
{
	return is_answered(q) || q->nearly;
}

TEST(each_question_is_answered_by_itself_and_leaves_out_none_of_its_words)
{
	size_t nr;
	const struct question *q = questions_all(&nr);

	for (size_t i = 0; i < nr; i++) {
		OWNED(query_free) struct query got = resolved(q[i].asks);

		if (!is_told(&got) || (got.kind == QUERY_QUESTION && got.unknown[0]))
			fail_msg("'%s': kind %d, without %s", q[i].asks, (int)got.kind,
				 got.unknown);
	}
}

static void assert_leaves(const char *asked, const char *unknown)
{
	OWNED(query_free) struct query q = resolved(asked);

	if (is_plain(&q) || is_told(&q) || strcmp(q.unknown, unknown))
		fail_msg("'%s': kind %d, without %s", asked, (int)q.kind, q.unknown);
}

TEST(a_word_that_makes_it_another_question_is_named_and_not_dropped)
{
	assert_leaves("htop postgres 8gb per process", "'postgres', '8gb'");
	assert_leaves("What is the size column in smem", "'size'");
	assert_leaves("pmap mappps", "'mappps'");
	assert_leaves("massif peak much lower than RSS", "'lower'");
	assert_leaves("htop memory bar shows different used than free", "'different'");
}

static void assert_without(const char *asked, const char *first, const char *unknown)
{
	OWNED(query_free) struct query q = resolved(asked);

	if (!q.nearly || q.found.nr != 1 || strcmp(q.found.of[0].name, first) ||
	    strcmp(q.unknown, unknown))
		fail_msg("'%s': kind %d, %zu names, without %s", asked, (int)q.kind, q.found.nr,
			 q.unknown);
}

TEST(terms_of_rssck_have_another_meaning_beside_a_program)
{
	assert_without("dumpsys meminfo unknown", "dumpsys meminfo", "'unknown'");
	assert_without("SecPageTables kernel 6.1", "meminfo.SecPageTables", "'6.1'");
}

/* Fails if the question is given as the answer, and not as the nearest one or without a word. */
static void assert_is_only_near(const char *asked, const char *question)
{
	OWNED(query_free) struct query q = resolved(asked);

	if (q.kind == QUERY_QUESTION && !q.unknown[0] && !strcmp(q.question->asks, question))
		fail_msg("'%s' is answered by '%s'", asked, question);
}

TEST(a_question_with_another_size_side_option_or_act_is_not_the_answer)
{
	assert_is_only_near("buff/cache high available low", "Is cached memory free?");
	assert_is_only_near("AnonPages larger than sum of RssAnon",
			    "Why do AnonPages and the sum of RssAnon differ?");
	assert_is_only_near("mysql buffer pool larger than RSS",
			    "Why is RES of mysqld larger than its buffer pool?");
	assert_is_only_near("does ulimit -v limit RSS", "Does ulimit -m limit RSS?");
	assert_is_only_near("kubectl top shows 0", "Why do docker stats and top disagree?");
	assert_is_only_near("does free memory include swap",
			    "How is swap emptied without a restart?");
	assert_is_only_near("why does cache drop suddenly", "How is page cache dropped?");
	assert_is_only_near(
		"memory.stat anon vs rss",
		"How do the RSS of processes and the memory.current of a container differ?");
	assert_is_only_near("are memory mapped files counted as used",
			    "Why is a database's mapped file in RSS?");
}

TEST(used_of_a_tool_is_a_number_and_not_a_filler)
{
	OWNED(query_free) struct query q = resolved("top's used vs MemTotal - MemFree");

	assert_int_equal(q.kind, QUERY_WORDS);
	assert_string_equal(q.found.of[0].name, "free used");
	assert_non_null(strstr(q.relation, "used is"));
}

static void assert_asks(const char *asked, const char *question)
{
	OWNED(query_free) struct query q = resolved(asked);

	if (q.kind != QUERY_QUESTION || strcmp(q.question->asks, question))
		fail_msg("'%s': kind %d", asked, (int)q.kind);
}

TEST(a_known_question_is_answered_and_not_only_named)
{
	assert_asks("20 GB missing, not in slab, not in cache", "Where has the memory gone?");
	assert_asks("jvm heap is 2g but process rss is 4g why",
		    "Why is the RSS of a JVM 4 GB though its heap is 2 GB?");
	assert_asks("why top says 120% of memory",
		    "Can one process have more than 100 % of memory?");
	assert_asks("zswap vs zram which uses less memory", "Does zram or zswap take less memory?");
	assert_asks("kubectl top vs free inside the container",
		    "Why does free in a container differ from kubectl top or docker stats?");
	assert_asks("is it safe to echo 3 > /proc/sys/vm/drop_caches in production",
		    "Is it safe to drop caches?");
	assert_asks("ru_maxrss macos vs linux", "Does ru_maxrss have the same unit on macOS?");
}

TEST(a_question_that_lacks_one_word_is_the_nearest)
{
	OWNED(query_free)
	struct query q = resolved("mongodb wiredtiger cache 10G but mongod RES is 14G");

	assert_false(is_told(&q));
	assert_non_null(q.nearest);
	assert_string_equal(q.nearest->asks, "Why is mongod larger than its cache?");
}

TEST(a_row_may_be_followed_by_a_question)
{
	OWNED(query_free)
	struct query q = resolved("systemctl status Memory: 1.2G (peak: 3.4G swap: 12.0M) "
				  "what does it include");

	assert_int_equal(q.kind, QUERY_ROW);
}
