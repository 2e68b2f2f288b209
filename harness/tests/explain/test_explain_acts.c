// SPDX-License-Identifier: MIT
/* Which numbers an act changes, and where memory of a kind is counted: acts.def and places.def. */
#include "explain/question.h"
#include "tests/explain/recorded_topics.h"

TEST(each_act_finds_its_own_answer)
{
	size_t nr;
	const struct question *q = acts_all(&nr);

	for (size_t i = 0; i < nr; i++) {
		OWNED(query_free) struct query got = resolved(q[i].asks);

		if (got.kind != QUERY_QUESTION || got.question != &q[i] || got.unknown[0])
			fail_msg("'%s': kind %d, %s, without %s", q[i].asks, (int)got.kind,
				 got.question ? got.question->asks : "", got.unknown);
	}
}

static void assert_answered_by(const char *asked, const char *title)
{
	OWNED(query_free) struct query q = resolved(asked);

	if (q.kind != QUERY_QUESTION || !strstr(q.question->asks, title) || q.unknown[0])
		fail_msg("'%s': kind %d, %s, without %s", asked, (int)q.kind,
			 q.question ? q.question->asks : "", q.unknown);
}

TEST(an_act_leads_to_the_numbers_that_it_changes)
{
	assert_answered_by("which counter goes up when I cat a big file", "a file is read");
	assert_answered_by("what grows in meminfo when I dd a file", "a file is read");
	assert_answered_by("which number grows when I write to a tmpfs file", "on tmpfs");
	assert_answered_by("which field goes down after munmap", "unmapped");
	assert_answered_by("what increases when I create 1000 threads", "threads");
	assert_answered_by("which counter shows swap in", "swapped in");
	assert_answered_by("which meminfo line increases when I ls -R /", "looked up");
	assert_answered_by("what goes up when I open a lot of files", "opened");
}

TEST(a_kind_of_memory_has_its_places)
{
	assert_answered_by("Where does /dev/shm memory show up in free", "tmpfs");
	assert_answered_by("tmpfs files count as what", "tmpfs");
	assert_answered_by("in which column of free is slab counted", "dentries");
}

TEST(another_question_about_an_act_is_not_answered)
{
	static const char *const others[] = {
		"which counter does not change when I cat a file",
		"which counter goes up when I frobnicate a file",
		"why does RSS not grow when a file is read",
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		OWNED(query_free) struct query q = resolved(others[i]);

		if (q.question && strstr(q.question->asks, "Which numbers change"))
			fail_msg("'%s': %s", others[i], q.question->asks);
	}
}
