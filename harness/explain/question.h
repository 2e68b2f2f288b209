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
	 * Groups of alternatives, "rss|res large|big": a word of each group must occur. For a line
	 * of a log (logs.def): its fixed parts, "usage*limit".
	 */
	const char *words;
	const char *with; /* words that may occur as well, without making it another question */
	const char *answer;
	const char *look_up; /* names, separated by ", " */
	bool of_meaning;     /* asks what something is or does */
};

/*
 * Return all questions but those of acts.def and places.def, these, and all lines of logs; *nr is
 * their number.
 */
const struct question *questions_all(size_t *nr);
const struct question *acts_all(size_t *nr);
const struct question *log_lines_all(size_t *nr);

/*
 * question_for() returns the question that a sentence asks, question_for_line() the row for a line
 * of a log. Both return NULL if there is none.
 */
const struct question *question_for(const struct sentence *s);

enum { SIMILAR = 2 };

/*
 * Stores the questions that share the most and the rarest words with the sentence. Returns their
 * number, at most SIMILAR.
 */
size_t questions_similar(const struct sentence *s, const struct question *similar[SIMILAR]);

/*
 * Returns the question that shares the most and the rarest words with the sentence, and has all its
 * meaningful words but three, none of which is a "not"; or NULL.
 */
const struct question *question_nearest(const struct sentence *s);

/* True if a question allows any words, or excludes a word of the sentence. */
bool question_refuses(const struct question *q, const struct sentence *s);

/*
 * True if a word of a sentence that asks the question is only one of its other words: neither the
 * title nor the answer has it.
 */
bool question_leaves(const struct question *q, const struct sentence *s, size_t at);

/* True if a question's groups, other words or title have that word. */
bool question_has(const struct question *q, const char *word);

/*
 * True if the question has each word that changes the premise of the sentence, or a similar word:
 * "VmSwap is 0" is not "VmSwap is large".
 */
bool question_turns(const struct question *q, const struct sentence *s);
bool question_turns_at(const struct question *q, const struct sentence *s, size_t at);

/*
 * True if the sentence denies what the question is about: "no slab" is not answered by a question
 * about slab, unless that denies something itself.
 */
bool question_denied(const struct question *q, const struct sentence *s);

const struct question *question_for_line(const char *text);

#endif
