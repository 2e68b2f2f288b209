// SPDX-License-Identifier: MIT
/* Words of a text by their stem: "Drops", "dropped" and, as a synonym, "flushed" are one word. */
#ifndef RSSCK_STEM_H
#define RSSCK_STEM_H

#include <stdbool.h>
#include <stddef.h>

enum { STEM_SIZE = 48, STEMS_MOST = 48 };

/* A word and its synonyms, by their stems. */
struct stems {
	char of[STEMS_MOST][STEM_SIZE];
	size_t nr;
};

/*
 * Copies the stem of the next word of a text in lower case, and moves *text behind it. Returns
 * false at the end.
 */
bool stem_next(const char **text, char stem[STEM_SIZE]);

/* Like stem_next(), but copies the word itself. */
bool stem_next_word(const char **text, char word[STEM_SIZE]);

/* Return where the next word of a text begins, and where a word ends. */
const char *stem_word_begin(const char *text);
const char *stem_word_end(const char *text);

/* Writes the stem of a word in lower case: "processes" becomes "process". */
void stem_of(const char *word, char stem[STEM_SIZE]);

/* Finds the stems of a word and of its synonyms (synonyms.def). */
void stems_of_word(struct stems *s, const char *word);

bool stems_have(const struct stems *s, const char *stem);

/* True if both words have the same stem, or are synonyms. */
bool words_are_alike(const char *one, const char *other);

#endif
