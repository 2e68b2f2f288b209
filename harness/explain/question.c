// SPDX-License-Identifier: MIT
/* Finds the question of the tables that a sentence, or a line of a log, asks. */
#include "question.h"
#include "asks.h"
#include "base/list.h"
#include "question_words.h"
#include "sentence.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define UNDER(title)
#define QUESTION(...) { __VA_ARGS__, .of_meaning = false },
#define MEANING(...)  { __VA_ARGS__, .of_meaning = true },
static const struct question questions[] = {
#include "questions.def"

#include "asked.def"

#include "whether.def"

#include "kinds.def"
};

/*
 * Apart, so that the words that all these share do not become common words of the other questions.
 */
static const struct question acts[] = {
#include "places.def"

#include "acts.def"
};

static const struct question log_lines[] = {
#include "logs.def"
};
#undef MEANING
#undef QUESTION
#undef UNDER

const struct question *questions_all(size_t *nr)
{
	*nr = sizeof(questions) / sizeof(*questions);
	return questions;
}

const struct question *acts_all(size_t *nr)
{
	*nr = sizeof(acts) / sizeof(*acts);
	return acts;
}

const struct question *log_lines_all(size_t *nr)
{
	*nr = sizeof(log_lines) / sizeof(*log_lines);
	return log_lines;
}

/* ---- a sentence ---- */

static bool group_is_met(const char *group, size_t len, const struct sentence *s)
{
	for (size_t i = 0; i < s->nr; i++)
		if (word_is_of_group(s->of[i], group, len))
			return true;
	return false;
}

/*
 * True if the sentence has a word of each group, and no word of a group that begins with '-'.
 * *anything becomes true if the groups include "*", which allows any other words.
 */
static bool question_fits(const struct question *q, const struct sentence *s, bool *anything)
{
	*anything = false;
	for (const char *p = q->words; *p; p += strspn(p, " ")) {
		size_t len = strcspn(p, " ");
		bool refuses = *p == '-';

		if (*p == '*')
			*anything = true;
		else if (group_is_met(p + refuses, len - refuses, s) == refuses)
			return false;
		p += len;
	}
	return true;
}

static bool is_in_groups(const char *word, const struct question *q)
{
	return question_group(q, word) >= 0;
}

/* True if leaving the word out does not change what is asked. */
static bool is_filler(const struct sentence *s, size_t at)
{
	return word_says_nothing(s->of[at]) && !s->held[at] && !word_alters(s->of[at]);
}

/*
 * True if a list of words, or one of its groups, has a word that changes a premise as `word` does:
 * "but" and "though".
 */
static bool list_turns_like(const char *list, const char *word)
{
	char one[WORD_SIZE];

	while (list_next(&list, " |?,.", one, sizeof(one)))
		if (word_turns_like(word, one))
			return true;
	return false;
}

/* True for "-v" beside a question about "ulimit -m". */
static bool is_other_option(const struct question *q, const char *word)
{
	return *word == '-' && word_says_nothing(word) && strstr(q->asks, " -") &&
	       !question_has(q, word);
}

bool question_turns_at(const struct question *q, const struct sentence *s, size_t at)
{
	if (is_other_option(q, s->of[at]))
		return false;
	return strstr(q->words, " *") || !sentence_turns_at(s, at) ||
	       list_turns_like(q->words, s->of[at]) || list_turns_like(q->with, s->of[at]) ||
	       list_turns_like(q->asks, s->of[at]);
}

bool question_turns(const struct question *q, const struct sentence *s)
{
	for (size_t i = 0; i < s->nr; i++)
		if (!question_turns_at(q, s, i))
			return false;
	return true;
}

/*
 * True if the sentence asks why a number moves, and the question why it does not: "Why does RSS
 * fall?" is the opposite of "Why does RSS not fall?".
 */
