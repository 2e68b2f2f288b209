// SPDX-License-Identifier: MIT
/* The words of one question of the tables. */
#ifndef RSSCK_QUESTION_WORDS_H
#define RSSCK_QUESTION_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct question;
struct sentence;

/* True if a word is one of a group, "rss|res|resident". "#" is any amount. */
bool word_is_of_group(const char *word, const char *group, size_t len);

/* The number of the question's group that has the word, from 0 on, or -1. */
int question_group(const struct question *q, const char *word);

bool question_title_has(const struct question *q, const char *word);

/* 1 if the question's groups have words such as "larger" alone, -1 for "smaller", else 0. */
int question_sizes(const struct question *q);

/* True if the groups or the title have such words or "differ", or if "than" may occur. */
bool question_contrasts(const struct question *q);

/*
 * True unless a question is about the opposite of what a sentence compares: "A is less than B" is
 * not "Why is A larger than B?". A question that compares nothing does not answer it, either.
 */
bool question_compares(const struct question *q, const struct sentence *s);

#endif
