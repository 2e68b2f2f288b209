// SPDX-License-Identifier: MIT
/* Questions in words, and lines of logs, with their answers. */
#ifndef RSSCK_QUESTION_H
#define RSSCK_QUESTION_H

#include <stdbool.h>
#include <stddef.h>

struct sentence;

struct question {
	const char *asks;
	/*
	 * Groups of alternatives, all of which must occur: "rss|res large|big"; for a line of a
	 * log (logs.def) its fixed parts: "usage*limit".
	 */
	const char *words;
	const char *with; /* words that may occur as well, without making it another question */
	const char *answer;
	const char *look_up; /* names, separated by ", " */
	bool of_meaning;     /* asks what something is or does */
};

/* All questions, and all lines of logs: [0, *nr). */
const struct question *questions_all(size_t *nr);
const struct question *log_lines_all(size_t *nr);

/*
 * question_for(): the question that a sentence asks; question_for_line(): the row for a
 * line of a log; or NULL.
 */
const struct question *question_for(const struct sentence *s);

enum { SIMILAR = 2 };

/*
 * Stores the questions with which a sentence that asks none of them shares the most and the rarest
 * words. Returns how many, at most SIMILAR.
 */
size_t questions_similar(const struct sentence *s, const struct question *similar[SIMILAR]);

/* True if a question has all but at most three words of the sentence, "not" among them. */
bool question_is_near(const struct question *q, const struct sentence *s);

/* The near question that has the rarest words of the sentence, or NULL. */
const struct question *question_nearest(const struct sentence *s);

/*
 * True if a question answers a sentence whose words it does not all have: those that it lacks are
 * in its answer or change no question ("keeps", "all"), and none of them reverses the meaning.
 */
bool question_answers(const struct question *q, const struct sentence *s);

/*
 * True if a word of a sentence that asks the question is only one of its other words: neither the
 * title nor the answer has it.
 */
bool question_leaves(const struct question *q, const struct sentence *s, size_t at);

/* True if a question's groups, other words or title have that word. */
bool question_has(const struct question *q, const char *word);

/*
 * True if a question has each word that turns the premise of a sentence round: "VmSwap is 0" is not
 * "VmSwap is large".
 */
bool question_turns(const struct question *q, const struct sentence *s);
bool question_turns_at(const struct question *q, const struct sentence *s, size_t at);

/* True if a text has that word, or another form of it. */
bool word_is_in_text(const char *word, const char *text);

const struct question *question_for_line(const char *text);

#endif