static bool question_denies(const struct question *q, const struct sentence *s)
{
	bool moves = false;

	for (size_t i = 0; i < s->nr; i++) {
		if (word_denies(s->of[i]) || word_stays(s->of[i]))
			return false;
		moves |= word_moves(s->of[i]);
	}
	return moves && sentence_has(s, "why") && question_title_has(q, WORD_NOT);
}

static bool title_evaluates(const struct question *q)
{
	struct sentence title;

	sentence_split(&title, q->asks);
	return sentence_evaluates(&title);
}

/* True for "Is X in Y?": its answer is a statement, also for "X not shown in Y". */
static bool asks_for_part(const struct question *q)
{
	static const char parts[] = " in include includes count counts counted part ";
	struct sentence title;
	bool part = false;

	sentence_split(&title, q->asks);
	for (size_t i = 0; i < title.nr; i++)
		part |= word_is_among(title.of[i], parts);
	return part && sentence_asks(&title) == ASKS_WHETHER;
}

/*
 * Returns 1 plus the number of the sentence's words that the question's groups contain, plus 1 if
 * both ask whether something is well. Returns 0
 * if the question does not fit, or if it lacks a "not" or more than `spare` meaningful words of the
 * sentence.
 */
static unsigned question_covers(const struct question *q, const struct sentence *s, unsigned spare)
{
	unsigned covered = 1, lacks = 0;
	bool anything;

	if (!question_fits(q, s, &anything) || (s->cut && !anything) || question_denies(q, s))
		return 0;
	for (size_t i = 0; i < s->nr; i++) {
		bool asked = is_in_groups(s->of[i], q);

		covered += asked;
		if (asked || anything || word_is_of_group(s->of[i], q->with, strlen(q->with)) ||
		    is_filler(s, i) || word_compares(s->of[i]) ||
		    (spare && word_says_little(s->of[i])) || question_title_has(q, s->of[i]))
			continue;
		if (word_denies(s->of[i]) && asks_for_part(q) && !sentence_asks_cause(s))
			continue;
		if (++lacks > spare || word_denies(s->of[i]))
			return 0;
	}
	return covered + (sentence_evaluates(s) && title_evaluates(q));
}

/*
 * Replaces *best by the question of a table that covers more words of the sentence, if there is
 * one.
 */
static void question_better(const struct question *all, size_t nr, const struct sentence *s,
			    const struct question **best, unsigned *most)
{
	for (size_t i = 0; s->nr > 1 && i < nr; i++) {
		unsigned covers = question_covers(&all[i], s, 0);

		if (covers <= *most || !question_turns(&all[i], s) ||
		    !question_compares(&all[i], s) || question_denied(&all[i], s) ||
		    question_loses_side(&all[i], s))
			continue;
		*most = covers;
		*best = &all[i];
	}
}

const struct question *question_for(const struct sentence *s)
{
	const struct question *best = NULL;
	unsigned most = 0;

	question_better(questions, sizeof(questions) / sizeof(*questions), s, &best, &most);
	question_better(acts, sizeof(acts) / sizeof(*acts), s, &best, &most);
	return best;
}

/* ---- similar questions ---- */

enum { LEAST = 8 }; /* the least weight that a sentence and a similar question share */

/*
 * Returns the weight of a shared word. It is larger if fewer questions have the word in their
 * groups, and 0 if the word has no meaning.
 */
static unsigned word_weight(const char *word)
{
	size_t all = sizeof(questions) / sizeof(*questions), with = 0;
	unsigned weight = 0;

	if (word_says_nothing(word) || word_denies(word))
		return 0;
	for (size_t i = 0; i < all; i++)
		with += is_in_groups(word, &questions[i]);
	for (; with && with <= all / 2; with *= 2)
		weight++;
	return weight;
}

static void words_weigh(const struct sentence *s, unsigned weight[SENTENCE_WORDS])
{
	for (size_t i = 0; i < s->nr; i++)
		weight[i] = word_weight(s->of[i]);
}

