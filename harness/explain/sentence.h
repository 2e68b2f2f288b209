// SPDX-License-Identifier: MIT
/* A sentence that somebody typed, cut into words. */
#ifndef RSSCK_SENTENCE_H
#define RSSCK_SENTENCE_H

#include <stdbool.h>
#include <stddef.h>

enum { SENTENCE_WORDS = 48, WORD_SIZE = 64 };

struct sentence {
	char of[SENTENCE_WORDS][WORD_SIZE]; /* in small letters */
	size_t nr;
	bool cut; /* it has more words, or a longer one, than fit */
};

/* What stands for "who" and for "which" of "which process": it is never left out. */
#define WORD_WHO "which-one"

/* What stands for each word that denies: "no", "isn't", "without". */
#define WORD_NOT "not"

void sentence_split(struct sentence *s, const char *text);

/* "larger" is "large"; "free" is not "freezer" but is "freed". */
bool word_is_like(const char *word, const char *stem, size_t len);

/* Whether a word can be left out without changing what is asked: "the", "my", "linux", "512mb". */
bool word_says_nothing(const char *word);

/* Whether it only joins others: a part of word_says_nothing()'s: "the", "in", "is". */
bool word_is_grammar(const char *word);

/* "512mb", "10%", "0xcc0" */
bool word_is_amount(const char *word);

/* "vs", "versus" */
bool word_compares(const char *word);

#endif
