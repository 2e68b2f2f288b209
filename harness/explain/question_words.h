// SPDX-License-Identifier: MIT
/* The words of one question of the tables. */
#ifndef RSSCK_QUESTION_WORDS_H
#define RSSCK_QUESTION_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct question;
struct sentence;

/* True if a text has that word, or another form of it. */
bool word_is_in_text(const char *word, const char *text);

/* True if a word is one of a group, "rss|res|resident". "#" is any amount. */
bool word_is_of_group(const char *word, const char *group, size_t len);

/* Returns the number of the question's group that has the word, from 0 on, or -1. */
int question_group(const struct question *q, const char *word);

/* True if the question or its answer has the word, another form of it or a synonym. */
bool question_says(const struct question *q, const char *word);

bool question_title_has(const struct question *q, const char *word);

/*
 * Returns 1 if the question's groups have words such as "larger" and none such as "smaller", -1 for
 * the reverse, otherwise 0.
 */
int question_sizes(const struct question *q);

/*
 * True if the groups or the title have a word such as "larger", "smaller" or "differ", or if "than"
 * or any word may occur.
 */
bool question_contrasts(const struct question *q);

/* True if the title itself compares, "larger than", or has "though". */
bool question_title_contrasts(const struct question *q);

/*
 * True unless the sentence compares two numbers, and the question compares them the other way round
 * ("A is less than B", "Why is A larger than B?") or not at all.
 */
bool question_compares(const struct question *q, const struct sentence *s);

/*
 * True if a question is about one side of "X vs Y" alone, and takes the other side for the same
 * thing.
 */
bool question_loses_side(const struct question *q, const struct sentence *s);

#endif