bool question_refuses(const struct question *q, const struct sentence *s)
{
	for (const char *p = q->words; *p; p += strspn(p, " ")) {
		size_t len = strcspn(p, " ");

		if (*p == '*' || (*p == '-' && group_is_met(p + 1, len - 1, s)))
			return true;
		p += len;
	}
	return false;
}

/*
 * Returns the weight of the words that the sentence and the question's groups share. Returns 0 if
 * they share fewer than two words, or if the question allows any words or excludes a word of the
 * sentence.
 */
static unsigned question_shares(const struct question *q, const struct sentence *s,
				const unsigned *weight)
{
	unsigned sum = 0, words = 0;

	if (question_refuses(q, s))
		return 0;
	for (size_t i = 0; i < s->nr; i++) {
		if (!weight[i] || !is_in_groups(s->of[i], q))
			continue;
		sum += weight[i];
		words++;
	}
	return words > 1 ? sum : 0;
}

size_t questions_similar(const struct sentence *s, const struct question *similar[SIMILAR])
{
	unsigned weight[SENTENCE_WORDS], score[SIMILAR];
	size_t nr = 0;

	words_weigh(s, weight);
	for (size_t i = 0; i < sizeof(questions) / sizeof(*questions); i++) {
		unsigned shares = question_shares(&questions[i], s, weight);
		size_t at = nr;

		while (at && shares > score[at - 1])
			at--;
		if (shares < LEAST || at == SIMILAR)
			continue;
		nr += nr < SIMILAR;
		for (size_t k = nr - 1; k > at; k--) {
			score[k] = score[k - 1];
			similar[k] = similar[k - 1];
		}
		score[at] = shares;
		similar[at] = &questions[i];
	}
	while (nr && score[nr - 1] * 4 < score[0] * 3)
		nr--;
	return nr;
}

const struct question *question_nearest(const struct sentence *s)
{
	const struct question *nearest = NULL;
	enum { SPARE = 3 };
	unsigned weight[SENTENCE_WORDS], most = LEAST - 1;

	words_weigh(s, weight);
	for (size_t i = 0; i < sizeof(questions) / sizeof(*questions); i++) {
		unsigned shares = question_shares(&questions[i], s, weight);

		if (shares <= most || !question_covers(&questions[i], s, SPARE) ||
		    question_denied(&questions[i], s))
			continue;
		most = shares;
		nearest = &questions[i];
	}
	return nearest;
}

bool question_has(const struct question *q, const char *word)
{
	return is_in_groups(word, q) || word_is_of_group(word, q->with, strlen(q->with)) ||
	       question_title_has(q, word);
}

bool question_leaves(const struct question *q, const struct sentence *s, size_t at)
{
	const char *word = s->of[at];

	return !is_in_groups(word, q) && !question_title_has(q, word) && !is_filler(s, at) &&
	       !word_is_loose(word) && !word_denies(word) && !word_compares(word) &&
	       !word_is_program(word) && !word_is_in_text(word, q->asks) &&
	       !word_is_in_text(word, q->answer) && !word_is_in_text(word, q->look_up);
}

/* ---- a line of a log ---- */

/*
 * Returns the text after the first occurrence of `part`, ignoring case, or NULL if there is none.
 */
static const char *behind(const char *text, const char *part, size_t len)
{
	for (; *text; text++)
		if (!strncasecmp(text, part, len))
			return text + len;
	return NULL;
}

/* True if the text contains all parts of a pattern such as "usage*limit*failcnt", in that order. */
static bool line_fits(const char *pattern, const char *text)
{
	while (text && *pattern) {
		size_t len = strcspn(pattern, "*");

		text = behind(text, pattern, len);
		pattern += len + (pattern[len] == '*');
	}
	return text != NULL;
}

const struct question *question_for_line(const char *text)
{
	for (size_t i = 0; i < sizeof(log_lines) / sizeof(*log_lines); i++)
		if (line_fits(log_lines[i].words, text))
			return &log_lines[i];
	return NULL;
}
